import type { FormAnswers } from '../../core/records/records.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Store } from '../../core/store/store.ts';
import { personOf, seatKey } from '../../core/values/conversation.ts';
import { newShortId } from '../../core/values/transaction-id.ts';
import type { Button, Card, CardPart } from '../cards/card.ts';
import { plainCard } from '../cards/reply-cards.ts';
import type { Context } from '../command.ts';
import type { Caller, Inbound, InboundHandler } from '../inbound.ts';
import { firstWord } from './first-word.ts';
import { type Answers, type Choice, choicesOf, type Field, type Form, hintOf } from './form.ts';

const KEEP_MS = 3_600_000;
const CANCEL = 'form.cancel';
const BACK = 'form.back';
const SKIP = 'form.skip';
const PICK = 'form.pick';
const VERBS = new Set([CANCEL, BACK, SKIP, PICK]);

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
    const earlier = await this.#open(caller);
    const record = await this.#save({
      id: this.#seat(caller),
      version: (earlier?.version ?? 0) + 1,
      session: newShortId(this.#random),
      command: form.command,
      answers,
      done: form.fields.map(({ name }) => name).filter((name) => name in answers),
      conversation: caller.conversation,
      person: personOf(caller),
    });
    const field = record === undefined ? undefined : nextField(form, record);
    if (record !== undefined && field !== undefined)
      await surface.say(questionCard(form, field, record, surface.answersAreReplies === true));
  }

  /** Removes the open form without an answer; false: there was none. */
  async leave(caller: Caller): Promise<boolean> {
    const open = await this.#open(caller);
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
    const record = await this.#open(context.caller);
    const form = record === undefined ? undefined : handler.formOf(record.command);
    if (record === undefined || form === undefined) return context.surface.say(nothingOpenCard);
    const question = await this.#stepBack(context, form, record);
    if (question !== undefined) await context.surface.say(question);
  }

  owns(verb: string): boolean {
    return VERBS.has(verb);
  }

  /** An answer in words; false: no form of this person is open here. */
  async answer(context: Context, text: string, handler: InboundHandler): Promise<boolean> {
    const record = await this.#open(context.caller);
    const form = record === undefined ? undefined : handler.formOf(record.command);
    const field = record && form ? nextField(form, record) : undefined;
    if (record === undefined || form === undefined || field === undefined) return false;
    const words = text.trim();
    if (/^cancel$/i.test(words)) await this.cancel(context);
    else if (/^back$/i.test(words)) await this.back(context, handler);
    else return this.#take(context, form, field, record, words, handler);
    return true;
  }

  async press(context: Context, verb: string, id: string, handler: InboundHandler): Promise<void> {
    const [session = '', name, choice = ''] = id.split('.');
    const record = await this.#open(context.caller);
    const form = record === undefined ? undefined : handler.formOf(record.command);
    const field = record && form ? nextField(form, record) : undefined;
    // Of another question than the open one: its choices mean something else there.
    const isStale = record?.session !== session || (verb === PICK && field?.name !== name);
    if (record === undefined || form === undefined || isStale)
      return context.surface.refusePress(
        plainCard(
          'This question is closed',
          'It was answered, or it is for another person. Type the command again.',
        ),
      );
    if (verb === CANCEL) {
      await this.leave(context.caller);
      return context.surface.replace(cancelledCard);
    }
    if (verb === BACK) {
      const question = await this.#stepBack(context, form, record);
      return question === undefined ? undefined : context.surface.replace(question);
    }
    if (field === undefined) return;
    if (verb === SKIP && field.optional === true)
      return this.#keep(context, form, record, field.name, undefined, handler);
    const picked = choicesOf(field, record.answers)[Number(choice)];
    if (verb === PICK && picked !== undefined)
      await this.#keep(context, form, record, field.name, picked.value, handler);
  }

  /** False: it is no answer to the question but a command, typed without its slash. */
  async #take(
    context: Context,
    form: Form,
    field: Field,
    record: FormAnswers,
    text: string,
    handler: InboundHandler,
  ): Promise<boolean> {
    const keep = async (answer: string | undefined): Promise<true> => {
      await this.#keep(context, form, record, field.name, answer, handler);
      return true;
    };
    if (field.optional === true && /^(-|skip|none)$/i.test(text)) return keep(undefined);
    const chosen =
      field.choices === undefined ? text : choiceOf(choicesOf(field, record.answers), text);
    const result = chosen === undefined ? undefined : field.check(chosen, record.answers);
    if (chosen !== undefined && result?.ok === true) return keep(chosen);
    if (handler.formOf(firstWord(text).word.toLowerCase()) !== undefined) return false;
    const message = result?.ok === false ? result.problem.message : 'Pick one of these choices.';
    const question = questionCard(form, field, record, context.surface.answersAreReplies === true);
    await context.surface.say({
      ...question,
      parts: [{ kind: 'warning', text: message }, ...question.parts],
    });
    return true;
  }

  async #keep(
    context: Context,
    form: Form,
    record: FormAnswers,
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
    const field = nextField(form, next);
    if (field !== undefined)
      return context.surface.say(
        questionCard(form, field, next, context.surface.answersAreReplies === true),
      );
    await this.leave(context.caller);
    await handler.submit(context, form.command, next.answers);
  }

  async #stepBack(context: Context, form: Form, record: FormAnswers): Promise<Card | undefined> {
    const before = questionBefore(form, record);
    if (before === undefined) return undefined;
    const next = await this.#save({ ...before, version: record.version + 1 });
    const field = next === undefined ? undefined : nextField(form, next);
    if (next === undefined || field === undefined) return undefined;
    return questionCard(form, field, next, context.surface.answersAreReplies === true);
  }

  #seat(caller: Caller): string {
    return seatKey(caller.conversation, caller);
  }

  #open(caller: Caller): Promise<FormAnswers | undefined> {
    return this.#store.get('form', this.#seat(caller));
  }

  async #save(record: FormAnswers): Promise<FormAnswers | undefined> {
    const kept: FormAnswers = {
      ...record,
      due: { queue: 'tidy', atMs: this.#clock.now() + KEEP_MS },
    };
    const stored = await this.#store.commit({ put: [{ kind: 'form', record: kept }] });
    return stored ? kept : undefined;
  }
}

const cancelledCard: Card = plainCard('Cancelled', 'Nothing was sent.');
const nothingOpenCard: Card = plainCard('No question is open', 'Type /help to see the commands.');

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

const questionCard = (
  form: Form,
  field: Field,
  record: FormAnswers,
  answersAreReplies: boolean,
): Card => {
  const { session, answers } = record;
  const parts: CardPart[] = [{ kind: 'text', text: `${field.label}?` }];
  const hint = hintOf(field, answers);
  if (hint !== undefined) parts.push({ kind: 'note', text: hint });
  if (answersAreReplies && field.choices === undefined)
    parts.push({ kind: 'note', text: 'Answer by replying to this message.' });
  const buttons: Button[] = choicesOf(field, answers).map(({ label }, index) => ({
    kind: 'press',
    label,
    verb: PICK,
    id: `${session}.${field.name}.${index}`,
  }));
  if (field.optional === true) buttons.push(aside('Skip', SKIP, session));
  if (questionBefore(form, record) !== undefined) buttons.push(aside('Back', BACK, session));
  buttons.push(aside('Cancel', CANCEL, session));
  return { title: form.title, parts, buttons };
};

const aside = (label: string, verb: string, id: string): Button => ({
  kind: 'press',
  label,
  verb,
  id,
  aside: true,
});
