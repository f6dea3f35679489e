import { hash } from 'node:crypto';
import type { AuditRow, Kind, Put } from '../records/records.ts';
import type { Money } from '../values/money.ts';
import { Archive } from './archive.ts';
import { type AuditVerdict, BrokenPlaces } from './audit-verdict.ts';
import { type Folder, systemDisk } from './disk.ts';
import { asIfInPlace } from './files-anew.ts';
import { JOURNAL_START, type JournalEntry, type JournalPosition } from './journal.ts';
import { type WalkedLine, walkJournal } from './journal-walk.ts';
import { factsOf, type PaymentFacts, PaymentReplay } from './payment-replay.ts';
import { leadsTo, remadeIn, type Seam } from './seams.ts';
import { openSnapshot } from './snapshot.ts';
import { StoreTally } from './store-tally.ts';
import { mustHaveStore } from './stored-folder.ts';
import { asStartError } from './unusable-folder.ts';

/**
 * Checks the audit trail of an embedded store from its first line on: the chain, that each change of a
 * payment has its row and each row its change, and that all of it leads to what snapshot and archive hold.
 * Nothing is locked and nothing changed. A process may work with the store meanwhile: snapshot and archive are
 * read first, and everything that is in them is in the journal by then.
 * @param noted the head of an earlier time, to be looked for in the chain.
 * @throws {StartError} when there is no store in the folder, or it cannot be read at all.
 */
export const verifyFolder = async (dir: string, noted?: string): Promise<AuditVerdict> => {
  const folder = { disk: systemDisk, dir };
  try {
    await mustHaveStore(folder);
    return await verifyTrail(await asIfInPlace(folder), noted);
  } catch (error) {
    throw asStartError(dir, error);
  }
};

/** The same in a folder that has a store. */
export const verifyTrail = (folder: Folder, noted?: string): Promise<AuditVerdict> =>
  new FolderCheck(noted).run(folder);

/** A record as one of both sides has it. */
type Known = {
  /** Tells whether two are the same, character by character. */
  readonly digest: string;
  readonly facts?: PaymentFacts;
};

/** A record as the journal leaves it; without `known` it was removed. */
type Journalled = { readonly seq: number; readonly known?: Known };

class FolderCheck {
  readonly #noted: string | undefined;
  readonly #places = new BrokenPlaces();
  /** By kind and id. */
  readonly #stored = new Map<string, Known>();
  readonly #journalled = new Map<string, Journalled>();
  readonly #replays = new Map<string, PaymentReplay>();
  #snapshot: JournalPosition = JOURNAL_START;
  #tail = { seq: 0, hash: JOURNAL_START.hash };
  #rows = 0;
  #torn: string | undefined;
  #sawSnapshot = true;
  #hasNoted = false;
  /** Where a month follows what the one before ended with earlier, and what is wrong with it unless that is told. */
  readonly #seams: { readonly seam: Seam; readonly problem: string }[] = [];
  readonly #remade: Seam[] = [];
  #remadeAtMs: number | undefined;

  constructor(noted: string | undefined) {
    this.#noted = noted;
  }

  async run(folder: Folder): Promise<AuditVerdict> {
    await this.#readStored(folder);
    await walkJournal(
      folder,
      (line) => this.#takeLine(line),
      (place) => {
        this.#torn = place;
      },
    );
    if (!this.#sawSnapshot)
      this.#places.add(
        `snapshot.json: it stands for commit ${this.#snapshot.seq}, and the journal does not have that commit any more; it ends with commit ${this.#tail.seq}`,
      );
    this.#checkSeams();
    this.#compareAll();
    return this.#verdict();
  }

