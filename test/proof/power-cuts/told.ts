import { type AuditHead, readHead } from '../../../src/core/store/sql/audit-head.ts';

/** What processes said of a store, in order, up to some moment. */
export class Told {
  /** The last commit that was acknowledged, and the last one that was asked for. */
  acknowledged = 0;
  asked = 0;
  /** Payments by the commit that made them; whether it was acknowledged that their customer is forgotten. */
  readonly forgotten = new Map<number, boolean>();
  /** Backups, and the last commit that was acknowledged before each; undefined: it is not acknowledged itself. */
  readonly backups = new Map<string, number | undefined>();
  readonly heads: AuditHead[] = [];
  /** Everything that acknowledges something, and how often. */
  acknowledgements = 0;
  /** What no store may answer in a story that goes by its own commits. */
  readonly wrong: string[] = [];
  fatal = 0;

  copy(): Told {
    const copy = new Told();
    Object.assign(copy, this, {
      forgotten: new Map(this.forgotten),
      backups: new Map(this.backups),
      heads: [...this.heads],
      wrong: [...this.wrong],
    });
    return copy;
  }

  /** Takes whole lines. */
  hear(text: string): void {
    for (const line of text.split('\n')) if (line !== '') this.#hear(line);
  }

  /** After a power cut the store itself says which of the commits that were asked for are there. */
  found(commit: number): void {
    this.acknowledged = commit;
    this.asked = commit;
  }

  #hear(line: string): void {
    const [what, about = ''] = line.split(' ');
    if (what === 'asked') this.asked = Number(about);
    else if (what === 'stored') this.acknowledged = Number(about);
    else if (what === 'forget') this.forgotten.set(Number(about), false);
    else if (what === 'forgotten') this.forgotten.set(Number(about), true);
    else if (what === 'backup') this.backups.set(about, undefined);
    else if (what === 'backed-up') this.backups.set(about, this.acknowledged);
    else if (what === 'head') this.#noteHead(about);
    else if (what === 'fatal') this.fatal += 1;
    else if (!['open', 'closed', 'ended'].includes(what ?? '')) this.wrong.push(line);
    if (['stored', 'forgotten', 'backed-up'].includes(what ?? '')) this.acknowledgements += 1;
  }

  #noteHead(text: string): void {
    const head = readHead(text);
    if (head !== undefined) this.heads.push(head);
  }
}
