import { type ApprovableDraft, type Draft, isApprovable } from '../core/records/draft.ts';
import { OPEN_STATES, type Payment } from '../core/records/payment.ts';
import { startOfDayMs } from '../core/values/calendar-day.ts';
import { showClock } from '../core/values/format-time.ts';
import { formatMoney } from '../core/values/money.ts';
import { suspendedCard, wayToAccess } from './access/denial.ts';
import type { Grants } from './access/grants.ts';
import { balanceParts } from './balance.ts';
import {
  type Button,
  type Card,
  type CardPart,
  cardOf,
  joined,
  part,
  pressButton,
  signedTitle,
} from './cards/card.ts';
import { leftToday } from './charge/charge-limits.ts';
import { type Context, momentOf, type Services } from './command.ts';
import { merchantTotals, partialTotalsPart, totalsText } from './figures/sums-text.ts';
import type { Caller } from './inbound.ts';
import { type OneMerchant, ofMerchant, ofMerchantAt } from './merchants.ts';
import { detailsButtons, paymentRows } from './payments/payment-list.ts';

/** What a person sees of the shop at a glance, on platforms with a page of each person's own. */
export type Home = {
  readonly cards: readonly Card[];
  /** What waits for approval is on it. */
  readonly approves: boolean;
};

/** Whether the caller is in a conversation of their platform, by its id. False when the platform does not tell. */
export type IsIn = (channel: string) => Promise<boolean>;

const MOST_WAITING = 5;
const MOST_TODAY = 8;
const MOST_APPROVALS = 5;
/** Each is asked about at the platform. */
const MOST_PLACES = 10;

/** Rights that count in one conversation: the caller's own, or one whose people have some. */
type Standing = {
  readonly grants: Grants;
  readonly place?: string;
  /** When, on a page. Without it all becomes one message, in which the numbers of lines go on. */
  readonly at?: CardPart;
};

/**
 * The home of a caller whose conversation is their own. It shows what they may see at this moment: without rights of
 * their own, those of the first conversation that they are in count. Rejects when the store cannot be read.
 */
export const makeHome =
  (needs: Services) =>
  async (caller: Caller, isIn: IsIn): Promise<Home> => {
    const standing = await standingOf(needs, caller, isIn);
    const { grants, place } = standing;
    const moment = momentOf(needs);
    const at = part.note(`As of ${showClock(moment.nowMs, moment.timeZone)}.`);
    const alone = (card: Card): Home => ({
      cards: [{ ...card, parts: [...card.parts, at] }],
      approves: false,
    });
    if (grants.suspended !== undefined) return alone(suspendedCard(grants.suspended, moment));
    if (grants.roles.length === 0) return alone(strangerCard(needs, caller));
    const cards = await cardsOf(needs, caller, { ...standing, at });
    return { cards, approves: grants.approve && place === undefined };
  };

/** The home of a person with rights of their own as one message, where there are no such pages. */
export const homeMessage = async (needs: Services, { caller, grants }: Context): Promise<Card> => {
  const { nowMs, timeZone } = momentOf(needs);
  const cards = await cardsOf(needs, caller, { grants });
  // From the bottom up, so that the numbers of the lines come first.
  const buttons = cards.toReversed().flatMap((card) => card.buttons ?? []);
  return cardOf(`Your shop, as of ${showClock(nowMs, timeZone)}`, cards.flatMap(sectionOf), {
    buttons: [...buttons, pressButton('Help', 'help', caller.id)],
  });
};

const sectionOf = (card: Card): CardPart[] => {
  const [first, ...rest] = card.parts;
  const label = signedTitle(card);
  return first?.kind === 'text'
    ? [part.facts({ label, value: first.text, namesCommands: true }), ...rest]
    : [part.text(label), ...card.parts];
};

const cardsOf = async (needs: Services, caller: Caller, view: Standing): Promise<Card[]> => {
  const { grants, place, at } = view;
  const { conversation } = caller;
  const channel = place ?? conversation.channel;
  const of = ofMerchantAt(needs.settings, { conversation: { ...conversation, channel } });
  // Of several questions in one message it would not be clear which one a button refuses.
  const most = at === undefined ? 1 : MOST_APPROVALS;
  const approves = grants.approve && place === undefined;
  const approvals = approves ? await approvalCards(needs, caller, most) : [];
  const sells = grants.may('charge');
  const cards = await Promise.all([
    // What a person does most is at the top: who does not sell, decides.
    sells ? [] : approvals,
    rightsCard(needs, caller, view),
    sells ? approvals : [],
    paymentCards(needs, caller, { ...view, of }),
    grants.may('balance') ? balanceCards(needs, of) : [],
  ]);
  return cards.flat();
};

const standingOf = async (
  { access, placesOf }: Services,
  caller: Caller,
  isIn: IsIn,
): Promise<Standing> => {
  const own = await access.grantsOf(caller);
  if (own.roles.length > 0 || own.suspended !== undefined) return { grants: own };
  for (const place of placesOf(caller.platform).slice(0, MOST_PLACES)) {
    if (!(await isIn(place))) continue;
    const conversation = { ...caller.conversation, channel: place };
    const grants = await access.grantsOf({ ...caller, conversation });
    if (grants.roles.length > 0) return { grants, place };
  }
  return { grants: own };
};

const strangerCard = (needs: Services, caller: Caller): Card => {
  const { parts, buttons } = wayToAccess(needs, caller, 'home');
  return cardOf('You have no access yet', parts, { buttons });
};

