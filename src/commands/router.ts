import { isCardTyped, neverTypeCards } from '../core/card-number.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { StoreAwayError } from '../core/store/store-away-error.ts';
import type { Access } from './access.ts';
import { deniedCard, plainCard, problemCard } from './answer-cards.ts';
import type { Card } from './card.ts';
import type { Command, Context, Press } from './command.ts';
import type { Answers, Form } from './form.ts';
import type { FormSteps } from './form-steps.ts';
import type { Inbound, InboundHandler, Surface } from './inbound.ts';
import { logRefusal } from './log-refusal.ts';
import { suspendedCard } from './suspend.ts';
import type { Mark } from './test-mark.ts';

/** What a person is told when we failed: only what is certainly true. */
const FAULT_TEXT =
  'Something went wrong here, and it was logged. Was it about a payment? Look at /payments before you try again.';

/** The same command or press once more is safe: a question asks first, and a press counts once. */
const AWAY_TEXT =
  'I cannot reach my database, so this was not recorded. Try the same again in a minute. Nothing is done twice.';

/** From an inbound event to the command it belongs to, past the access check. */
export class Router implements InboundHandler {
  readonly #commands: ReadonlyMap<string, Command>;
  readonly #presses: ReadonlyMap<string, { command: Command; press: Press }>;
  readonly #access: Pick<Access, 'grantsOf'>;
  readonly #steps: FormSteps;
  readonly #mark: Mark;
  readonly #log: Log;
  readonly #timeZone: string;
  readonly #clock: Clock;

  constructor(options: {
    commands: readonly Command[];
    access: Pick<Access, 'grantsOf'>;
    steps: FormSteps;
    mark: Mark;
    log: Log;
    timeZone: string;
    clock: Clock;
  }) {
    this.#commands = new Map(options.commands.map((command) => [command.name, command]));
    this.#presses = new Map(
      options.commands.flatMap((command) =>
        Object.entries(command.presses ?? {}).map(([verb, press]) => [verb, { command, press }]),
      ),
    );
    this.#access = options.access;
    this.#steps = options.steps;
    this.#mark = options.mark;
    this.#log = options.log;
    this.#timeZone = options.timeZone;
    this.#clock = options.clock;
  }

  async command(inbound: Inbound, name: string, words: string): Promise<void> {
    // Together: without a command in front of it, the first four digits come as the name of one.
    await this.#guarded(inbound, [`${name} ${words}`], async (context) => {
      if (name === 'cancel') return this.#steps.cancel(context);
      if (name === 'back') return this.#steps.back(context, this);
      // A new command ends a form left half filled in: later words would be taken for its answers.
      await this.#steps.leave(context.caller);
      const command = this.#commands.get(name);
      if (command === undefined) return context.surface.say(this.#unknownCommand(name));
      if (!this.#allowed(command, context))
        return context.surface.say(this.#denial(command, context));
      await command.run(words.trim(), context);
    });
  }

  async press(inbound: Inbound, verb: string, id: string): Promise<void> {
    await this.#guarded(inbound, [], async (context) => {
      if (this.#steps.owns(verb)) return this.#steps.press(context, verb, id, this);
      const known = this.#presses.get(verb);
      if (known === undefined)
        return context.surface.refusePress(
          plainCard('This button is no longer in use', 'Type the command again.'),
        );
      const { command, press } = known;
      const { suspended } = context.grants;
      if (suspended !== undefined || !(press.checksAccessItself || this.#allowed(command, context)))
        return context.surface.refusePress(this.#denial(command, context));
      await press.run(id, context);
    });
  }

  async submit(inbound: Inbound, name: string, answers: Answers): Promise<void> {
    await this.#guarded(inbound, Object.values(answers), async (context) => {
      const command = this.#commands.get(name);
      if (command?.submit === undefined) return context.surface.say(this.#unknownCommand(name));
      if (!this.#allowed(command, context))
        return context.surface.say(this.#denial(command, context));
      await command.submit(answers, context);
    });
  }

  async text(inbound: Inbound, text: string): Promise<boolean> {
    // A card number that nobody asked for is refused as well, and that is an answer.
    let waitedFor = true;
    await this.#guarded(inbound, [text], async (context) => {
      waitedFor = await this.#steps.answer(context, text, this);
    });
    return waitedFor;
  }

  formOf(name: string): Form | undefined {
    return this.#commands.get(name)?.form;
  }

  #allowed(command: Command, { grants }: Context): boolean {
    return command.openToAll === true || grants.may(command.name);
  }

  #denial({ name, deed }: Command, context: Context): Card {
    const { caller, grants } = context;
    const { suspended } = grants;
    logRefusal(this.#log, context, name);
    return suspended === undefined
      ? deniedCard(deed, caller, grants.withheld)
      : suspendedCard(suspended, { timeZone: this.#timeZone, nowMs: this.#clock.now() });
  }

  /**
   * Nothing that fails inside may be silent, and nothing may fall through to the platform. A card number goes
   * no further than this, whatever it was typed for: not into a store, not to the service, not into the log.
   */
  async #guarded(
    inbound: Inbound,
    typed: readonly string[],
    handle: (context: Context) => Promise<void>,
  ): Promise<void> {
    const surface: Surface = this.#mark.surface(inbound.surface);
    try {
      if (typed.some(isCardTyped)) {
        this.#log.info({ event: inbound.eventId }, 'a card number was typed, and refused');
        return await surface.say(problemCard(neverTypeCards().problem));
      }
      const grants = await this.#access.grantsOf(inbound.caller);
      await handle({ ...inbound, surface, grants });
    } catch (error) {
      this.#log.error({ err: error, event: inbound.eventId }, 'an event could not be handled');
      const text = error instanceof StoreAwayError ? AWAY_TEXT : FAULT_TEXT;
      await surface.say(plainCard('Sorry', text));
    }
  }

  #unknownCommand(name: string) {
    const known = [...this.#commands.keys()].map((each) => `/${each}`).join(', ');
    const shown = name === '' ? 'Type a command' : `There is no command "${name.slice(0, 40)}"`;
    return problemCard({ message: `${shown}. There are ${known}.`, example: '/help' });
  }
}
