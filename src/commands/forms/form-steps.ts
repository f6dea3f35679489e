import type { FormAnswers } from '../../core/records/records.ts';
import { defined } from '../../core/runtime/defined.ts';
import { wrong } from '../../core/runtime/errors.ts';
import { STALE, untilStored } from '../../core/store/until-stored.ts';
import { type MessageRef, seatKey } from '../../core/values/conversation.ts';
import { newShortId } from '../../core/values/transaction-id.ts';
import { removeRecord } from '../../core/work/remove-record.ts';
import type { Card } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import {
  type Caller,
  firstWord,
  type Inbound,
  type InboundHandler,
  type Surface,
} from '../inbound.ts';
import { beginForm } from './begin-form.ts';
import { type Annotations, type Answers, choicesOf, type Form } from './form.ts';
import * as questions from './question-card.ts';

const { BACK, CANCEL, CHANGE, MORE, OTHER, PICK, SKIP } = questions;
const KEEP_OPEN_MS = 3_600_000;
export const STEP_VERBS = new Set([CANCEL, BACK, SKIP, PICK, CHANGE, OTHER, MORE]);

/** Buttons that mean something under one question alone. */
const OF_ONE_QUESTION = new Set([PICK, OTHER, MORE]);

type Handler = Pick<InboundHandler, 'formOf' | 'submit'> & { isCommand(name: string): boolean };
type FormStepsNeeds = Pick<Services, 'store' | 'clock' | 'random'>;
/** How a question is shown. */
type Way = 'say' | 'replace';

/**
 * A form asked question by question, for chats without modals. What is stored is the answers, never a
 * place in a program, so a restart in the middle loses nothing. One form per person and conversation.
 */
export class FormSteps {
  readonly #needs: FormStepsNeeds;
  readonly #handler: Handler;

  constructor(needs: FormStepsNeeds, handler: Handler) {
    this.#needs = needs;
    this.#handler = handler;
  }

