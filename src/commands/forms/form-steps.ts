import type { FormAnswers } from '../../core/records/records.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Store } from '../../core/store/store.ts';
import { personOf, seatKey } from '../../core/values/conversation.ts';
import { newShortId } from '../../core/values/transaction-id.ts';
import { type Card, cardOf, part, plainCard, pressButton } from '../cards/card.ts';
import type { Context } from '../command.ts';
import {
  type Caller,
  firstWord,
  type Inbound,
  type InboundHandler,
  type Surface,
} from '../inbound.ts';
import { type Answers, type Choice, choicesOf, type Field, type Form, hintOf } from './form.ts';

const KEEP_MS = 3_600_000;
const CANCEL = 'form.cancel';
const BACK = 'form.back';
const SKIP = 'form.skip';
const PICK = 'form.pick';
const VERBS = new Set([CANCEL, BACK, SKIP, PICK]);

/** An open form of a person; `field`: the open question, undefined once all are answered. */
type Open = { readonly form: Form; readonly record: FormAnswers; readonly field?: Field };

/**
 * A form asked question by question, for chats without modals. What is stored is the answers, never a
 * place in a program, so a restart in the middle loses nothing. One form per person and conversation.
 */
export class FormSteps {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(options: { store: Store; clock: Clock; random: Random }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#random = options.random;
  }

  /** Begins a form; the answers given are not asked again. */
  async begin(
    { caller, surface }: Pick<Inbound, 'caller' | 'surface'>,
    form: Form,
    answers: Answers,
  ): Promise<void> {
    const earlier = await this.#recordOf(caller);
    const record = await this.#save({
      id: seatKey(caller.conversation, caller),
      version: (earlier?.version ?? 0) + 1,
      session: newShortId(this.#random),
      command: form.command,
      answers,
      done: form.fields.map(({ name }) => name).filter((name) => name in answers),
      conversation: caller.conversation,
      person: personOf(caller),
    });
    const question = record && questionCard(form, record, surface);
    if (question !== undefined) await surface.say(question);
  }

  /** Removes the open form without an answer; false: there was none. */
  async leave(caller: Caller): Promise<boolean> {
    const open = await this.#recordOf(caller);
    if (open === undefined) return false;
    await this.#store.commit({ remove: [{ kind: 'form', id: open.id, version: open.version }] });
    return true;
  }

  /** Cancel, typed instead of pressed. */
  async cancel({ caller, surface }: Context): Promise<void> {
    const left = await this.leave(caller);
    await surface.say(left ? cancelledCard : nothingOpenCard);
  }

  /** Back, typed instead of pressed. */
  async back(context: Context, handler: InboundHandler): Promise<void> {
    const open = await this.#open(context.caller, handler);
    if (open === undefined) return context.surface.say(nothingOpenCard);
    const question = await this.#stepBack(context, open);
    if (question !== undefined) await context.surface.say(question);
  }

  owns(verb: string): boolean {
    return VERBS.has(verb);
  }

  /** An answer in words; false: no form of this person is open here. */
  async answer(context: Context, text: string, handler: InboundHandler): Promise<boolean> {
    const open = await this.#open(context.caller, handler);
    if (open?.field === undefined) return false;
    const words = text.trim();
    if (/^cancel$/i.test(words)) await this.cancel(context);
    else if (/^back$/i.test(words)) await this.back(context, handler);
    else return this.#take(context, open, open.field, words, handler);
    return true;
  }

  async press(context: Context, verb: string, id: string, handler: InboundHandler): Promise<void> {
    const { caller, surface } = context;
    const [session = '', name, choice = ''] = id.split('.');
    const open = await this.#open(caller, handler);
    // Of another question than the open one: its choices mean something else there.
    const isStale =
      open?.record.session !== session || (verb === PICK && open.field?.name !== name);
    if (open === undefined || isStale) return surface.refusePress(closedQuestionCard);
    if (verb === CANCEL) {
      await this.leave(caller);
      return surface.replace(cancelledCard);
    }
    if (verb === BACK) {
      const question = await this.#stepBack(context, open);
      return question === undefined ? undefined : surface.replace(question);
    }
    const { field, record } = open;
    if (field === undefined) return;
    if (verb === SKIP && field.optional === true)
      return this.#keep(context, open, field.name, undefined, handler);
    const picked = choicesOf(field, record.answers)[Number(choice)];
    if (verb === PICK && picked !== undefined)
      await this.#keep(context, open, field.name, picked.value, handler);
  }

  /** False: it is no answer to the question but a command, typed without its slash. */
  async #take(
    context: Context,
    open: Open,
    field: Field,
    text: string,
    handler: InboundHandler,
  ): Promise<boolean> {
    const { form, record } = open;
    const keep = async (answer: string | undefined): Promise<true> => {
      await this.#keep(context, open, field.name, answer, handler);
      return true;
    };
    if (field.optional === true && /^(-|skip|none)$/i.test(text)) return keep(undefined);
    const chosen =
      field.choices === undefined ? text : choiceOf(choicesOf(field, record.answers), text);
    const result = chosen === undefined ? undefined : field.check(chosen, record.answers);
    if (chosen !== undefined && result?.ok === true) return keep(chosen);
    if (handler.formOf(firstWord(text).word.toLowerCase()) !== undefined) return false;
    const message = result?.ok === false ? result.problem.message : 'Pick one of these choices.';
    const question = questionCard(form, record, context.surface, message);
    if (question !== undefined) await context.surface.say(question);
    return true;
  }

  async #keep(
    context: Context,
    { form, record }: Open,
    name: string,
    answer: string | undefined,
    handler: InboundHandler,
  ): Promise<void> {
    const { [name]: _, ...others } = record.answers;
    const next = await this.#save({
      ...record,
      version: record.version + 1,
      answers: answer === undefined ? others : { ...others, [name]: answer },
      done: [...record.done, name],
    });
    // Another answer, from another device, was stored first; it counts.
    if (next === undefined) return;
    const question = questionCard(form, next, context.surface);
    if (question !== undefined) return context.surface.say(question);
    await this.leave(context.caller);
    await handler.submit(context, form.command, next.answers);
  }

  /** The question before the open one; undefined: there is none, or another answer was stored first. */
  async #stepBack({ surface }: Context, { form, record }: Open): Promise<Card | undefined> {
    const before = questionBefore(form, record);
    const next = before && (await this.#save({ ...before, version: record.version + 1 }));
    return next && questionCard(form, next, surface);
  }

  async #open(caller: Caller, handler: InboundHandler): Promise<Open | undefined> {
    const record = await this.#recordOf(caller);
    const form = record && handler.formOf(record.command);
    return record && form && { form, record, ...defined({ field: nextField(form, record) }) };
  }

  #recordOf(caller: Caller): Promise<FormAnswers | undefined> {
    return this.#store.get('form', seatKey(caller.conversation, caller));
  }

  async #save(record: FormAnswers): Promise<FormAnswers | undefined> {
    const due = { queue: 'tidy', atMs: this.#clock.now() + KEEP_MS } as const;
    const kept: FormAnswers = { ...record, due };
    const stored = await this.#store.commit({ put: [{ kind: 'form', record: kept }] });
    return stored ? kept : undefined;
  }
}

