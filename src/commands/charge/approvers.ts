import type { ChatGrants } from '../../core/guards/chat-grants.ts';
import type { Chats } from '../../core/notices/chats.ts';
import { type ApprovableDraft, approvalPlaces } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Conversation, Person } from '../../core/values/conversation.ts';
import { addMoney, formatMoney, type Money } from '../../core/values/money.ts';
import type { Platforms } from '../../core/values/platform.ts';
import type { Access } from '../access/access.ts';
import type { ChargeLimits } from '../access/grants.ts';
import { type Card, plainCard } from '../cards/card.ts';
import { isAlone } from '../cards/visibility.ts';
import type { Caller } from '../inbound.ts';

/** Each is asked about at the platform, and in a private chat each gets a message. */
const MOST_ASKED = 20;
const MOST_NAMED = 3;
/** A person whose name the platform does not tell. */
export const NAMELESS = 'an approver';

/** Who is asked to approve a charge and where; or that no approver can be reached. */
export type Approvers =
  | ({ readonly ok: true } & Required<Pick<ApprovableDraft, 'approvers'>> &
      Pick<ApprovableDraft, 'askedIn'>)
  | { readonly ok: false; readonly why: Card };

export type FindApprovers = (
  asked: Pick<ApprovableDraft, 'requester' | 'conversation' | 'askedIn'> &
    Partial<Pick<ApprovableDraft, 'kind' | 'givenBefore'>>,
  limits: Pick<ChargeLimits, 'approvalsIn' | 'maxCharge'>,
  amount: Money,
) => Promise<Approvers>;

type ApproversNeeds = {
  /** What counts now, with suspensions and the roles given in chats. */
  readonly grants: Pick<Access, 'grantsOf'>;
  readonly access: Partial<Pick<Access, 'approvers' | 'approverIds'>>;
  readonly chatGrants: Pick<ChatGrants, 'all'>;
  readonly chats: Pick<Chats<Card>, 'readerIn'>;
  readonly operators: readonly Conversation[];
  readonly platforms: Platforms;
};

/**
 * Approvals are asked where `approvals:` says; else in the conversation of the charge, or the one that the draft names,
 * if an approver is in it; else in private of each approver who can be reached; else in the operators' conversations.
 * The requester is no approver.
 */
export const findApprovers =
  (needs: ApproversNeeds): FindApprovers =>
  async (asked, { approvalsIn, maxCharge }, amount) => {
    const { access, chatGrants, operators, platforms } = needs;
    const { requester } = asked;
    const [conversation = asked.conversation] = approvalPlaces(asked);
    const { platform, workspace, channel } = conversation;
    const placeOf = (id: string) => ({ platform, ...defined({ workspace }), channel: id });
    const named = [
      ...((await access.approverIds?.(platform)) ?? []),
      ...(await chatGrants.all()).flatMap(({ to }) => (to.platform === platform ? [to.id] : [])),
    ];
    const ids = [...new Set(named)].filter((id) => id !== requester.id).slice(0, MOST_ASKED);
    const open = (access.approvers?.(platform) ?? []).filter(({ kind }) => kind === 'place');
    const isOpen = (place: Conversation) => open.some(({ id }) => id === place.channel);
    const caller: Caller = { ...requester, conversation };
    const isPrivate = isAlone(caller, platforms);
    const given = approvalsIn === channel ? conversation : placeOf(approvalsIn ?? channel);
    const steps: (readonly Conversation[])[] = [
      approvalsIn === undefined ? [] : [given],
      isPrivate ? [] : [conversation],
      [...ids, ...open.map(({ id }) => id)].map(placeOf),
      operators.filter((each) => each.platform === platform && each.channel !== channel),
    ];
    for (const places of steps) {
      const found = await Promise.all(
        places.map(async (place) => ({ place, ...(await approversIn(needs, place, ids)) })),
      );
      const there = found.filter(
        ({ place, readers, others }) =>
          // Who reads the conversation under `approvals:` is for the file to know.
          readers.length > 0 || isOpen(place) || (places === steps[0] && others > 0),
      );
      if (there.length === 0) continue;
      const isHere = there.some(({ place }) => place === conversation);
      const askedIn = isHere ? undefined : there.map(({ place }) => place);
      const approvers = there.flatMap(({ readers }) => readers);
      return { ok: true, approvers, ...defined({ askedIn }) };
    }
    const above = { ...asked, limit: maxCharge };
    return { ok: false, why: unreachableCard(amount, above, ids.length > 0) };
  };