  /** Begins a form; the answers given are not asked again, those with a problem are. */
  async begin(
    { caller, surface, pressed }: Pick<Inbound, 'caller' | 'surface' | 'pressed'>,
    form: Form,
    answers: Answers,
    annotations: Annotations = {},
  ): Promise<void> {
    const earlier = await this.#open(caller);
    const { isComplete, begun } = await beginForm(caller, form, answers, annotations);
    const record: FormAnswers = {
      ...begun,
      version: (earlier?.record.version ?? 0) + 1,
      session: newShortId(this.#needs.random),
    };
    if (!(await this.#store(record))) return;
    const way = annotations.instead === true ? 'replace' : 'say';
    const question = way === 'replace' ? pressed?.ref : undefined;
    if (earlier?.record.question?.message !== question?.message)
      await questions.closeQuestion(surface, earlier);
    const field = questions.nextField(form, record);
    const open = { form, record: { ...record, ...defined({ question }) } };
    const card =
      isComplete || field === undefined
        ? questions.changeCard(open)
        : questions.questionCard({ ...open, field }, surface);
    await this.#show(surface, open.record, card, way);
  }

  /** Removes the open form without an answer; false: there was none. */
  async leave({ caller, surface }: Context): Promise<boolean> {
    const open = await this.#open(caller);
    await questions.closeQuestion(surface, open);
    return this.#remove(caller);
  }

  #remove(caller: Caller): Promise<boolean> {
    return untilStored('an open form', async () => {
      const record = await this.#recordOf(caller);
      if (record === undefined) return false;
      return (await removeRecord(this.#needs.store, { kind: 'form', record })) || STALE;
    });
  }

  /** Cancel, typed instead of pressed; false: no form of this person is open here. */
  async cancel({ caller, surface }: Context): Promise<boolean> {
    const open = await this.#open(caller);
    const left = await this.#remove(caller);
    if (left) await questions.afterUnanswered(surface, open).say(questions.cancelledCard);
    return left;
  }

  /** Back, typed instead of pressed. */
  async back({ caller, surface }: Context): Promise<void> {
    const open = await this.#open(caller);
    await (open === undefined
      ? surface.say(questions.nothingOpenCard)
      : this.#stepBack(questions.afterUnanswered(surface, open), open, 'say'));
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

  /** The number of a shared contact; false: no form of this person is open here. */
  async contact(context: Context, number: string): Promise<boolean> {
    const open = await this.#open(context.caller);
    if (open?.field === undefined) return false;
    const asked = { ...open, field: open.field };
    if (asked.field.takesContact === true) return this.#take(context, asked, number);
    const why = `That is a contact. This question is about: ${asked.field.label}.`;
    return this.#sayWrong(context, asked, why);
  }

  async press(context: Context, verb: string, id: string): Promise<void> {
    const { caller, surface, pressed } = context;
    const [session = '', name, choice = ''] = id.split('.');
    const open = await this.#open(caller, pressed?.ref);
    // Of another question than the open one: its choices mean something else there.
    const isStale =
      open?.record.session !== session || (OF_ONE_QUESTION.has(verb) && open.field?.name !== name);
    if (open === undefined || isStale) return surface.answerPress(questions.closedQuestionCard);
    if (verb === CANCEL) {
      await this.#remove(caller);
      return surface.replace(questions.cancelledCard);
    }
    if (verb === BACK) return this.#stepBack(surface, open, 'replace');
    if (verb === CHANGE) return this.#reopen(surface, open, name ?? '');
    const { field, record } = open;
    if (field === undefined) return;
    if (verb === SKIP && field.optional === true)
      return this.#keep(context, open, field.name, undefined);
    if (verb === OTHER) {
      const suggestions = questions.withoutName(record.suggestions ?? {}, field.name);
      return this.#ask(surface, open, { ...record, suggestions }, 'replace');
    }
    // The same question, with those of its form behind it that are rarely needed.
    if (verb === MORE) {
      const answers = { ...record.answers, more: 'yes' };
      return this.#ask(surface, open, { ...record, answers }, 'replace');
    }
    const picked = questions.pickable(field, record)[Number(choice)];
    if (verb !== PICK || picked === undefined) return;
    // A suggested customer may have been forgotten since.
    await (field.check(picked.value, record.answers).ok
      ? this.#keep(context, open, field.name, picked.value)
      : surface.answerPress(questions.closedQuestionCard));
  }

  async #take(context: Context, open: Required<questions.Open>, text: string): Promise<boolean> {
    const { field, record } = open;
    const isSkipped = field.optional === true && /^(-|skip|none)$/i.test(text);
    const answer =
      field.choices === undefined
        ? text
        : questions.choiceOf(choicesOf(field, record.answers), text);
    const result =
      answer === undefined
        ? wrong('Pick one of these choices.')
        : field.check(answer, record.answers);
    if (isSkipped || result.ok) {
      await this.#keep(context, open, field.name, isSkipped ? undefined : answer);
      return true;
    }
    const isCommand = this.#handler.isCommand(firstWord(text).word.toLowerCase());
    // In a group a command has a slash, and words without one are answered or for other people.
    if (isCommand && context.surface.answersAreReplies !== true) return false;
    return this.#sayWrong(context, open, result.problem.message);
  }

  /** Asks the open question once more. */
  async #sayWrong(
    { surface }: Context,
    open: Required<questions.Open>,
    why: string,
  ): Promise<true> {
    const card = questions.questionCard(open, surface, why);
    await this.#show(questions.afterUnanswered(surface, open), open.record, card, 'say');
    return true;
  }

  async #keep(
    context: Context,
    { form, record, field }: questions.Open,
    name: string,
    answer: string | undefined,
  ): Promise<void> {
    const others = questions.withoutName(record.answers, name);
    const answers = answer === undefined ? others : { ...others, [name]: answer };
    const { picked: _, ...kept } = record;
    const next = await this.#advance(record, {
      ...kept,
      answers,
      done: [...record.done, name],
      ...(record.problems && { problems: questions.withoutName(record.problems, name) }),
    });
    if (next === undefined) return;
    const line = field && questions.answeredCard(field, answers);
    const surface = questions.surfaceAfter(context.surface, record, line);
    const following = questions.nextField(form, next);
    if (following !== undefined) {
      const card = questions.questionCard({ form, record: next, field: following }, surface);
      return this.#show(surface, next, card, 'say');
    }
    await this.#remove(context.caller);
    await this.#handler.submit({ ...context, surface }, form.command, answers);
  }

  /** Asks the question before the open one again, if there is one. */
  async #stepBack(surface: Surface, open: questions.Open, way: Way): Promise<void> {
    const before = questions.questionBefore(open.form, open.record);
    if (before !== undefined) await this.#ask(surface, open, before, way);
  }

