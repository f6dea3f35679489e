import {
  buttonId,
  type Draft,
  isApprovable,
  isOfFile,
  readButtonId,
} from '../core/records/draft.ts';
import type { RestoreMark } from '../core/records/stored-values.ts';
import { type Conversation, type Person, seatKey } from '../core/values/conversation.ts';
import { showNear, showTime } from '../core/values/format-time.ts';
import { logRefusal } from './access/denial.ts';
import {
  type Button,
  type Card,
  cardOf,
  detailsButton,
  joined,
  part,
  personFact,
  plainCard,
  pressButton,
} from './cards/card.ts';
import { isAlone } from './cards/visibility.ts';
import { type Context, isOwn, momentOf, type Press, type Services } from './command.ts';
import type { Caller } from './inbound.ts';

type ButtonNeeds = Pick<Services, 'drafts' | 'freeze' | 'settings' | 'clock' | 'log'>;
type PressNeeds = ButtonNeeds & Pick<Services, 'platforms'>;

/** Why a press on a draft does nothing. `over`: the draft can never be confirmed any more, and its message shows nothing newer. */
export type PressRefusal = {
  readonly why: Card;
  readonly over?: true;
  /** It was open for too long: the same can be asked again. */
  readonly isLate?: true;
};

/** The draft behind a button that this person may press now; or why the press does nothing. */
type FindDraft<D extends Draft> = (id: string, context: Context) => Promise<D | PressRefusal>;

/** What a press does to its draft. `revision`: of the showing that was pressed. */
type ActOnDraft<D extends Draft> = (draft: D, context: Context, revision: number) => Promise<void>;

export const pressOn =
  <D extends Draft>(find: FindDraft<D>, act: ActOnDraft<D>): Press['run'] =>
  async (pressed, context) => {
    const { id, revision } = readButtonId(pressed);
    const draft = await find(id, context);
    await ('why' in draft ? refuse(draft, context) : act(draft, context, revision));
  };

export const requestersDraft =
  (services: PressNeeds): FindDraft<Draft> =>
  async (id, context) => {
    const draft = await services.drafts.get(id);
    if (draft === undefined) return { why: goneCard };
    if (!isOwn(draft, context.caller))
      return ofAnother(draft.requester, 'Asked by', context, services);
    const refusal = await whyNotOpen(draft, services);
    if (refusal !== undefined) return refusal;
    // The rights and limits of the conversation count where it was typed, not where a button was brought to.
    return isFrom(draft.conversation, context, services) ? draft : elsewhere(context, services);
  };

/** The same conversation. A person's private chats with the bot are one. */
export const isFrom = (
  conversation: Conversation,
  { caller }: Context,
  { platforms }: PressNeeds,
): boolean =>
  conversation.channel === caller.conversation.channel ||
  [caller, { ...caller, conversation }].every((each) => isAlone(each, platforms));

/** The press of a person for whom the button is not; it is logged. `label`: who `person` is here. */
export const ofAnother = (
  person: Person,
  label: string,
  context: Context,
  { log }: Pick<ButtonNeeds, 'log'>,
): PressRefusal => {
  logRefusal(log, context, 'a button of somebody else');
  const facts = part.facts(personFact(label, person));
  return { why: cardOf(`Only ${person.name} can press this`, [facts]) };
};

export const refuse = ({ why, over }: PressRefusal, { surface }: Context): Promise<void> =>
  surface.answerPress(why, over && 'over');

/** The id of the Cancel button of the caller's newest open question here. Undefined: there is none. */
export const openQuestion = async (
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  caller: Caller,
): Promise<string | undefined> => {
  const drafts = await store.draftsIn('open', caller);
  const isHere = (draft: Draft) =>
    seatKey(draft.conversation, draft.requester) === seatKey(caller.conversation, caller) &&
    draft.expiresAtMs > clock.now();
  const [newest] = drafts.filter(isHere).sort((one, other) => other.createdAtMs - one.createdAtMs);
  return newest && buttonId(newest);
};

/** Why a draft cannot be confirmed now; undefined: it can. */
export const whyNotOpen = async (
  draft: Draft,
  services: ButtonNeeds,
): Promise<PressRefusal | undefined> => {
  const { drafts, freeze, settings } = services;
  // Its message may be the payment card by now.
  if (draft.status !== 'open' && draft.status !== 'awaiting approval')
    return draft.status === 'expired'
      ? { why: expiredCard(draft), isLate: true }
      : { why: closedCard(draft, services) };
  if (!(await drafts.isAsShown(draft))) return { why: changedCard(draft), over: true };
  const restored = await freeze.mark();
  if (restored !== undefined && draft.createdAtMs <= restored.sinceMs)
    return { why: lostPressCard(draft, restored, settings.timeZone), over: true };
  if (drafts.expired(draft)) return { why: expiredCard(draft), over: true, isLate: true };
  if (restored === undefined || restored.liftedAtMs !== undefined) return undefined;
  const why = draft.kind === 'given back' ? frozenBackCard : frozenCard;
  return isApprovable(draft) ? { why: why(restored, settings.timeZone) } : undefined;
};

