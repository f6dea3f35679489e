import { defined } from '../core/runtime/defined.ts';
import { StoreAwayError } from '../core/store/store.ts';
import { isCardTyped, neverTypeCards } from '../core/values/card-number.ts';
import { InexactSumError } from '../core/values/money.ts';
import { LONGEST_TYPED } from '../core/values/normalise-input.ts';
import { denialOf, denialOfButton, denialOfCommand, hasNoRights } from './access/check-access.ts';
import { type Card, plainCard, problemCard } from './cards/card.ts';
import type { Command, Context, Press, Services } from './command.ts';
import { type CommandIndex, commandIndex } from './command-index.ts';
import { openQuestion, refuse } from './draft-buttons.ts';
import { CORRECT } from './forms/correct-it.ts';
import type { Answers, Form } from './forms/form.ts';
import { FormSteps, STEP_VERBS } from './forms/form-steps.ts';
import { parkedForm, parkForm } from './forms/parked-form.ts';
import { nothingOpenCard } from './forms/question-card.ts';
import { RETYPE, RETYPED } from './forms/words-form.ts';
import { greetingCard } from './help.ts';
import {
  type AroundCommand,
  type CommandEvent,
  firstWord,
  type Inbound,
  type InboundHandler,
  type IncomingFile,
  type KeepForm,
  type Surface,
} from './inbound.ts';
import { merchantRefusal } from './merchants.ts';
import { commandForContact, numberOfContact } from './shared-contact.ts';
import { answerUnknown, type UnknownWordsNeeds } from './unknown-words.ts';

/** The answer after an unexpected error: only what is certainly true. */
const FAULT_TEXT =
  'Something went wrong here, and it was logged. Was it about a payment? Look at /payments before you try again.';

/** The same command or press once more is safe: a question asks first, and a press counts once. */
const AWAY_TEXT =
  'I cannot reach my database, so this was not recorded. Try the same again in a minute. Nothing is done twice.';

/** Nothing is stored before everything is summed up. */
const INEXACT_TEXT =
  'This adds up to more than I can count exactly. Nothing was done. Try a smaller file or period.';

/** What an unexpected error left undone. */
const textOf = (error: unknown): string => {
  if (error instanceof InexactSumError) return INEXACT_TEXT;
  return error instanceof StoreAwayError ? AWAY_TEXT : FAULT_TEXT;
};

type Options = UnknownWordsNeeds &
  Pick<Services, 'access' | 'random' | 'mark'> & {
    readonly commands: readonly Command[];
    readonly around: AroundCommand;
  };

/** From an inbound event to the command it belongs to, past the access check. */
export class Router implements InboundHandler {
  readonly #options: Options;
  readonly #index: CommandIndex;
  /** The forms that are open, for chats without modals. */
  readonly steps: FormSteps;

  constructor(options: Options) {
    this.#options = options;
    this.#index = commandIndex(options.commands);
    this.steps = new FormSteps(options, this);
  }

