import { isDeepStrictEqual } from 'node:util';
import { KeyedLimiter } from '../cluster/limit.ts';
import { accessAnswered, accessAsked, accessNews } from '../notices/access-notices.ts';
import { oweNotices } from '../notices/owed-notices.ts';
import {
  type AccessRequest,
  accessRequestOf,
  type ChatGrant,
  chatGrants,
  KEEP_REQUEST_MS,
} from '../records/access-grants.ts';
import type { AuditRow } from '../records/records.ts';
import type { Seal } from '../records/seals.ts';
import { defined } from '../runtime/defined.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import { startOfDayMs } from '../values/calendar-day.ts';
import { type Conversation, type Person, type PersonId, personOf } from '../values/conversation.ts';
import { shortIdFrom } from '../values/transaction-id.ts';
import { type GuardNeeds, limitGuard } from './limit-guards.ts';

/** New requests of all people together: anyone may write to a bot, and the operators have to read on. */
const REQUEST_LIMIT = { most: 20, windowMs: 3_600_000 } as const;

type ChatGrantsOptions = GuardNeeds & {
  readonly seal: Seal<ChatGrant>;
  /** Who is asked; empty: no one can be asked in the chat. */
  readonly operators: readonly Conversation[];
};

export type AccessWish = Pick<AccessRequest, 'by' | 'conversation' | 'where' | 'tried' | 'isGuest'>;

/** The answer to a request; absent `role`: it is refused. */
type Answer = { readonly role?: string; readonly by: Person; readonly at: Conversation };

/** What became of an answer. `late`: another administrator had answered; `own`: the answer would be to their own request. */
export type Answered = {
  readonly kind: 'done' | 'late' | 'own';
  readonly request: AccessRequest;
};

/** Roles that administrators gave in the chat, and the requests for them. Which roles there are is the access file's. */
export class ChatGrants {
  readonly #options: ChatGrantsOptions;
  readonly #requests: KeyedLimiter;

  constructor(options: ChatGrantsOptions) {
    this.#options = options;
    this.#requests = new KeyedLimiter(options.clock, REQUEST_LIMIT, 1);
  }

  get canAsk(): boolean {
    return this.#options.operators.length > 0;
  }