/** The answer to a press that lost to another one. */
export const overtakenCard = async (id: string, services: ButtonNeeds): Promise<Card> => {
  const draft = await services.drafts.get(id);
  if (draft === undefined) return goneCard;
  return draft.status === 'awaiting approval'
    ? awaitingApprovalCard(draft)
    : closedCard(draft, services);
};

/** It was refused by no person: it could not be done any more. */
export const isImpossible = ({ status, closedBy }: Draft): boolean =>
  status === 'refused' && closedBy === undefined;

export const nothingDone = (draft: Draft): string => {
  if (draft.kind === 'given back') return 'Nothing was written down.';
  return isApprovable(draft) ? 'Nothing was charged.' : 'Nothing was sent.';
};

export const goneCard = plainCard(
  'This button is too old',
  'Nothing was done by this press. Type the command again.',
);

/** The press on a draft of another conversation; it is logged. */
export const elsewhere = (context: Context, { log }: Pick<ButtonNeeds, 'log'>): PressRefusal => {
  logRefusal(log, context, 'a button of another conversation');
  return { why: elsewhereCard };
};

const elsewhereCard = plainCard(
  'You asked this in another conversation',
  'Nothing was done. Press the button there.',
);

export const forgottenCard = plainCard(
  'This customer was erased',
  'Their number is no longer here. Type the command with the number.',
);

export const awaitingApprovalCard = ({ kind }: Draft): Card =>
  plainCard(
    'This waits for approval',
    `Nothing is ${kind === 'given back' ? 'written down' : 'charged'} until an approver presses Approve.`,
  );

export const frozenCard = ({ backupAtMs }: RestoreMark, timeZone: string): Card =>
  plainCard(
    'Charges wait',
    `Nothing is charged now. Paythread was restored from a backup of ${showTime(backupAtMs, timeZone)}. Later payments may be missing here. The owner has to run "npm run reconcile" first.`,
    'warning',
  );

/** The same of what was given back. */
export const frozenBackCard = ({ backupAtMs }: RestoreMark, timeZone: string): Card =>
  plainCard(
    'Not possible now',
    `Nothing was written down. Paythread was restored from a backup of ${showTime(backupAtMs, timeZone)}. Ask the owner to run "npm run reconcile" first.`,
    'warning',
  );

/** A draft that was open at the backup may have been confirmed afterwards, in the part that was lost. */
const lostPressCard = (draft: Draft, { backupAtMs }: RestoreMark, timeZone: string): Card =>
  plainCard(
    'This button is from before a restore',
    `Paythread was restored from a backup of ${showTime(backupAtMs, timeZone)}. Nothing was done by this press. ${perhapsDone(draft)}`,
    'warning',
  );

const perhapsDone = (draft: Draft): string => {
  if (draft.kind === 'bulk')
    return 'Its customers may have been charged already. Run npm run reconcile first.';
  if (draft.kind === 'charge')
    return `The customer may have been charged already. Look first: /status ${draft.paymentId}`;
  return draft.kind === 'given back'
    ? 'It may have been approved already. Ask the person who gave the money back.'
    : 'The SMS may have been sent already. Ask the recipients first.';
};

export const changedCard = (draft: Draft): Card =>
  plainCard(
    'The question was changed',
    `${nothingDone(draft)} What is stored is not what you were shown. Type the command again.`,
    'warning',
  );

const expiredCard = (draft: Draft): Card => {
  // Approvers have the whole time from being asked.
  const askedAtMs = isApprovable(draft) ? draft.askedAtMs : undefined;
  const minutes = Math.round((draft.expiresAtMs - (askedAtMs ?? draft.createdAtMs)) / 60_000);
  const open = `This was open for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`;
  const text = joined(minutes < 1 ? undefined : open, nothingDone(draft));
  return draft.kind === 'charge'
    ? cardOf('Too late', [part.text(text)], { buttons: [askAgainButton(draft)] })
    : plainCard('Too late', `${text} To ask again, ${againBy(draft)} again.`);
};

const againBy = (draft: Draft): string => {
  if (draft.kind === 'given back') return 'press Given back';
  return isOfFile(draft) ? 'send the file' : 'type the command';
};

/** Asks the question of a charge once more, after its time. */
export const askAgainButton = ({ id }: Draft): Button => pressButton('Ask again', 'renew', id);

const closedCard = (draft: Draft, needs: ButtonNeeds): Card => {
  const { status, closedAtMs, closedBy, kind, resultId } = draft;
  if (status === 'expired') return expiredCard(draft);
  if (isApprovable(draft) && isImpossible(draft))
    return plainCard('Not possible', joined(draft.refusal, nothingDone(draft)));
  const at = closedAtMs === undefined ? '' : `, ${showNear(closedAtMs, momentOf(needs))}`;
  const by = `By ${closedBy?.name ?? 'another person'}${at}.`;
  if (status === 'cancelled' || status === 'refused' || status === 'changed')
    return plainCard(`Already ${status}`, `${by} ${nothingDone(draft)}`);
  if (kind === 'given back') return plainCard('Already approved', `${by} It is written down once.`);
  const once = isApprovable(draft) ? 'It is not charged again.' : 'It is not sent again.';
  const buttons = [kind === 'charge' ? detailsButton(resultId) : undefined];
  return cardOf('Already confirmed', [part.text(`${by} ${once}`)], { buttons });
};