  async command(inbound: Inbound, typedName: string, words: string): Promise<void> {
    const name = typedName.toLowerCase();
    const command = this.#index.commands.get(name);
    await this.#guarded(inbound, [command?.name, 'typed'], async (context) => {
      const denial = denialOfCommand(this.#options, command, context);
      if (denial !== undefined) return context.surface.say(denial);
      // Together: without a command in front of it, the first four digits come as the name of one.
      const typed = `${typedName} ${words}`.trim();
      await this.#unlessRefused(context, [typed], async () => {
        if (name === 'cancel') return this.#cancel(context);
        if (name === 'back') return this.steps.back(context);
        // A new command ends a form left half filled in: later words would be taken for its answers.
        await this.steps.leave(context);
        if (command !== undefined) return command.run(words.trim(), context);
        return answerUnknown(this.#options, this.#index.commands, typed, context);
      });
    });
  }

  async press(inbound: Inbound, verb: string, id: string): Promise<void> {
    const known = this.#index.presses.get(verb);
    await this.#guarded(inbound, [known?.command.name ?? 'form', 'pressed'], async (context) => {
      if (context.grants.suspended !== undefined)
        return context.surface.answerPress(denialOf(this.#options, context, known?.command));
      if (STEP_VERBS.has(verb)) return this.steps.press(context, verb, id);
      if (verb === CORRECT || verb === RETYPE) return this.#correct(verb, id, context);
      if (known === undefined) return context.surface.answerPress(unknownButtonCard);
      const { command, offer: press } = known;
      const denial = denialOfButton(this.#options, press, command, context);
      const refusal = denial ?? (await this.#otherMerchant(press, id, context));
      if (refusal !== undefined) return context.surface.answerPress(refusal);
      await press.run(id, context);
    });
  }

  async messageShortcut(inbound: Inbound, name: string, text: string): Promise<void> {
    const known = this.#index.shortcuts.get(name);
    await this.#guarded(inbound, [known?.command.name, 'pressed'], async (context) => {
      const denial = denialOfCommand(this.#options, known?.command, context);
      if (denial !== undefined) return context.surface.say(denial);
      if (known === undefined) return context.surface.say(unknownButtonCard);
      await this.#unlessRefused(context, [text], () => known.offer(text, context));
    });
  }

  async submit(inbound: Inbound, name: string, answers: Answers): Promise<void> {
    const known = this.#index.forms.get(name);
    const command = known?.command ?? this.#index.commands.get(name);
    await this.#guarded(inbound, [command?.name, 'submitted'], async (context) => {
      const denial =
        known === undefined
          ? denialOfCommand(this.#options, command, context)
          : denialOfButton(this.#options, known.offer, known.command, context);
      if (denial !== undefined) return context.surface.say(denial);
      await this.#unlessRefused(context, Object.values(answers), async () => {
        if (known === undefined) return context.surface.say(outdatedFormCard);
        await known.offer.submit(answers, context);
      });
    });
  }

  async file(inbound: Inbound, file: IncomingFile, words: string): Promise<void> {
    await this.#guarded(inbound, ['file', 'typed'], async (context) => {
      const { word, rest } = firstWord(words);
      const named = this.#index.commands.get(word.replace(/^\//, '').toLowerCase());
      const isFor = named?.takeFile === undefined ? undefined : named;
      const command = isFor ?? this.#index.commands.get(FILE_COMMAND);
      const denial = denialOfCommand(this.#options, command, context);
      if (denial !== undefined) return context.surface.say(denial);
      await this.#unlessRefused(context, [words], async () => {
        await this.steps.leave(context);
        await command?.takeFile?.(file, isFor === undefined ? words : rest, context);
      });
    });
  }

  async text(inbound: Inbound, text: string): Promise<boolean> {
    return this.#guarded(inbound, ['form', 'answered'], async (context) =>
      hasNoRights(context.grants)
        ? false
        : this.#unlessRefused(context, [text], () => this.steps.answer(context, text)),
    );
  }

  async contact(inbound: Inbound, numbers: readonly string[]): Promise<void> {
    await this.#guarded(inbound, ['form', 'answered'], async (context) => {
      const { surface, grants } = context;
      const command = commandForContact([...this.#index.commands.values()], grants);
      if (hasNoRights(grants)) return surface.say(denialOf(this.#options, context, command));
      await this.#unlessRefused(context, numbers, async () => {
        const number = numberOfContact(numbers);
        if (typeof number !== 'string') return surface.say(number);
        if (await this.steps.contact(context, number)) return;
        const denial = denialOfCommand(this.#options, command, context);
        await (denial === undefined ? command?.run(number, context) : surface.say(denial));
      });
    });
  }

  isCommand(name: string): boolean {
    return this.#index.commands.has(name);
  }

  formOf(name: string): Form | undefined {
    return this.#index.forms.get(name)?.offer.form;
  }

  keepForm(event: Pick<Inbound, 'caller' | 'eventId'>): KeepForm {
    return async ({ command }, answers, { problems, suggestions } = {}) => {
      const filled = { command, answers, ...defined({ problems, suggestions }) };
      const id = await parkForm(this.#options, event, filled);
      return id === undefined ? undefined : { verb: CORRECT, id };
    };
  }

  greeting(): Card {
    return this.#options.mark.card(greetingCard);
  }

  /** Cancel, typed instead of pressed: of the form, else of the question before a charge or SMS. */
  async #cancel(context: Context): Promise<void> {
    if (await this.steps.cancel(context)) return;
    const open = await openQuestion(this.#options, context.caller);
    const { surface } = context;
    if (open === undefined) return surface.say(nothingOpenCard);
    const inItsPlace: Surface = { ...surface, replace: (card) => surface.replace(card, open) };
    await this.#index.presses.get('cancel')?.offer.run(open, { ...context, surface: inItsPlace });
  }

  /** Opens the form of a command that was not understood, or runs the one that was meant, for the person who typed it. */
  async #correct(verb: string, id: string, context: Context): Promise<void> {
    const { surface } = context;
    const parked = await parkedForm(this.#options, id, context);
    if ('why' in parked) return refuse(parked, context);
    const known = this.#index.forms.get(parked.command);
    if (known === undefined) return surface.answerPress(outdatedFormCard);
    const { command, offer } = known;
    const denial =
      verb === RETYPE
        ? denialOfCommand(this.#options, command, context)
        : denialOfButton(this.#options, offer, command, context);
    if (denial !== undefined) return surface.answerPress(denial);
    const { problems } = parked;
    const { [RETYPED]: words, ...answers } = parked.answers;
    if (verb === RETYPE) return command.run(words ?? '', context);
    await surface.ask(offer.form, answers, { ...defined({ problems }), instead: true });
  }

  async #otherMerchant({ of }: Press, id: string, { caller }: Context): Promise<Card | undefined> {
    const { store, settings } = this.#options;
    const found = of && (await store.get(of, id));
    return found && merchantRefusal(settings, caller, found);
  }

  /**
   * Runs `handle` with the caller's grants. Any error is logged and answered; none reaches the platform. False: `handle`
   * says that nothing waited for the event. A refusal is an answer too.
   */
  #guarded(
    inbound: Inbound,
    [command = 'unknown', by]: readonly [string | undefined, CommandEvent['by']],
    handle: (context: Context) => Promise<unknown>,
  ): Promise<boolean> {
    const { platform } = inbound.caller;
    return this.#options.around({ command, by, platform }, async () => {
      let surface: Surface = this.#options.mark.surface(inbound.surface);
      try {
        const grants = await this.#options.access.grantsOf(inbound.caller);
        if (hasNoRights(grants)) surface = surface.sparing ?? surface;
        return (await handle({ ...inbound, surface, grants })) !== false;
      } catch (error) {
        this.#options.log.error(
          { err: error, event: inbound.eventId },
          'an event could not be handled',
        );
        await surface.say(plainCard('Sorry', textOf(error)));
        return true;
      }
    });
  }

  /**
   * Runs `handle` unless the typed text is too long or has a card number in it: that must not get into the
   * store, the service or the log. Called after the access check, because scanning a text costs time.
   */
  async #unlessRefused(
    { surface, eventId }: Context,
    typed: readonly string[],
    handle: () => Promise<unknown>,
  ): Promise<unknown> {
    if (typed.some((text) => text.length > LONGEST_TYPED)) return surface.say(tooLongCard());
    if (!typed.some(isCardTyped)) return handle();
    this.#options.log.info({ event: eventId }, 'a card number was typed, and refused');
    await surface.say(problemCard(neverTypeCards().problem));
  }
}

/** What a file is for that came without a command. */
const FILE_COMMAND = 'bulk';

/** Made when it is needed: the first number that is written with commas costs 8 ms. */
const tooLongCard = () =>
  problemCard({
    message: `That is too long. I read ${LONGEST_TYPED.toLocaleString('en-GB')} characters at most.`,
  });

const unknownButtonCard = plainCard('This button is no longer in use', 'Type the command again.');

const outdatedFormCard = plainCard('This form is out of date', 'Type the command again.');
