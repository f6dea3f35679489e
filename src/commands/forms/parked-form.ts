import type { FormAnswers } from '../../core/records/records.ts';
import { defined } from '../../core/runtime/defined.ts';
import { isCardTyped } from '../../core/values/card-number.ts';
import { personOf } from '../../core/values/conversation.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import { type Context, isOwn, type Services } from '../command.ts';
import { goneCard, ofAnother, type PressRefusal } from '../draft-buttons.ts';

/** How long a button brings its form back. */
const KEEP_PARKED_MS = 24 * 3_600_000;

/**
 * Stores a form for a button, because what was typed does not fit into one.
 * @returns the id for the button; undefined when a card number would be stored
 */
export const parkForm = async (
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  { caller, eventId }: Pick<Context, 'caller' | 'eventId'>,
  form: Pick<FormAnswers, 'command' | 'answers' | 'problems' | 'suggestions'>,
): Promise<string | undefined> => {
  const { command, answers, problems, suggestions } = form;
  const texts = [...Object.values(answers), ...Object.values(problems ?? {})];
  if (texts.some(isCardTyped)) return undefined;
  const id = shortIdFrom(`form of ${eventId}`);
  const record: FormAnswers = {
    id,
    version: 1,
    due: { queue: 'tidy', atMs: clock.now() + KEEP_PARKED_MS },
    session: id,
    command,
    answers,
    done: [],
    ...defined({ problems, suggestions }),
    conversation: caller.conversation,
    person: personOf(caller),
  };
  // Refused when the event was delivered twice: the same form is stored already.
  await store.commit({ put: [{ kind: 'form', record }] });
  return id;
};

/** The form behind a button, for the person who typed what is in it; or why the press does nothing. */
export const parkedForm = async (
  services: Pick<Services, 'store' | 'log'>,
  id: string,
  context: Context,
): Promise<FormAnswers | PressRefusal> => {
  const parked = await services.store.get('form', id);
  if (parked === undefined || parked.session !== parked.id) return { why: goneCard };
  const { person } = parked;
  const isTheirs = isOwn({ requester: person }, context.caller);
  return isTheirs ? parked : ofAnother(person, 'Typed by', context, services);
};
