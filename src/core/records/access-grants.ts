import type { Conversation, Person, PlaceId } from '../values/conversation.ts';
import { type StoredValue, storedJson } from './stored-values.ts';

/** A role of the access file that an administrator gave one person in the chat. */
export type ChatGrant = {
  /** Of the request that it answers. */
  readonly id: string;
  /** The person who holds it; decided by `platform` and `id`. */
  readonly to: Person;
  /** The name of the role. A name that the access file no longer has grants nothing. */
  readonly role: string;
  /** The conversation where it counts, beside the person's private chat; absent: there alone. */
  readonly where?: PlaceId;
  readonly by: Person;
  /** Where it was given: it counts while its giver may still give it there. Absent before 0.14: their private chat. */
  readonly givenIn?: PlaceId;
  readonly atMs: number;
  /** What they had tried. */
  readonly why: string;
  /** MAC over the other fields: a grant that was written into the store by other means has no valid one. */
  readonly seal?: string;
};

/** One record for all, because there are few and every event reads it. */
export const chatGrants = storedJson<readonly ChatGrant[]>('access-grants');

/** What a person asked the operators for, and what became of it. */
export type AccessRequest = {
  readonly id: string;
  readonly by: Person;
  /** Where they asked; the answer goes there. */
  readonly conversation: Conversation;
  /** The conversation where a grant will count, beside the private chat; absent: it was asked in private. */
  readonly where?: PlaceId;
  /** What they tried, such as `/charge`; absent: no command. */
  readonly tried?: string;
  /** A guest of the workspace, to whom the file's channels and groups grant nothing; absent: a full member. */
  readonly isGuest?: true | 'not known';
  readonly atMs: number;
  readonly status: 'open' | 'granted' | 'refused' | 'taken back';
  readonly role?: string;
  readonly answeredBy?: Person;
  readonly answeredAtMs?: number;
};

/** The operators may answer for this long. */
export const KEEP_REQUEST_MS = 7 * 24 * 3_600_000;

export const accessRequestOf = (id: string): StoredValue<AccessRequest> =>
  storedJson(`access-request:${id}`);
