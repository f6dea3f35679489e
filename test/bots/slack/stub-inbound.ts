import type { Card } from '../../../src/commands/cards/card.ts';
import type { Answers, Form } from '../../../src/commands/forms/form.ts';
import { greetingCard } from '../../../src/commands/greeting.ts';
import type {
  Inbound,
  InboundHandler,
  IncomingFile,
  KeepForm,
} from '../../../src/commands/inbound.ts';
import { parsed, wrong } from '../../../src/core/runtime/errors.ts';

/** One thing that was handed over by the bot. */
export type Seen =
  | { kind: 'command'; inbound: Inbound; name: string; words: string }
  | { kind: 'press'; inbound: Inbound; verb: string; id: string }
  | { kind: 'submit'; inbound: Inbound; command: string; answers: Answers }
  | { kind: 'file'; inbound: Inbound; file: IncomingFile; words: string }
  | { kind: 'text'; inbound: Inbound; text: string }
  | { kind: 'message shortcut'; inbound: Inbound; name: string; text: string };

/** A form like that of a charge. */
export const chargeForm: Form = {
  command: 'charge',
  title: 'Charge a customer',
  submitLabel: 'Go on',
  fields: [
    {
      name: 'number',
      label: 'Customer number',
      hint: 'For example 0244123456',
      check: (answer) =>
        /^0\d{9}$/.test(answer) ? parsed(answer) : wrong('This is not a number in Ghana.'),
    },
    { name: 'amount', label: 'Amount', check: (answer) => parsed(answer) },
    {
      name: 'network',
      label: 'Network',
      optional: true,
      choices: [
        { value: 'MTN', label: 'MTN Mobile Money' },
        { value: 'VOD', label: 'Telecel Cash' },
      ],
      check: (answer) => parsed(answer),
    },
    { name: 'reference', label: 'Reference', optional: true, long: true, check: (a) => parsed(a) },
  ],
};

/** Stands in the place of the commands: keeps what it is given, and answers as the test says. */
export class StubInbound implements InboundHandler {
  readonly seen: Seen[] = [];
  readonly forms = new Map([['charge', chargeForm]]);
  onCommand: (inbound: Inbound, name: string, words: string) => Promise<void> = async () => {};
  onPress: (inbound: Inbound, verb: string, id: string) => Promise<void> = async () => {};
  onSubmit: (inbound: Inbound, command: string, answers: Answers) => Promise<void> = async () => {};
  /** Whether somebody waits for plain words. */
  waitsForText = false;

  async command(inbound: Inbound, name: string, words: string): Promise<void> {
    this.seen.push({ kind: 'command', inbound, name, words });
    await this.onCommand(inbound, name, words);
  }

  onFile: (inbound: Inbound, file: IncomingFile, words: string) => Promise<void> = async () => {};

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
    return this.waitsForText;
  }

  async contact(): Promise<void> {}

  keepForm(): KeepForm {
    return async () => undefined;
  }

  formOf(command: string): Form | undefined {
    return this.forms.get(command);
  }

  greeting(): Card {
    return greetingCard;
  }

  /** The commands handed over, as `name words`. */
  get commands(): string[] {
    return this.seen.flatMap((each) =>
      each.kind === 'command' ? [`${each.name} ${each.words}`.trim()] : [],
    );
  }
}