  /** Asks one of the questions again, and no optional one beside it. */
  async #reopen(surface: Surface, { form, record }: questions.Open, picked: string): Promise<void> {
    if (form.fields.every(({ name }) => name !== picked))
      return surface.answerPress(questions.closedQuestionCard);
    const optional = form.fields.filter((field) => field.optional === true).map(({ name }) => name);
    const done = [...new Set([...record.done, ...optional])];
    const next = questions.reopened({ ...record, done }, picked);
    await this.#ask(surface, { form, record }, { ...next, picked }, 'replace');
  }

  /** Stores what follows an open form, and shows the question that is open then. */
  async #ask(
    surface: Surface,
    { form, record: before }: questions.Open,
    next: FormAnswers,
    way: Way,
  ): Promise<void> {
    const field = questions.nextField(form, next);
    const record = field && (await this.#advance(before, next));
    if (record === undefined || field === undefined) return;
    const card = questions.questionCard({ form, record, field }, surface);
    await this.#show(surface, record, card, way);
  }

  /** Shows a question of the form stored as `record`, and keeps its message, which loses its buttons when it is answered. */
  async #show(surface: Surface, record: FormAnswers, card: Card, way: Way): Promise<void> {
    if (surface.questions === undefined) return surface[way](card);
    if (way === 'replace') await surface.replace(card);
    const question = way === 'say' ? await surface.questions.post(card) : record.question;
    // An answer that was quicker wins; its question then keeps buttons that do nothing.
    if (question !== undefined)
      await this.#store({ ...record, version: record.version + 1, question });
  }

  /**
   * Stores what follows `before`, also where the place of its question was stored meanwhile. Undefined: another answer,
   * from another device, was quicker and counts.
   */
  async #advance(before: FormAnswers, next: FormAnswers): Promise<FormAnswers | undefined> {
    const record = { ...next, version: before.version + 1 };
    if (await this.#store(record)) return record;
    const now = await this.#needs.store.get('form', before.id);
    return now !== undefined && now.version > before.version && questions.isAsFar(now, before)
      ? this.#advance({ ...before, version: now.version }, next)
      : undefined;
  }

  #store(record: FormAnswers): Promise<boolean> {
    const { store, clock } = this.#needs;
    const due = { queue: 'tidy', atMs: clock.now() + KEEP_OPEN_MS } as const;
    return store.commit({ put: [{ kind: 'form', record: { ...record, due } }] });
  }

  /** `question`: the message whose button was pressed. */
  async #open(caller: Caller, question?: MessageRef): Promise<questions.Open | undefined> {
    const stored = await this.#recordOf(caller);
    const form = stored && this.#handler.formOf(stored.command);
    if (stored === undefined || form === undefined) return undefined;
    const record = { ...stored, ...defined({ question }) };
    return { form, record, ...defined({ field: questions.nextField(form, record) }) };
  }

  #recordOf(caller: Caller): Promise<FormAnswers | undefined> {
    return this.#needs.store.get('form', seatKey(caller.conversation, caller));
  }
}
