import type { Draft } from '../core/payments/draft.ts';
import { showTime } from '../core/shown-time.ts';
import { plainCard } from './answer-cards.ts';
import type { Card } from './card.ts';
import type { Context, Services } from './command.ts';

type Needs = Pick<Services, 'drafts' | 'settings'>;

/** The draft behind a requester's button, if the press counts; otherwise the person has been told why not. */
export const draftToPress = async (
  id: string,
  { caller, surface }: Context,
  services: Needs,
): Promise<Draft | undefined> => {
  const draft = await services.drafts.get(id);
  if (draft?.requester.platform !== caller.platform || draft.requester.id !== caller.id) {
    await (draft === undefined ? surface.replace(goneCard) : surface.say(notYoursCard(draft)));
    return undefined;
  }
  const refusal = whyNotOpen(draft, services);
  if (refusal === undefined) return draft;
  await surface.replace(refusal);
  return undefined;
};

/** What to show in place of a draft that is closed or expired; undefined: it stands. */
export const whyNotOpen = (draft: Draft, { drafts, settings }: Needs): Card | undefined => {
  if (draft.status === 'done' || draft.status === 'cancelled')
    return closedCard(draft, settings.timeZone);
  return drafts.expired(draft) ? expiredCard(draft) : undefined;
};

/** What to show when somebody else closed the draft a moment ago. */
export const overtakenCard = async (id: string, { drafts, settings }: Needs): Promise<Card> => {
  const draft = await drafts.get(id);
  if (draft === undefined) return goneCard;
  return draft.status === 'awaiting approval'
    ? awaitingApprovalCard
    : closedCard(draft, settings.timeZone);
};

export const nothingDone = ({ what }: Draft): string =>
  what.kind === 'sms' ? 'Nothing was sent.' : 'Nothing was charged.';

export const goneCard = plainCard(
  'This button is too old',
  'Nothing was done by this press. Type the command again.',
);

export const awaitingApprovalCard = plainCard(
  'This waits for approval',
  'Somebody who may approve has to press Approve.',
);

const notYoursCard = ({ requester }: Draft): Card =>
  plainCard('This is not yours to press', `Only ${requester.name}, who asked, may press it.`);

const expiredCard = (draft: Draft): Card =>
  plainCard('This has expired', `${nothingDone(draft)} Type the command again.`);

const closedCard = (draft: Draft, timeZone: string): Card => {
  const at = draft.closedAtMs === undefined ? '' : ` at ${showTime(draft.closedAtMs, timeZone)}`;
  const by = `By ${draft.closedBy?.name ?? 'somebody'}${at}.`;
  if (draft.status === 'cancelled')
    return plainCard('Already cancelled', `${by} ${nothingDone(draft)}`);
  const once = draft.what.kind === 'sms' ? 'It is not sent again.' : 'It is not charged again.';
  const result = draft.resultId === undefined ? '' : ` Transaction ${draft.resultId}.`;
  return plainCard('Already confirmed', `${by} ${once}${draft.what.kind === 'sms' ? '' : result}`);
};
