import type { Suspensions } from '../../core/guards/suspensions.ts';
import {
  type ApprovableDraft,
  amountAsked,
  approvalPlaces,
  buttonId,
  warningsIn,
} from '../../core/records/draft.ts';
import type { Conversation, MessageRef } from '../../core/values/conversation.ts';
import { showBeside } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Platforms } from '../../core/values/platform.ts';
import type { Access } from '../access/access.ts';
import { customersText, fileFacts } from '../bulk/file-facts.ts';
import {
  type Called,
  type Card,
  type CardPart,
  cardOf,
  type Fact,
  joined,
  linkButton,
  part,
  personFact,
  pressButton,
  type Tone,
} from '../cards/card.ts';
import { withoutCustomer } from '../cards/payment-words.ts';
import { audienceOf, chargeFacts, payerFor } from '../cards/visibility.ts';
import { askAgainButton, isImpossible, nothingDone } from '../draft-buttons.ts';
import { aboveText, approverNames, limitText, NAMELESS } from './approvers.ts';

/** More mentions than this would bury the question. */
const MOST_CALLED = 10;

/** The place of approvals, where the platform cannot name it. */
const APPROVERS = "the approvers' group";

type Asking = {
  readonly timeZone: string;
  readonly access: Partial<Pick<Access, 'approvers'>>;
  readonly suspensions: Pick<Suspensions, 'all'>;
  readonly linkTo: (message: MessageRef) => Promise<string | undefined>;
};

/** The question to approvers as it has to be asked now: what will be sent, with the customer as people other than the requester may read it. */
export const approvalQuestion = async (draft: ApprovableDraft, asking: Asking): Promise<Card> => {
  const { requester, conversation } = draft;
  const question = isElsewhere(draft) ? questionOf(draft) : undefined;
  const link = question && (await asking.linkTo(question));
  const isUnlinked = isElsewhere(draft) && link === undefined;
  const amount = amountText(draft);
  const id = buttonId(draft);
  return cardOf(
    draft.kind === 'given back'
      ? `${requester.name} asks to give back ${amount}`
      : `${requester.name} asks to charge ${amount}`,
    [
      part.facts(personFact('Asked by', requester), ...termsFacts(draft)),
      quoteOf(
        draft.kind === 'given back'
          ? draft.reason && withoutCustomer(draft.reason, draft)
          : undefined,
      ),
      ...warningsIn(draft).map(part.warning),
      // Of a file a warning names the limit and the rows above it.
      part.text(
        joined(
          draft.kind === 'bulk'
            ? undefined
            : aboveText(amountAsked(draft), draft, 'their', 'Above'),
          `Approve or refuse until ${untilText(draft, asking.timeZone)}.`,
        ),
      ),
      isUnlinked
        ? part.text('Asked in another chat.', { words: 'another chat', conversation })
        : undefined,
    ],
    {
      tone: 'warning',
      calls: await approversOf(draft, asking),
      buttons: [
        pressButton(`Approve ${amount}${repeats(draft) ? ' again' : ''}`, 'approve', id, {
          style: 'primary',
        }),
        pressButton('Refuse', 'refuse', id, { style: 'danger' }),
        linkButton('See where it was asked', link),
      ],
    },
  );
};

/** Below the question, half way through its time. */
export const approvalReminder = async (draft: ApprovableDraft, asking: Asking): Promise<Card> =>
  cardOf(
    `${draft.requester.name} waits for approval: ${whatText(draft)}`,
    [part.text(`Approve or refuse above until ${untilText(draft, asking.timeZone)}.`)],
    { tone: 'waiting', calls: await approversOf(draft, asking) },
  );

const repeats = (draft: ApprovableDraft): boolean =>
  draft.kind === 'bulk'
    ? draft.repeated !== undefined
    : draft.kind === 'charge' && (draft.repeats ?? []).length > 0;

/** The message by which the requester's question can be found: not a private one, which has no address. */
const questionOf = ({ question, conversation }: ApprovableDraft): MessageRef | undefined => {
  if (question?.canBecomeCard === true) return question.ref;
  const { replyTo, ...place } = conversation;
  const message = replyTo ?? place.thread;
  return message === undefined ? undefined : { conversation: place, message };
};

/**
 * The people and user groups to mention in an approval: those that the access file names, without the
 * requester and suspended people. A channel or group that grants is left out: its members read the question anyway,
 * as does an approver who is asked in private.
 */
const approversOf = async (
  draft: ApprovableDraft,
  { access, suspensions }: Asking,
): Promise<readonly Called[]> => {
  const { approvers = [] } = draft;
  const { platform } = draft.requester;
  const isAskedAlone = ({ channel }: Conversation) => approvers.some(({ id }) => id === channel);
  if (approvalPlaces(draft).some(isAskedAlone)) return [];
  const nameOf = (who: string) => approvers.find(({ id }) => id === who)?.name ?? NAMELESS;
  const stopped = new Set((await suspensions.all()).map(({ of }) => of));
  const may = (id: string) => id !== draft.requester.id && !stopped.has(`${platform}:${id}`);
  return (access.approvers?.(platform) ?? [])
    .filter(({ kind, id }) => kind === 'group' || (kind === 'person' && may(id)))
    .slice(0, MOST_CALLED)
    .map(({ kind, id }) =>
      kind === 'group' ? { platform, group: id } : { platform, id, name: nameOf(id) },
    );
};

