import { type Merchant, merchantOf } from '../records/merchants.ts';
import { isOwed, outcomeNoticeId } from '../records/notice.ts';
import {
  type ChatLevel,
  chatLevels,
  fits,
  type Level,
  type MirrorRule,
  placeKey,
  type ToldRules,
  tells,
} from '../records/notify-rules.ts';
import { hasEnd, type Payment } from '../records/payment.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import { type Conversation, type Person, type PlaceId, personOf } from '../values/conversation.ts';

type Levels = Readonly<Record<string, ChatLevel>>;

export type InForce = {
  readonly level: Level;
  /** Who set the level in the chat; absent: the access file, or the default. */
  readonly by?: Person;
  /** The access file names a level for it; one set in the chat counts instead. */
  readonly isInFile: boolean;
  /** Which payments of others it is told, as the access file says. */
  readonly mirrors: readonly MirrorRule[];
};

export type ToldWhere = {
  /** The level of its own conversation. */
  readonly level: Level;
  /** `placeKey` of each conversation that gets a message of its own. */
  readonly mirrors: readonly string[];
  /** A message under the card tells an earlier outcome, or may tell it. */
  readonly wasTold: boolean;
};

export const WITHOUT_RULES: ToldWhere = { level: 'all', mirrors: [], wasTold: false };

type NotifyRulesOptions = {
  readonly store: Store;
  readonly clock: Clock;
  /** The access file as it is now. */
  readonly inFile: () => ToldRules;
  readonly merchants: readonly Merchant[];
};

/** What is told where: the access file's rules, and the levels that administrators set in the chat, which win there. */
export class NotifyRules {
  readonly #options: NotifyRulesOptions;

  constructor(options: NotifyRulesOptions) {
    this.#options = options;
  }

  /** For the commit that changes the payment to this. Reads the store only where a rule or an end may depend on it. */
  async of(payment: Payment): Promise<ToldWhere> {
    const { notify, branches } = this.#options.inFile();
    const own = placeKey(payment.conversation);
    const fitting = notify.filter(
      ({ place, mirror }) =>
        mirror !== undefined &&
        placeKey(place) !== own &&
        this.concerns(place, payment) &&
        fits(mirror, payment, branches),
    );
    const levels = hasEnd(payment) || fitting.length > 0 ? await this.#chatLevels() : {};
    const earlier = payment.mirrors ?? [];
    const mirrors = fitting
      .filter(({ place }) => tells(this.#levelAt(place, levels), payment))
      .map(({ place }) => placeKey(place));
    const level = this.#levelAt(payment.conversation, levels);
    return {
      level,
      wasTold: level !== 'all' && hasEnd(payment) && (await this.#wasTold(payment)),
      // A payment that is told somewhere stays there: its message has to stay true.
      mirrors: [...new Set([...earlier, ...mirrors])],
    };
  }

  /** A conversation of a merchant is told of the payments of that merchant alone, whatever a rule says. */
  concerns(place: PlaceId, { terms }: Payment): boolean {
    const merchant = merchantOf(this.#options.merchants, place);
    return merchant === undefined || merchant.name === terms.merchant;
  }

  async inForce(place: PlaceId): Promise<InForce> {
    const levels = await this.#chatLevels();
    return {
      level: this.#levelAt(place, levels),
      ...defined({ by: setAt(levels, place)?.by }),
      isInFile: this.#levelInFile(place) !== undefined,
      mirrors: this.rules.notify
        .filter((rule) => placeKey(rule.place) === placeKey(place))
        .flatMap(({ mirror = [] }) => mirror),
    };
  }

  /** The access file as it is now. */
  get rules(): ToldRules {
    return this.#options.inFile();
  }

  /** From now on this level counts in the conversation, on every instance. */
  async set(where: Conversation, level: Level, by: Person): Promise<void> {
    const { store, clock } = this.#options;
    await untilStored('the levels of conversations', async () => {
      const record = await store.get('setting', chatLevels.id);
      const levels = chatLevels.read(record) ?? {};
      const [key, who, atMs] = [placeKey(where), personOf(by), clock.now()];
      const before = setAt(levels, where)?.level ?? null;
      const put = [chatLevels.put({ ...levels, [key]: { level, by: who, atMs } }, record)];
      const row = { atMs, kind: 'setting', id: `${chatLevels.id}.${key}`, what: 'notify' } as const;
      const audit = [{ ...row, before, after: level, who, where }];
      // Stale: another administrator set one at the same moment.
      return (await store.commit({ put, audit })) || STALE;
    });
  }

  #levelAt(place: PlaceId, levels: Levels): Level {
    return setAt(levels, place)?.level ?? this.#levelInFile(place) ?? 'all';
  }

  #levelInFile(place: PlaceId): Level | undefined {
    const key = placeKey(place);
    return this.#options.inFile().notify.find((rule) => placeKey(rule.place) === key)?.level;
  }

  /** Whether something was told, or may have been, that its end has to follow. */
  async #wasTold({ id }: Payment): Promise<boolean> {
    const earlier = await this.#options.store.get('notice', outcomeNoticeId(id));
    if (!isOwed(earlier)) return earlier !== undefined;
    // Stored again: it was tried, or set aside after it ended the process. Due: it may be tried at this moment.
    return earlier.version > 1 || earlier.due.atMs <= this.#options.clock.now();
  }

  async #chatLevels(): Promise<Levels> {
    return (await chatLevels.in(this.#options.store)) ?? {};
  }
}

/** The level that was set in the chat. */
const setAt = (levels: Levels, place: PlaceId): ChatLevel | undefined =>
  Object.hasOwn(levels, placeKey(place)) ? levels[placeKey(place)] : undefined;
