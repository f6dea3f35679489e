import type { Draft } from '../core/records/draft.ts';
import type { RestoreMark } from '../core/records/settings.ts';
import type { Person } from '../core/values/conversation.ts';
import { showNear, showTime } from '../core/values/format-time.ts';
import { logRefusal } from './access/denial.ts';
import { type Card, personFact } from './cards/card.ts';
import { plainCard } from './cards/reply-cards.ts';
import type { Context, Services } from './command.ts';

type Needs = Pick<Services, 'drafts' | 'freeze' | 'settings' | 'clock' | 'log'>;

/** Why a press on a draft does nothing. `over`: the draft can never be confirmed any more, and its message shows nothing newer. */
export type Refusal = { readonly why: Card; readonly over?: true };

/** The draft behind a requester's button; or why the press does nothing. */
export const draftToPress = async (
  id: string,
  context: Context,
  services: Needs,
): Promise<Draft | Refusal> => {
  const { caller } = context;
  const draft = await services.drafts.get(id);
  if (draft === undefined) return { why: goneCard };
  const { requester } = draft;
  if (requester.platform !== caller.platform || requester.id !== caller.id)
    return ofAnother(requester, 'Asked by', context, services);
  return (await whyNotOpen(draft, services)) ?? draft;
};

/** The press of a person for whom the button is not; it is logged. `label`: who `person` is here. */
export const ofAnother = (
  person: Person,
  label: string,
  context: Context,
  { log }: Pick<Needs, 'log'>,
): Refusal => {
  logRefusal(log, context, 'a button of somebody else');
  return {
    why: {
      title: `Only ${person.name} can press this`,
      parts: [{ kind: 'facts', facts: [personFact(label, person)] }],
    },
  };
};

export const refuse = ({ why, over }: Refusal, { surface }: Context): Promise<void> =>
  surface.refusePress(why, over && 'over');

/** Why a draft cannot be confirmed now; undefined: it can. */
export const whyNotOpen = async (draft: Draft, services: Needs): Promise<Refusal | undefined> => {
  const { drafts, freeze, settings } = services;
  // Its message may be the payment card by now.
  if (draft.status !== 'open' && draft.status !== 'awaiting approval')
    return { why: closedCard(draft, services) };
  if (!(await drafts.isAsShown(draft))) return { why: changedCard(draft), over: true };
  const restored = await freeze.mark();
  if (restored !== undefined && draft.createdAtMs <= restored.sinceMs)
    return { why: lostPressCard(draft, restored, settings.timeZone), over: true };
  if (drafts.expired(draft)) return { why: expiredCard(draft), over: true };
  if (restored === undefined || restored.liftedAtMs !== undefined) return undefined;
  return draft.kind === 'charge' ? { why: frozenCard(restored, settings.timeZone) } : undefined;
};

/** The answer to a press that lost to another one. */
export const overtakenCard = async (id: string, services: Needs): Promise<Card> => {
  const draft = await services.drafts.get(id);
  if (draft === undefined) return goneCard;
  return draft.status === 'awaiting approval' ? awaitingApprovalCard : closedCard(draft, services);
};

export const nothingDone = ({ kind }: Draft): string =>
  kind === 'sms' ? 'Nothing was sent.' : 'Nothing was charged.';

export const goneCard = plainCard(
  'This button is too old',
  'Nothing was done by this press. Type the command again.',
);

export const awaitingApprovalCard = plainCard(
  'This waits for approval',
  'An approver has to press Approve. Nothing is charged until then.',
);

/** Why nothing can be charged after a restore. */
export const frozenCard = ({ backupAtMs }: RestoreMark, timeZone: string): Card => ({
  ...plainCard(
    'Charges wait',
    `Nothing is charged now. Paythread was restored from a backup of ${showTime(backupAtMs, timeZone)}. Later payments may be missing here. The person who manages Paythread runs "npm run reconcile" first.`,
  ),
  tone: 'warning',
});

/** A draft that was open at the backup may have been confirmed afterwards, in the part that was lost. */
const lostPressCard = (draft: Draft, { backupAtMs }: RestoreMark, timeZone: string): Card => ({
  ...plainCard(
    'This button is from before a restore',
    `Paythread was restored from a backup of ${showTime(backupAtMs, timeZone)}. Nothing was done by this press. ${
      draft.kind === 'charge'
        ? `The customer may have been charged already. Look first: /status ${draft.paymentId}`
        : 'The SMS may have been sent already. Ask the recipients first.'
    }`,
  ),
  tone: 'warning',
});

const changedCard = (draft: Draft): Card => ({
  ...plainCard(
    'The question was changed',
    `${nothingDone(draft)} What is stored is not what you were shown. Type the command again.`,
  ),
  tone: 'warning',
});

/** When it was shown to the person who has to press: approvers have the whole time from being asked. */
const openedAtMs = (draft: Draft): number =>
  (draft.kind === 'charge' ? draft.askedAtMs : undefined) ?? draft.createdAtMs;

const expiredCard = (draft: Draft): Card => {
  const minutes = Math.round((draft.expiresAtMs - openedAtMs(draft)) / 60_000);
  const open = minutes < 1 ? '' : ` for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return plainCard(
    'Too late',
    `This was open${open}. ${nothingDone(draft)} To ask again, type the command again.`,
  );
};

const closedCard = (draft: Draft, { settings, clock }: Needs): Card => {
  const { closedAtMs } = draft;
  const moment = { timeZone: settings.timeZone, nowMs: clock.now() };
  const at = closedAtMs === undefined ? '' : `, ${showNear(closedAtMs, moment)}`;
  if (draft.status === 'expired') return expiredCard(draft);
  const by = `By ${draft.closedBy?.name ?? 'another person'}${at}.`;
  if (draft.status === 'cancelled')
    return plainCard('Already cancelled', `${by} ${nothingDone(draft)}`);
  if (draft.status === 'refused')
    return plainCard('Already refused', `${by} ${nothingDone(draft)}`);
  const once = draft.kind === 'sms' ? 'It is not sent again.' : 'It is not charged again.';
  const result = draft.resultId === undefined ? '' : ` Transaction ${draft.resultId}.`;
  return plainCard('Already confirmed', `${by} ${once}${draft.kind === 'sms' ? '' : result}`);
};