const cancelledCard = plainCard('Cancelled', 'Nothing was sent.');
const nothingOpenCard = plainCard('No question is open', 'Type /help to see the commands.');
const closedQuestionCard = plainCard(
  'This question is closed',
  'It was answered, or it is for another person. Type the command again.',
);

const nextField = (form: Form, { answers, done }: FormAnswers): Field | undefined =>
  form.fields.find((field) => !done.includes(field.name) && (field.when?.(answers) ?? true));

/** The answers without the last one that was given ahead of the open question and can be asked for again. */
const questionBefore = (form: Form, record: FormAnswers): FormAnswers | undefined => {
  const open = nextField(form, record);
  const ahead = form.fields.slice(0, open === undefined ? undefined : form.fields.indexOf(open));
  for (const field of ahead.reverse()) {
    const { [field.name]: _, ...answers } = record.answers;
    const without = { ...record, answers, done: record.done.filter((name) => name !== field.name) };
    if (nextField(form, without) === field) return without;
  }
  return undefined;
};

/** A choice by its number, value or label, however it is capitalised. */
const choiceOf = (choices: readonly Choice[], text: string): string | undefined => {
  const wanted = text.toLowerCase();
  return (
    choices[Number(wanted) - 1] ??
    choices.find(({ value, label }) => [value, label].some((each) => each.toLowerCase() === wanted))
  )?.value;
};

/** The open question; undefined once all are answered. `warning`: what was wrong with the last answer. */
const questionCard = (
  form: Form,
  record: FormAnswers,
  { answersAreReplies }: Surface,
  warning?: string,
): Card | undefined => {
  const field = nextField(form, record);
  if (field === undefined) return undefined;
  const { session, answers } = record;
  const hint = hintOf(field, answers);
  const aside = (label: string, verb: string) => pressButton(label, verb, session, { aside: true });
  return cardOf(
    form.title,
    [
      warning === undefined ? undefined : part.warning(warning),
      part.text(`${field.label}?`),
      hint === undefined ? undefined : part.note(hint),
      answersAreReplies === true && field.choices === undefined
        ? part.note('Answer by replying to this message.')
        : undefined,
    ],
    {
      buttons: [
        ...choicesOf(field, answers).map(({ label }, index) =>
          pressButton(label, PICK, `${session}.${field.name}.${index}`),
        ),
        field.optional === true ? aside('Skip', SKIP) : undefined,
        questionBefore(form, record) === undefined ? undefined : aside('Back', BACK),
        aside('Cancel', CANCEL),
      ],
    },
  );
};
