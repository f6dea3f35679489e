import type { Card } from '../../src/commands/cards/card.ts';
import type { Answers, Form } from '../../src/commands/forms/form.ts';
import { greetingCard } from '../../src/commands/help.ts';
import type {
  Inbound,
  InboundHandler,
  IncomingFile,
  KeepForm,
} from '../../src/commands/inbound.ts';
import { waitFor } from '../support/slack/wait-for.ts';

/** One thing that was handed over by the bot. */
export type Seen =
  | { kind: 'command'; inbound: Inbound; name: string; words: string }
  | { kind: 'press'; inbound: Inbound; verb: string; id: string }
  | { kind: 'submit'; inbound: Inbound; command: string; answers: Answers }
  | { kind: 'file'; inbound: Inbound; file: IncomingFile; words: string }
  | { kind: 'text'; inbound: Inbound; text: string }
  | { kind: 'contact'; inbound: Inbound; numbers: readonly string[] }
  | { kind: 'message shortcut'; inbound: Inbound; name: string; text: string };

/** Stands in the place of the commands: keeps what it is given, and answers as the test says. */
export class StubInbound implements InboundHandler {
  readonly seen: Seen[] = [];
  /** How many `next` has given. */
  #given = 0;
  readonly forms = new Map<string, Form>();
  onCommand: (inbound: Inbound, name: string, words: string) => Promise<void> = async () => {};
  onPress: (inbound: Inbound, verb: string, id: string) => Promise<void> = async () => {};
  onSubmit: (inbound: Inbound, command: string, answers: Answers) => Promise<void> = async () => {};
  onFile: (inbound: Inbound, file: IncomingFile, words: string) => Promise<void> = async () => {};
  /** Whether a question waited for these words. */
  onText: (inbound: Inbound, text: string) => Promise<boolean> = async () => true;

  async command(inbound: Inbound, name: string, words: string): Promise<void> {
    this.seen.push({ kind: 'command', inbound, name, words });
    await this.onCommand(inbound, name, words);
  }

  async file(inbound: Inbound, file: IncomingFile, words: string): Promise<void> {
    this.seen.push({ kind: 'file', inbound, file, words });
    await this.onFile(inbound, file, words);
  }

  async press(inbound: Inbound, verb: string, id: string): Promise<void> {
    this.seen.push({ kind: 'press', inbound, verb, id });
    await this.onPress(inbound, verb, id);
  }

  async submit(inbound: Inbound, command: string, answers: Answers): Promise<void> {
    this.seen.push({ kind: 'submit', inbound, command, answers });
    await this.onSubmit(inbound, command, answers);
  }

  async messageShortcut(inbound: Inbound, name: string, text: string): Promise<void> {
    this.seen.push({ kind: 'message shortcut', inbound, name, text });
  }

  async text(inbound: Inbound, text: string): Promise<boolean> {
    this.seen.push({ kind: 'text', inbound, text });
    return this.onText(inbound, text);
  }

  async contact(inbound: Inbound, numbers: readonly string[]): Promise<void> {
    this.seen.push({ kind: 'contact', inbound, numbers });
  }

  keepForm(): KeepForm {
    return async () => undefined;
  }

  formOf(command: string): Form | undefined {
    return this.forms.get(command);
  }

  greeting(): Card {
    return greetingCard;
  }

  /** Waits until so many events were handed over, and gives all of them. */
  reached(count: number): Promise<readonly Seen[]> {
    return waitFor(
      `${count} events`,
      () => (this.seen.length >= count ? this.seen : undefined),
      () => JSON.stringify(this.commands),
    );
  }

  /** Waits for the next event, from the first one on. */
  async next(): Promise<Seen> {
    const at = this.#given++;
    return (await this.reached(at + 1))[at] as Seen;
  }

  /** The commands handed over, as `name words`. */
  get commands(): string[] {
    return this.seen.flatMap((each) =>
      each.kind === 'command' ? [`${each.name} ${each.words}`.trim()] : [],
    );
  }
}