  async #readStored(folder: Folder): Promise<void> {
    try {
      const { data } = await openSnapshot(folder);
      this.#snapshot = data.position;
      this.#sawSnapshot = data.position.seq === 0;
      const archive = await Archive.open(folder, data.archive);
      for await (const record of archive.newestFirst({})) this.#keep({ kind: 'payment', record });
      // Of a payment that is live again the archive has an older version.
      for (const put of data.records) this.#keep(put);
    } catch (error) {
      // The system's own errors say nothing about what was written.
      if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
      this.#places.add((error as Error).message);
      // With half of it nothing can be compared.
      this.#snapshot = JOURNAL_START;
      this.#sawSnapshot = true;
    }
  }

  #keep(put: Put): void {
    this.#stored.set(keyOf(put.kind, put.record.id), knownOf(put));
  }

  /** Each of them has to be told by the trail itself, behind it, with exactly both hashes. */
  #checkSeams(): void {
    for (const { seam, problem } of this.#seams)
      if (!leadsTo(seam, this.#remade)) this.#places.add(problem);
  }

  #takeLine({ place, why, seam, entry, hash: lineHash }: WalkedLine): void {
    if (seam !== undefined) this.#seams.push({ seam, problem: `${place}: ${why}` });
    else if (why !== undefined) this.#places.add(`${place}: ${why}`);
    if (lineHash !== undefined && lineHash === this.#noted) this.#hasNoted = true;
    if (entry === undefined) return;
    const { seq } = entry;
    this.#tail = { seq, hash: lineHash ?? this.#tail.hash };
    if (seq === this.#snapshot.seq && seq > 0) {
      this.#sawSnapshot = true;
      if (lineHash !== this.#snapshot.hash)
        this.#places.add(`${place}: it is not the line that snapshot.json was written after`);
    }
    this.#takeChange(place, entry);
  }

  #takeChange(place: string, { seq, change }: JournalEntry): void {
    const { put = [], remove = [], audit = [] } = change;
    this.#rows += audit.length;
    for (const row of audit) this.#takeRemade(row);
    const rows = audit.filter(({ kind }) => kind === 'payment');
    for (const row of rows) this.#takeRow(place, row);
    for (const one of put) {
      this.#journalled.set(keyOf(one.kind, one.record.id), { seq, known: knownOf(one) });
      if (one.kind === 'payment')
        this.#takePayment(place, factsOf(one.record), one.record.id, rows);
    }
    for (const row of rows)
      if (!put.some(({ kind, record }) => kind === 'payment' && record.id === row.id))
        this.#places.add(`${place}: payment ${row.id} has an audit row without its change`);
    for (const { kind, id } of remove) {
      // What was removed behind the snapshot is still in there.
      if (seq > this.#snapshot.seq) this.#journalled.set(keyOf(kind, id), { seq });
      else this.#journalled.delete(keyOf(kind, id));
    }
  }

  #takeRemade(row: AuditRow): void {
    const remade = remadeIn(row);
    this.#remade.push(...remade);
    if (remade.length > 0) this.#remadeAtMs = row.atMs;
  }

  #takeRow(place: string, row: AuditRow): void {
    const replay = this.#replays.get(row.id) ?? new PaymentReplay();
    this.#replays.set(row.id, replay);
    const problem = replay.take(row);
    if (problem !== undefined) this.#places.add(`${place}: payment ${row.id}: ${problem}`);
  }

  #takePayment(place: string, facts: PaymentFacts, id: string, rows: readonly AuditRow[]): void {
    const own = rows.filter((row) => row.id === id).length;
    const difference =
      own === 1
        ? this.#replays.get(id)?.differenceTo(facts)
        : `a change has ${own} audit rows instead of one`;
    if (difference !== undefined) this.#places.add(`${place}: payment ${id}: ${difference}`);
  }

  #compareAll(): void {
    for (const [key, { seq, known }] of this.#journalled) {
      // What came behind the snapshot is stored in the journal alone.
      if (seq > this.#snapshot.seq) continue;
      const stored = this.#stored.get(key);
      if (known === undefined || stored?.digest === known.digest) continue;
      this.#places.add(
        stored === undefined
          ? `${key}: it is in the journal, and neither in snapshot nor archive`
          : `${key}: ${differenceText(stored, known)}`,
      );
    }
    for (const key of this.#stored.keys())
      if (!this.#journalled.has(key))
        this.#places.add(`${key}: it is stored, and the journal does not have it`);
  }

  #verdict(): AuditVerdict {
    const stored = new StoreTally();
    for (const [key, { seq, known }] of this.#journalled) {
      const facts = (seq > this.#snapshot.seq ? known : this.#stored.get(key))?.facts;
      if (facts !== undefined) count(stored, facts.state, facts.amount);
    }
    const audited = new StoreTally();
    for (const [id, replay] of this.#replays) {
      const amount =
        replay.amount ?? this.#journalled.get(keyOf('payment', id))?.known?.facts?.amount;
      if (amount !== undefined) count(audited, replay.state, amount);
    }
    return {
      places: this.#places.named,
      broken: this.#places.count,
      rows: this.#rows,
      stored,
      audited,
      head: this.#tail.hash,
      ...(this.#noted === undefined ? {} : { hasNoted: this.#hasNoted }),
      ...(this.#remadeAtMs === undefined ? {} : { remadeAtMs: this.#remadeAtMs }),
      ...(this.#torn === undefined
        ? {}
        : {
            note: `${this.#torn} is not whole. It is being written right now, or was when a process died: nobody was told that it counts.`,
          }),
    };
  }
}

const count = (tally: StoreTally, state: string, amount: Money): void =>
  tally.add({ what: `payment ${state}`, count: 1, ...amount });

const keyOf = (kind: Kind, id: string): string => `${kind} ${id}`;

const knownOf = ({ kind, record }: Put): Known => ({
  digest: hash('sha256', JSON.stringify(record), 'base64').slice(0, 22),
  ...(kind === 'payment' ? { facts: factsOf(record) } : {}),
});

const differenceText = (stored: Known, journalled: Known): string => {
  const [is, was] = [stored.facts, journalled.facts];
  return is !== undefined && was !== undefined && (is.state !== was.state || is.flag !== was.flag)
    ? `stored as ${wordOf(is)}, in the journal ${wordOf(was)}`
    : 'it is stored otherwise than in the journal';
};

const wordOf = ({ state, flag }: PaymentFacts): string =>
  flag === undefined ? state : `${state} (${flag})`;