const rightsCard = async (needs: Services, caller: Caller, view: Standing): Promise<Card> => {
  const { grants, place, at } = view;
  const left = grants.may('charge') ? await leftToday(needs, grants, caller) : undefined;
  const { dailyLimit } = grants;
  const room =
    left && dailyLimit && `${formatMoney(left)} of ${formatMoney(dailyLimit)} is left today.`;
  return cardOf(
    'Your day',
    [
      part.text(joined(deedText(grants), room)),
      place === undefined ? place : placePart(caller, place),
      at,
    ],
    { buttons: deedButtons(needs, caller, view) },
  );
};

/** What the person does most comes first, and looks like it. */
const deedButtons = (
  { settings }: Services,
  { id }: Caller,
  { grants, place }: Standing,
): Button[] => {
  const isAlone = place === undefined;
  const deeds = [
    grants.may('charge') && pressButton('Charge a customer', 'new-charge', id),
    grants.may('sms') && settings.senderIds.length > 0 && pressButton('Send SMS', 'new-sms', id),
    isAlone && grants.may('payments') && pressButton('Find', 'find', id),
    isAlone && pressButton('Today', 'today', 'all'),
    isAlone && grants.may('report') && pressButton('Report', 'report', 'today'),
  ].filter((button) => button !== false);
  return deeds.map((button, at) => (at === 0 ? { ...button, style: 'primary' } : button));
};

const deedText = (grants: Grants): string => {
  if (!grants.may('charge'))
    return grants.approve
      ? 'You approve charges of other people.'
      : 'Type /help to see what you can do.';
  return grants.maxCharge === undefined
    ? 'You can charge customers.'
    : `Up to ${formatMoney(grants.maxCharge)} a charge.`;
};

/** Words that a platform replaces by its link to the conversation. */
const THERE = 'the channel that gives you access';

const placePart = ({ conversation }: Caller, place: string): CardPart =>
  part.text(`This works in ${THERE}.`, {
    words: THERE,
    conversation: { ...conversation, channel: place },
  });

/** The questions to approvers as they are asked elsewhere, without calling upon anyone again. */
const approvalCards = async (
  { store, clock, approvalQuestion }: Services,
  { platform, id }: Caller,
  most: number,
): Promise<Card[]> => {
  const drafts = await store.draftsIn('awaiting approval');
  const isTheirs = (draft: Draft): draft is ApprovableDraft =>
    isApprovable(draft) &&
    draft.requester.platform === platform &&
    draft.requester.id !== id &&
    draft.expiresAtMs > clock.now();
  const theirs = drafts.filter(isTheirs).sort((one, other) => one.expiresAtMs - other.expiresAtMs);
  const cards = await Promise.all(theirs.slice(0, most).map((draft) => approvalQuestion(draft)));
  const more = theirs.length - most;
  return [
    ...cards.map(({ mention: _mention, calls: _calls, ...card }) => card),
    ...(more > 0 ? [cardOf(`${more} more to approve`, [], { tone: 'waiting' })] : []),
  ];
};

/** What waits of the caller's own, then today's: of everyone for people who may see payments, for the others their own. */
const paymentCards = async (
  needs: Services,
  caller: Caller,
  { grants, place, at, of }: Standing & { readonly of: OneMerchant },
): Promise<Card[]> => {
  const { store, clock, settings } = needs;
  const moment = momentOf(needs);
  const own = { requester: `${caller.platform}:${caller.id}` };
  const openOwn = { ...own, states: OPEN_STATES };
  const { payments: waiting } = await store.listPayments(openOwn, { limit: MOST_WAITING });
  const isOwn = !grants.may('payments');
  const sinceMs = startOfDayMs(clock.now(), settings.timeZone);
  const filter = isOwn ? { ...own, sinceMs } : { sinceMs, ...of };
  const { payments } = await store.listPayments(filter, { limit: MOST_TODAY });
  const above = at === undefined ? waiting : [];
  const others = payments.filter(({ id }) => above.every((each) => each.id !== id));
  // The customer of a colleague stays masked where a person is alone as well.
  const audience = isOwn ? 'one person' : 'others too';
  const isAlone = place === undefined;
  const sumsAndLines = async () => {
    const totals = await store.totalPayments(filter);
    return [
      part.text(totalsText(totals, settings.currency)),
      await merchantTotals(needs, filter),
      paymentRows(others, { moment, audience }, above.length + 1),
      partialTotalsPart(totals),
    ];
  };
  const parts = payments.length === 0 ? [part.text('No payments yet.')] : await sumsAndLines();
  const ids = [...above, ...others].map(({ id }) => id);
  const today = cardOf('Today', parts, { buttons: isAlone ? detailsButtons(ids) : [] });
  if (waiting.length === 0) return [today];
  const rows = paymentRows(waiting, { moment, audience: 'one person' });
  const buttons = isAlone && grants.may('status') ? checkButtonsOf(waiting) : [];
  return [cardOf('Waiting', [rows], { tone: 'waiting', buttons }), today];
};

/** With the number of its line where there are several. The payment service knows nothing yet of what is not sent. */
const checkButtonsOf = (payments: readonly Payment[]) =>
  payments.map(({ id, state }, at) =>
    state === 'pending' || state === 'unknown'
      ? pressButton(payments.length === 1 ? 'Check now' : `Check now ${at + 1}`, 'check', id)
      : undefined,
  );

const balanceCards = (needs: Services, { merchant: only }: OneMerchant): Promise<Card[]> =>
  Promise.all(
    (only === undefined ? needs.balances.merchants : [only]).map(async (merchant) => {
      const parts = await balanceParts(needs, merchant);
      return cardOf(
        `Balances${ofMerchant(merchant)}`,
        parts.length > 0 ? parts : [part.text('The payment service has not sent them yet.')],
      );
    }),
  );
