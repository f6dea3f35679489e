import { defined } from '../runtime/defined.ts';
import type { Person, PlaceId } from '../values/conversation.ts';
import { shortIdFrom } from '../values/transaction-id.ts';
import type { Due } from './due.ts';
import type { Change, Put, Setting } from './records.ts';

type SettingPut = Extract<Put, { readonly kind: 'setting' }>;

/** A value that is kept under an id, in a record of the kind `setting`. That holds text, so a store needs not know its type. */
export type StoredValue<T> = {
  readonly id: string;
  /** The value in the record; undefined without a record. */
  read(setting: Setting | undefined): T | undefined;
  /** The value in a store. */
  in(store: SettingStore): Promise<T | undefined>;
  /** The next version of the record; refused if another came in between. `due`: when it expires. @default never */
  put(value: T, earlier: Setting | undefined, due?: Due): SettingPut;
};

type SettingStore = { get(kind: 'setting', id: string): Promise<Setting | undefined> };

const typed = <T>(
  id: string,
  fromText: (text: string) => T,
  toText: (value: T) => string,
): StoredValue<T> => {
  const read = (setting?: Setting) => setting && fromText(setting.value);
  return {
    id,
    read,
    in: async (store) => read(await store.get('setting', id)),
    put: (value, earlier, due) => {
      const version = (earlier?.version ?? 0) + 1;
      const record = { id, version, ...defined({ due }), value: toText(value) };
      return { kind: 'setting', record };
    },
  };
};

const storedText = (id: string): StoredValue<string> => typed(id, String, String);

/** Anything that JSON can write. Its shape is not checked at reading: only Paythread writes the record. */
export const storedJson = <T>(id: string): StoredValue<T> =>
  typed<T>(id, JSON.parse, JSON.stringify);

/**
 * The store goes on from a backup: payments made after it are not in it, and those in it may have gone on
 * elsewhere. Charges wait until the payment service was asked about all of them.
 */
export type RestoreMark = {
  /** What was shown for confirmation up to then may have been pressed, in the time that was lost. */
  readonly sinceMs: number;
  /** The backup has everything up to then. */
  readonly backupAtMs: number;
  /** Present: everything was asked, and charges go on. */
  readonly liftedAtMs?: number;
};

export const restoreMark = storedJson<RestoreMark>('restored');

/** The mark as a change, for callers that have the store in another form than a `Store`. */
export const markChange = (
  mark: RestoreMark,
  earlier: Setting | undefined,
  nowMs: number,
  detail: Record<string, unknown> = {},
): Change => ({
  put: [restoreMark.put(mark, earlier)],
  audit: [
    {
      atMs: nowMs,
      kind: 'setting',
      id: restoreMark.id,
      what: mark.liftedAtMs === undefined ? 'restored' : 'reconciled',
      before: wordOf(restoreMark.read(earlier)),
      after: wordOf(mark),
      detail: { ...mark, ...detail },
    },
  ],
});

const wordOf = (mark: RestoreMark | undefined): string | null => {
  if (mark === undefined) return null;
  return mark.liftedAtMs === undefined ? 'frozen' : 'lifted';
};

/**
 * Where a database lives. Every way back from a backup changes some of it: another server (`system`), a recovery to
 * an earlier moment or a promoted replica (`timeline`), another database, or tables that were made again in the same
 * one.
 */
export type DatabaseHome = {
  readonly system: string | null;
  readonly timeline: string | null;
  readonly database: string;
  readonly payments: string;
};

/** Compared at each start, so that a restored database is noticed. */
export const databaseHome = storedJson<DatabaseHome>('home');

/** The key of pseudonyms where none is configured: made once and kept with what it was used for. */
export const pseudonymKey = storedText('pseudonym-key');

/** Signs the addresses of callbacks; made once and kept with the payments whose addresses it signed. */
export const callbackSecret = storedText('callback-secret');