export const waitingCard = (draft: ApprovableDraft, timeZone: string): Card =>
  cardOf(
    'Waiting for approval',
    [
      part.text(
        draft.kind === 'bulk'
          ? `This file has charges above your limit${limitText(draft.limit)}.`
          : aboveText(amountAsked(draft), draft),
      ),
      askedPart(draft, timeZone),
      draft.kind === 'given back'
        ? part.text('Give the money back only after approval.')
        : undefined,
    ],
    { tone: 'waiting' },
  );

/** Who was asked, and where, if it is another place that all of them read. */
const askedPart = (draft: ApprovableDraft, timeZone: string): CardPart => {
  const asked = `I asked ${approverNames(draft, 'conjunction')}`;
  const until = `Time to approve: until ${untilText(draft, timeZone)}.`;
  if (!isElsewhere(draft)) return part.text(`${asked}. ${until}`);
  const [place, another] = approvalPlaces(draft);
  const isShared =
    another === undefined && draft.approvers?.every(({ id }) => id !== place?.channel);
  if (!isShared || place === undefined)
    return part.text(`${asked}. ${until} I will tell you here.`);
  const named = { words: APPROVERS, conversation: place };
  return part.text(`${asked} in ${APPROVERS}. ${until} I will tell you here.`, named);
};

/** Of the question to approvers. Refusing needs no reason and does not wait for one: its button asks for it. */
export const approvalEndCard = (draft: ApprovableDraft, timeZone: string): Card => {
  const { status, closedBy, closedAtMs = 0 } = draft;
  const word = endWord(draft);
  const title = `${word} for ${draft.requester.name}: ${whatText(draft)}`;
  const tone = endTone(draft);
  if (closedBy === undefined) return cardOf(title, endParts(draft, timeZone), { tone });
  const at = showBeside(askedSinceMs(draft), closedAtMs, timeZone);
  const facts = part.facts(personFact(`${word} by`, closedBy), { label: `${word} at`, value: at });
  const undone = status === 'done' ? undefined : part.text(nothingDone(draft));
  const isUnexplained = status === 'refused' && draft.refusal === undefined;
  const buttons = isUnexplained ? [pressButton('Say why', 'why', draft.id)] : [];
  return cardOf(title, [facts, quoteOf(draft.refusal), undone], { tone, buttons });
};

type View = { readonly timeZone: string; readonly platforms: Platforms };

/** What the requester is told of the end, where their question does not become the payment card; the name as the readers of `where` may see it. Only the news says why it was refused or too late. */
export const questionEndCard = (
  draft: ApprovableDraft,
  { timeZone, platforms }: View,
  where: Conversation,
  as: 'question' | 'news' = 'question',
): Card => {
  const { requester: person, conversation: typedIn, status } = draft;
  const isShort = as === 'question' && (status === 'refused' || status === 'expired');
  // Who gives money back need not be the one who charged the customer, so may know them by the short name alone.
  const audience =
    draft.kind === 'given back' ? 'others too' : audienceOf(where, { person, typedIn }, platforms);
  const payer =
    draft.kind === 'bulk' ? customersText(draft.terms.rows) : payerFor(audience, draft.terms);
  const how = draft.kind === 'given back' ? 'back to' : 'from';
  return cardOf(
    `${endWord(draft)}: ${amountText(draft)} ${how} ${payer}`,
    isShort ? [] : endParts(draft, timeZone),
    {
      tone: endTone(draft),
      buttons:
        status === 'expired' && draft.kind === 'charge' && !isShort ? [askAgainButton(draft)] : [],
    },
  );
};

const endParts = (draft: ApprovableDraft, timeZone: string): (CardPart | undefined)[] => {
  if (isImpossible(draft)) return [part.text(joined(draft.refusal, nothingDone(draft)))];
  const by = draft.closedBy?.name ?? 'An approver';
  switch (draft.status) {
    case 'done':
      return [part.text(`${by} approved it.`)];
    case 'refused':
      return [part.text(`${by} refused it. ${nothingDone(draft)}`), quoteOf(draft.refusal)];
    case 'expired':
      return [
        part.text(`No approver answered by ${untilText(draft, timeZone)}. ${nothingDone(draft)}`),
      ];
    case 'cancelled':
      return [part.text(`${by} cancelled it. ${nothingDone(draft)}`)];
    default:
      return [];
  }
};

const endWord = (draft: ApprovableDraft): string => {
  const { status } = draft;
  if (isImpossible(draft)) return 'Not possible';
  if (status === 'expired') return 'Too late';
  return status === 'done' ? 'Approved' : status === 'refused' ? 'Refused' : 'Cancelled';
};

const endTone = ({ status }: ApprovableDraft): Tone => (status === 'done' ? 'good' : 'bad');

const quoteOf = (words: string | undefined): CardPart | undefined =>
  words === undefined ? undefined : part.quote(words);

const amountText = (draft: ApprovableDraft): string => formatMoney(amountAsked(draft));

const whatText = (draft: ApprovableDraft): string =>
  `${amountText(draft)}${draft.kind === 'given back' ? ' back' : ''}`;

const termsFacts = (draft: ApprovableDraft): readonly Fact[] =>
  draft.kind === 'bulk'
    ? fileFacts(draft.terms)
    : chargeFacts(draft.terms, draft.paymentId, 'others too');

/** When its time is over: the clock time, with the day when that is another one. */
const untilText = (draft: ApprovableDraft, timeZone: string): string =>
  showBeside(askedSinceMs(draft), draft.expiresAtMs, timeZone);

const askedSinceMs = ({ askedAtMs, createdAtMs }: ApprovableDraft): number =>
  askedAtMs ?? createdAtMs;

const isElsewhere = (draft: ApprovableDraft): boolean =>
  approvalPlaces(draft).every(({ channel }) => channel !== draft.conversation.channel);
