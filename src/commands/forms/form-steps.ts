import type { FormAnswers } from '../../core/records/records.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { defined } from '../../core/runtime/defined.ts';
import { wrong } from '../../core/runtime/errors.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Store } from '../../core/store/store.ts';
import { personOf, seatKey } from '../../core/values/conversation.ts';
import { newShortId } from '../../core/values/transaction-id.ts';
import type { Context } from '../command.ts';
import {
  type Caller,
  firstWord,
  type Inbound,
  type InboundHandler,
  type Surface,
} from '../inbound.ts';
import { type Annotations, type Answers, choicesOf, type Field, type Form } from './form.ts';
import * as questions from './question-card.ts';
import { BACK, CANCEL, CHANGE, nextField, type Open, OTHER, PICK, SKIP } from './question-card.ts';

const KEEP_MS = 3_600_000;
const VERBS = new Set([CANCEL, BACK, SKIP, PICK, CHANGE, OTHER]);

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

  /** Begins a form; the answers given are not asked again, those with a problem are. */
  async begin(
    { caller, surface }: Pick<Inbound, 'caller' | 'surface'>,
    form: Form,
    answers: Answers,
    { problems = {}, placeholders, suggestions, instead }: Annotations = {},
  ): Promise<void> {
    const earlier = await this.#recordOf(caller);
    const accepted = Object.entries(answers).filter(([name]) => !(name in problems));
    const given = Object.fromEntries(accepted);
    const isCorrection = Object.keys(problems).length > 0;
    // Asked with every answer in it, a form is there to be changed.
    const isComplete = !isCorrection && form.fields.every((field) => isFilledIn(field, given));
    const isDone = ({ name, optional }: Field): boolean =>
      name in given || (optional === true && !(name in problems) && (isCorrection || isComplete));
    const record: FormAnswers = {
      id: seatKey(caller.conversation, caller),
      version: (earlier?.version ?? 0) + 1,
      session: newShortId(this.#needs.random),
      command: form.command,
      answers: given,
      done: form.fields.filter(isDone).map(({ name }) => name),
      ...defined({ problems: isCorrection ? problems : undefined, placeholders, suggestions }),
      conversation: caller.conversation,
      person: personOf(caller),
    };
    const way = instead === true ? 'replace' : 'say';
    if (!isComplete) await this.#ask(surface, form, record, way);
    else if (await this.#store(record)) await surface[way](questions.changeCard({ form, record }));
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
    await surface.say(left ? questions.cancelledCard : questions.nothingOpenCard);
  }

  /** Back, typed instead of pressed. */
  async back({ caller, surface }: Context): Promise<void> {
    const open = await this.#open(caller);
    await (open === undefined
      ? surface.say(questions.nothingOpenCard)
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
      open?.record.session !== session ||
      ((verb === PICK || verb === OTHER) && open.field?.name !== name);
    if (open === undefined || isStale) return surface.refusePress(questions.closedQuestionCard);
    if (verb === CANCEL) {
      await this.leave(caller);
      return surface.replace(questions.cancelledCard);
    }
    if (verb === BACK) return this.#stepBack(surface, open, 'replace');
    if (verb === CHANGE) return this.#reopen(surface, open, name ?? '');
    const { field, record } = open;
    if (field === undefined) return;
    if (verb === SKIP && field.optional === true)
      return this.#keep(context, open, field.name, undefined);
    if (verb === OTHER) return this.#askWithoutSuggestions(surface, { ...open, field });
    const picked = questions.pickable({ record, field })[Number(choice)];
    if (verb !== PICK || picked === undefined) return;
    // A suggested customer may have been forgotten since.
    await (field.check(picked.value, record.answers).ok
      ? this.#keep(context, open, field.name, picked.value)
      : surface.refusePress(questions.closedQuestionCard));
  }

  async #askWithoutSuggestions(
    surface: Surface,
    { form, record, field }: Required<Open>,
  ): Promise<void> {
    const { [field.name]: _, ...suggestions } = record.suggestions ?? {};
    const next = { ...record, version: record.version + 1, suggestions };
    await this.#ask(surface, form, next, 'replace');
  }

  async #take(context: Context, open: Required<Open>, text: string): Promise<boolean> {
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
    if (this.#handler.formOf(firstWord(text).word.toLowerCase()) !== undefined) return false;
    const { surface } = context;
    await surface.say(questions.questionCard(open, surface, result.problem.message));
    return true;
  }

  async #keep(
    context: Context,
    { form, record }: Open,
    name: string,
    answer: string | undefined,
  ): Promise<void> {
    const others = questions.withoutName(record.answers, name);
    const answers = answer === undefined ? others : { ...others, [name]: answer };
    const { picked: _, ...kept } = record;
    const next = {
      ...kept,
      version: record.version + 1,
      answers,
      done: [...record.done, name],
      ...(record.problems && { problems: questions.withoutName(record.problems, name) }),
    };
    if ((await this.#ask(context.surface, form, next)) !== 'all answered') return;
    await this.leave(context.caller);
    await this.#handler.submit(context, form.command, answers);
  }

  /** Asks the question before the open one again, if there is one. */
  async #stepBack(surface: Surface, { form, record }: Open, way: 'say' | 'replace'): Promise<void> {
    const before = questions.questionBefore(form, record);
    if (before !== undefined)
      await this.#ask(surface, form, { ...before, version: record.version + 1 }, way);
  }

  /** Asks one of the questions again, and no optional one beside it. */
  async #reopen(surface: Surface, { form, record }: Open, picked: string): Promise<void> {
    if (form.fields.every(({ name }) => name !== picked))
      return surface.refusePress(questions.closedQuestionCard);
    const optional = form.fields.filter((field) => field.optional === true).map(({ name }) => name);
    const done = [...new Set([...record.done, ...optional])];
    const next = questions.reopened({ ...record, version: record.version + 1, done }, picked);
    await this.#ask(surface, form, { ...next, picked }, 'replace');
  }

  /** Stores the answers, and shows the question that is open beside them. */
  async #ask(
    surface: Surface,
    form: Form,
    record: FormAnswers,
    way: 'say' | 'replace' = 'say',
  ): Promise<'asked' | 'overtaken' | 'all answered'> {
    // Another answer, from another device, was stored first; it counts.
    if (!(await this.#store(record))) return 'overtaken';
    const field = nextField(form, record);
    if (field === undefined) return 'all answered';
    await surface[way](questions.questionCard({ form, record, field }, surface));
    return 'asked';
  }

  /** False: the form has changed since it was read. */
  #store(record: FormAnswers): Promise<boolean> {
    const { store, clock } = this.#needs;
    const due = { queue: 'tidy', atMs: clock.now() + KEEP_MS } as const;
    return store.commit({ put: [{ kind: 'form', record: { ...record, due } }] });
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

/** Whether a question need not be asked beside these answers. */
const isFilledIn = ({ name, optional, when }: Field, answers: Answers): boolean =>
  name in answers || optional === true || when?.(answers) === false;