/** A callback at an issued address for a payment that is not in the store, as after a restore from a backup. */
export type UnmatchedCallback = {
  readonly paymentId: string;
  readonly firstAtMs: number;
  /** The beginning of its body, unproven as with every callback. */
  readonly body: string;
};

/** Unmatched callbacks, oldest first: one of several records, so that adding a callback rewrites little. */
export const callbackShelf = (shelf: number): StoredValue<readonly UnmatchedCallback[]> =>
  storedJson(`${CALLBACK_SHELF}${shelf}`);

const CALLBACK_SHELF = 'stray-callbacks.';

/** The unmatched callbacks in a setting; undefined: it is another setting. */
export const shelvedIn = (setting: Setting): readonly UnmatchedCallback[] | undefined =>
  setting.id.startsWith(CALLBACK_SHELF) ? callbackShelf(0).read(setting) : undefined;

/** A person whose grants of the access file are void until an administrator reinstates them. */
export type Suspension = {
  /** `platform:id`. */
  readonly of: string;
  readonly by: Person;
  readonly atMs: number;
  readonly why?: string;
};

/** One record for all, because there are few and every event reads it. */
export const suspensionList = storedJson<readonly Suspension[]>('suspensions');

/** What last counted against a limit. The id is a hash: `about` names a customer or a person. */
export const limitGuardOf = (about: string): StoredValue<string> =>
  storedText(`charged:${shortIdFrom(about)}`);

/** The runs of files that still have something to ask for: they count against limits, and there are few. */
export const unsentRuns = storedJson<readonly string[]>('unsent-runs');

/** SMS parts that were to be sent in the quarter of an hour from then on. */
export type PartsOfQuarter = { readonly atMs: number; readonly parts: number };

/** What counts against a person's day. Before 0.13 each SMS, and each run of SMS, had an entry of its own. */
export type CountedSms =
  | PartsOfQuarter
  | { readonly batchId: string; readonly atMs: number; readonly partsEach: number };

/** The newest run of charges of a file with this name, in capitals or not: of a merchant, or of all. */
export const newestRunOf = (fileName: string, merchant = ''): StoredValue<string> =>
  storedText(`file:${shortIdFrom(`${merchant}/${fileName.toLowerCase()}`)}`);

/** What a person (`platform:id`) has had sent lately. */
export const smsDayOf = (person: string): StoredValue<readonly CountedSms[]> =>
  storedJson(`sms-day:${shortIdFrom(person)}`);

/** A text that was to be sent to a customer, by its hash, and the SMS with it. */
export type SentText = { readonly text: string; readonly atMs: number; readonly smsId: string };

/** What was sent to a customer lately. The id is a hash, and forgetting the customer renames the record. */
export const textsSentTo = (number: string): StoredValue<readonly SentText[]> =>
  storedJson(`sms-to:${shortIdFrom(number)}`);

/** A payment whose receipt is to be sent without a press; the value is its id. */
export const owedReceiptOf = (paymentId: string): StoredValue<string> =>
  storedText(`receipt:${paymentId}`);

/** The last alert about a subject, as JSON, and when it was told. */
export type ToldAlert = { readonly atMs: number; readonly alert: string };

export const toldAlertOf = (subject: string): StoredValue<ToldAlert> =>
  storedJson(`told:${subject}`);

/** The channel that a conversation has now, after its platform gave it a new id. */
export const movedChannelOf = ({ platform, channel }: PlaceId): StoredValue<string> =>
  storedText(`moved:${platform}:${channel}`);

/** The menu that a bot has set for a scope of its platform, by its hash. */
export const shownMenuOf = (bot: string, scope: string): StoredValue<string> =>
  storedText(`menu:${bot}:${scope}`);

/** How often a process ended while it served a record's work. */
export const triesOf = ({ kind, record }: Put): StoredValue<number> =>
  storedJson(`tries:${kind}/${record.id}`);