/** The people who may approve in a place and read it, and how many do not read it. A private chat has one reader. */
const approversIn = async (
  { grants, chats }: ApproversNeeds,
  place: Conversation,
  ids: readonly string[],
): Promise<{ readonly readers: readonly Person[]; readonly others: number }> => {
  const { platform, channel } = place;
  const people = (ids.includes(channel) ? [channel] : ids).map(async (id) => {
    const { approve } = await grants.grantsOf({ platform, id, name: '', conversation: place });
    const name = approve ? await chats.readerIn(place, id) : undefined;
    const reader = name === undefined ? undefined : { platform, id, name: name || NAMELESS };
    return { approve, reader };
  });
  const able = (await Promise.all(people)).filter(({ approve }) => approve);
  const readers = able.flatMap(({ reader }) => reader ?? []);
  return { readers, others: able.length - readers.length };
};

type Above = Partial<Pick<ApprovableDraft, 'kind' | 'givenBefore'>> & {
  readonly limit?: Money | undefined;
};

/** What is above the limit, in a sentence: in parts it is their sum. `alone`: how it begins where it is no part. */
export const aboveText = (
  amount: Money,
  { givenBefore: before, limit }: Above,
  whose = 'your',
  alone = `${formatMoney(amount)} is above`,
): string => {
  const sum = before && formatMoney(addMoney(before, amount));
  const begun = before && `With ${formatMoney(before)} given back before: ${sum}, above`;
  return `${begun ?? alone} ${whose} limit${limitText(limit)}.`;
};

export const limitText = (limit: Money | undefined): string =>
  limit === undefined ? '' : ` of ${formatMoney(limit)}`;

const unreachableCard = (amount: Money, asked: Above, isKnown: boolean): Card => {
  const why = isKnown
    ? 'No approver can be reached. An approver must write to me first.'
    : 'No other person may approve it.';
  const isBack = asked.kind === 'given back';
  const most = asked.limit === undefined ? 'your limit' : formatMoney(asked.limit);
  const next = isBack ? 'Ask the owner.' : `Charge up to ${most}, or ask the owner.`;
  const title = isBack ? 'Nothing was written down' : 'Nothing was charged';
  return plainCard(title, `${aboveText(amount, asked)} ${why} ${next}`, 'warning');
};

/** `Kofi, Efua and 2 others`; without names `the approvers`. */
export const approverNames = (
  { approvers = [] }: Pick<ApprovableDraft, 'approvers'>,
  type: 'conjunction' | 'disjunction',
): string => {
  const names = [...new Set(approvers.map(({ name }) => name))];
  const others = names.length - MOST_NAMED;
  const shown =
    others > 1 ? [...names.slice(0, MOST_NAMED), `${others.toLocaleString('en')} others`] : names;
  if (names.length === 0) return type === 'conjunction' ? 'the approvers' : NAMELESS;
  return new Intl.ListFormat('en-GB', { type }).format(shown);
};

/** What the question to the requester says of the approval that it needs. */
export const approvalNote = (asked: Pick<ApprovableDraft, 'approvers'>, limit?: Money): string => {
  const who = approverNames(asked, 'disjunction').replace(/^a/, 'A');
  return `Above your limit${limitText(limit)}. ${who} must approve.`;
};