  /** Read from the store at each call, so that what another instance took back is gone at once. */
  async all(): Promise<readonly ChatGrant[]> {
    return (await chatGrants.in(this.#options.store)) ?? [];
  }

  /** The grants of one person that count. One without a valid seal was not given by an administrator. */
  async of(person: PersonId): Promise<readonly ChatGrant[]> {
    return (await this.all()).filter(
      (grant) => isSamePerson(grant.to, person) && this.isSealed(grant),
    );
  }

  isSealed(grant: ChatGrant): boolean {
    return this.#options.seal.isOn(grant);
  }

  /** Called at a start: what an earlier secret, or a version before 0.15, sealed gets a seal of today. */
  async renewSeals(): Promise<void> {
    const { store, seal } = this.#options;
    await untilStored('the roles given in the chat', async () => {
      const record = await store.get('setting', chatGrants.id);
      const all = chatGrants.read(record) ?? [];
      const renewed = all.map((grant) => (seal.isOn(grant) ? seal.sealed(grant) : grant));
      if (isDeepStrictEqual(renewed, all)) return false;
      return (await store.commit({ put: [chatGrants.put(renewed, record)] })) || STALE;
    });
  }

  /**
   * Returns the person's request of today, and whether it is new; undefined: too many people asked in the last hour.
   * @param dayOf the time zone in which a day begins
   */
  ask(
    wish: AccessWish,
    dayOf: string,
  ): Promise<{ readonly isNew: boolean; readonly request: AccessRequest } | undefined> {
    const { store, clock, operators } = this.#options;
    const nowMs = clock.now();
    const { platform, id: personId } = wish.by;
    const id = shortIdFrom(`${platform}:${personId} ${startOfDayMs(nowMs, dayOf)}`);
    const stored = accessRequestOf(id);
    return untilStored(`access request ${id}`, async () => {
      const earlier = await stored.in(store);
      if (earlier !== undefined) return { isNew: false, request: earlier };
      if (this.#requests.spend('all') > 0) return undefined;
      const request: AccessRequest = {
        ...wish,
        by: personOf(wish.by),
        id,
        atMs: nowMs,
        status: 'open',
      };
      const isStored = await store.commit({
        put: [
          stored.put(request, undefined, { queue: 'tidy', atMs: nowMs + KEEP_REQUEST_MS }),
          ...(await oweNotices(store, accessAsked(request, operators))),
        ],
        audit: [requestRow(request, 'asked for access', request.by, request.conversation, nowMs)],
      });
      // Stale: the same press on another instance, or delivered twice.
      return isStored ? { isNew: true, request } : STALE;
    });
  }

  /** Gives the role, or refuses. The first answer counts. Undefined: there is no such request any more. */
  answer(requestId: string, given: Answer): Promise<Answered | undefined> {
    const { store, clock, operators } = this.#options;
    const stored = accessRequestOf(requestId);
    return untilStored(`access request ${requestId}`, async () => {
      const record = await store.get('setting', stored.id);
      const asked = stored.read(record);
      if (asked === undefined) return undefined;
      if (asked.status !== 'open') return { kind: 'late', request: asked };
      const { role, by, at } = given;
      if (isSamePerson(asked.by, by)) return { kind: 'own', request: asked };
      const nowMs = clock.now();
      const request: AccessRequest = {
        ...asked,
        status: role === undefined ? 'refused' : 'granted',
        ...defined({ role }),
        answeredBy: personOf(by),
        answeredAtMs: nowMs,
      };
      const isStored = await store.commit({
        put: [
          stored.put(request, record, { queue: 'tidy', atMs: nowMs + KEEP_REQUEST_MS }),
          ...(await oweNotices(store, accessAnswered(request, operators, nowMs))),
          ...(role === undefined ? [] : [await this.#withGrant(request, role, { by, at })]),
        ],
        audit: [
          requestRow(request, request.status, by, at, nowMs),
          ...(role === undefined ? [] : [grantRow(request.by, role, { by, at, nowMs })]),
        ],
      });
      // Stale: another administrator answered at the same moment, or the list of grants changed.
      return isStored ? { kind: 'done', request } : STALE;
    });
  }

  /** Durable once it resolves: no instance counts it from then on. Undefined: it was taken back before. */
  takeBack(id: string, by: Person, at: Conversation): Promise<ChatGrant | undefined> {
    const { store, clock } = this.#options;
    return untilStored('the roles given in the chat', async () => {
      const record = await store.get('setting', chatGrants.id);
      const all = chatGrants.read(record) ?? [];
      const grant = all.find((each) => each.id === id);
      if (grant === undefined) return undefined;
      const { to, role, where } = grant;
      const nowMs = clock.now();
      const stored = accessRequestOf(id);
      const asked = await store.get('setting', stored.id);
      const conversation = stored.read(asked)?.conversation ??
        where ?? { platform: to.platform, channel: to.id };
      const news: AccessRequest = {
        id,
        by: to,
        conversation,
        ...defined({ where }),
        atMs: grant.atMs,
        role,
        status: 'taken back',
        answeredBy: personOf(by),
        answeredAtMs: nowMs,
      };
      const left = all.filter((each) => each.id !== id);
      const isStored = await store.commit({
        put: [
          chatGrants.put(left, record),
          // The store refuses a confirmation on its way, which asked a moment ago whether it may.
          await limitGuard(this.#options, `${to.platform}:${to.id}`, 'taken back'),
          stored.put(news, asked, { queue: 'tidy', atMs: nowMs + KEEP_REQUEST_MS }),
          ...(await oweNotices(store, [accessNews(news, 'taken', nowMs)])),
        ],
        audit: [{ ...grantRow(to, role, { by, at, nowMs }), ...TAKEN_BACK }],
      });
      return isStored ? grant : STALE;
    });
  }

  async #withGrant(
    { id, by: to, where, tried }: AccessRequest,
    role: string,
    { by, at }: Pick<Answer, 'by' | 'at'>,
  ) {
    const { store, clock, seal } = this.#options;
    const record = await store.get('setting', chatGrants.id);
    const grant: ChatGrant = seal.sealed({
      id,
      to,
      role,
      ...defined({ where }),
      by: personOf(by),
      givenIn: { platform: at.platform, channel: at.channel },
      atMs: clock.now(),
      why: tried ?? 'asked for access',
    });
    const others = (chatGrants.read(record) ?? []).filter((each) => !isSameGrant(each, grant));
    return chatGrants.put([...others, grant], record);
  }
}

const isSamePerson = (one: PersonId, other: PersonId): boolean =>
  one.platform === other.platform && one.id === other.id;

/** The same role for the same person in the same place, given once more. */
const isSameGrant = (one: ChatGrant, other: ChatGrant): boolean =>
  isSamePerson(one.to, other.to) &&
  one.role === other.role &&
  one.where?.channel === other.where?.channel;

const requestRow = (
  { id, by, role, tried, where }: AccessRequest,
  what: string,
  who: Person,
  at: Conversation,
  atMs: number,
): AuditRow => ({
  atMs,
  kind: 'setting',
  id: accessRequestOf(id).id,
  what,
  before: what === 'asked for access' ? null : 'open',
  after: what === 'asked for access' ? 'open' : what,
  who: personOf(who),
  where: at,
  detail: { for: by, ...defined({ role, tried, where }) },
});

const grantRow = (
  { platform, id }: Person,
  role: string,
  { by, at, nowMs }: { readonly by: Person; readonly at: Conversation; readonly nowMs: number },
): AuditRow => ({
  atMs: nowMs,
  kind: 'setting',
  id: `${chatGrants.id}.${platform}:${id}`,
  what: 'granted',
  before: null,
  after: 'granted',
  who: personOf(by),
  where: at,
  detail: { of: `${platform}:${id}`, role },
});

const TAKEN_BACK = { what: 'taken back', before: 'granted', after: null };
