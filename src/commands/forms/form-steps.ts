import type { FormAnswers } from '../../core/records/records.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { defined } from '../../core/runtime/defined.ts';
import { wrong } from '../../core/runtime/errors.ts';
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

type Needs = { readonly store: Store; readonly clock: Clock; readonly random: Random };

/**
 * A form asked question by question, for chats without modals. What is stored is the answers, never a
 * place in a program, so a restart in the middle loses nothing. One form per person and conversation.
 */
export class FormSteps {
  readonly #needs: Needs;
  readonly #handler: Pick<InboundHandler, 'formOf' | 'submit'>;

  constructor(needs: Needs, handler: Pick<InboundHandler, 'formOf' | 'submit'>) {
    this.#needs = needs;
    this.#handler = handler;
  }

  /** Begins a form; the answers given are not asked again. */
  async begin(
    { caller, surface }: Pick<Inbound, 'caller' | 'surface'>,
    form: Form,
    answers: Answers,
  ): Promise<void> {
    const earlier = await this.#recordOf(caller);
    await this.#ask(surface, form, {
      id: seatKey(caller.conversation, caller),
      version: (earlier?.version ?? 0) + 1,
      session: newShortId(this.#needs.random),
      command: form.command,
      answers,
      done: form.fields.map(({ name }) => name).filter((name) => name in answers),
      conversation: caller.conversation,
      person: personOf(caller),
    });
  }

  /** Removes the open form without an answer; false: there was none. */
  async leave(caller: Caller): Promise<boolean> {
    const open = await this.#recordOf(caller);
    if (open === undefined) return false;
    const { id, version } = open;
    await this.#needs.store.commit({ remove: [{ kind: 'form', id, version }] });
    return true;
  }

  /** Cancel, typed instead of pressed. */
  async cancel({ caller, surface }: Context): Promise<void> {
    const left = await this.leave(caller);
    await surface.say(left ? cancelledCard : nothingOpenCard);
  }

  /** Back, typed instead of pressed. */
  async back({ caller, surface }: Context): Promise<void> {
    const open = await this.#open(caller);
    await (open === undefined
      ? surface.say(nothingOpenCard)
      : this.#stepBack(surface, open, 'say'));
  }

  owns(verb: string): boolean {
    return VERBS.has(verb);
  }

  /** An answer in words; false: no form of this person is open here, or it is a command, typed without its slash. */
  async answer(context: Context, text: string): Promise<boolean> {
    const open = await this.#open(context.caller);
    if (open?.field === undefined) return false;
    const words = text.trim();
    if (/^cancel$/i.test(words)) await this.cancel(context);
    else if (/^back$/i.test(words)) await this.back(context);
    else return this.#take(context, { ...open, field: open.field }, words);
    return true;
  }

  async press(context: Context, verb: string, id: string): Promise<void> {
    const { caller, surface } = context;
    const [session = '', name, choice = ''] = id.split('.');
    const open = await this.#open(caller);
    // Of another question than the open one: its choices mean something else there.
    const isStale =
      open?.record.session !== session || (verb === PICK && open.field?.name !== name);
    if (open === undefined || isStale) return surface.refusePress(closedQuestionCard);
    if (verb === CANCEL) {
      await this.leave(caller);
      return surface.replace(cancelledCard);
    }
    if (verb === BACK) return this.#stepBack(surface, open, 'replace');
    const { field, record } = open;
    if (field === undefined) return;
    if (verb === SKIP && field.optional === true)
      return this.#keep(context, open, field.name, undefined);
    const picked = choicesOf(field, record.answers)[Number(choice)];
    if (verb === PICK && picked !== undefined)
      await this.#keep(context, open, field.name, picked.value);
  }

  async #take(context: Context, open: Required<Open>, text: string): Promise<boolean> {
    const { field, record } = open;
    const isSkipped = field.optional === true && /^(-|skip|none)$/i.test(text);
    const answer =
      field.choices === undefined ? text : choiceOf(choicesOf(field, record.answers), text);
    const result =
      answer === undefined
        ? wrong('Pick one of these choices.')
        : field.check(answer, record.answers);
    if (isSkipped || result.ok) {
      await this.#keep(context, open, field.name, isSkipped ? undefined : answer);
      return true;
    }
    if (this.#handler.formOf(firstWord(text).word.toLowerCase()) !== undefined) return false;
    await context.surface.say(questionCard(open, context.surface, result.problem.message));
    return true;
  }

  async #keep(
    context: Context,
    { form, record }: Open,
    name: string,
    answer: string | undefined,
  ): Promise<void> {
    const { [name]: _, ...others } = record.answers;
    const answers = answer === undefined ? others : { ...others, [name]: answer };
    const next = { ...record, version: record.version + 1, answers, done: [...record.done, name] };
    if ((await this.#ask(context.surface, form, next)) !== 'all answered') return;
    await this.leave(context.caller);
    await this.#handler.submit(context, form.command, answers);
  }

  /** Asks the question before the open one again, if there is one. */
  async #stepBack(surface: Surface, { form, record }: Open, way: 'say' | 'replace'): Promise<void> {
    const before = questionBefore(form, record);
    if (before !== undefined)
      await this.#ask(surface, form, { ...before, version: record.version + 1 }, way);
  }

  /** Stores the answers, and shows the question that is open beside them. */
  async #ask(
    surface: Surface,
    form: Form,
    answers: FormAnswers,
    way: 'say' | 'replace' = 'say',
  ): Promise<'asked' | 'overtaken' | 'all answered'> {
    const { store, clock } = this.#needs;
    const record: FormAnswers = {
      ...answers,
      due: { queue: 'tidy', atMs: clock.now() + KEEP_MS },
    };
    // Another answer, from another device, was stored first; it counts.
    if (!(await store.commit({ put: [{ kind: 'form', record }] }))) return 'overtaken';
    const field = nextField(form, record);
    if (field === undefined) return 'all answered';
    await surface[way](questionCard({ form, record, field }, surface));
    return 'asked';
  }

  async #open(caller: Caller): Promise<Open | undefined> {
    const record = await this.#recordOf(caller);
    const form = record && this.#handler.formOf(record.command);
    return record && form && { form, record, ...defined({ field: nextField(form, record) }) };
  }

  #recordOf(caller: Caller): Promise<FormAnswers | undefined> {
    return this.#needs.store.get('form', seatKey(caller.conversation, caller));
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

/** The open question. `warning`: what was wrong with the last answer. */
const questionCard = (
  { form, record, field }: Required<Open>,
  { answersAreReplies }: Surface,
  warning?: string,
): Card => {
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
