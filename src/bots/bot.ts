import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Card } from '../commands/cards/card.ts';
import type * as chats from '../core/notices/chats.ts';

export type OutgoingMessage = chats.OutgoingMessage<Card>;
export type Chat = chats.Chat<Card>;

/** Takes an HTTP request, body unread. Never throws. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse) => void;

/** What a commit changed for people of one platform. */
export type HomeChange = {
  /** Ids of the requesters, and of those whose rights it names. */
  readonly people: readonly string[];
  /** A charge waits for approvers, or does so no more. */
  readonly approvals: boolean;
  /** What people may do has changed, so that no page may stand as it is. */
  readonly rights: boolean;
};

/** The rights of people who are not named. */
export const OTHER_RIGHTS: HomeChange = { people: [], approvals: false, rights: true };

/** What a platform knows of people. Both reject when it does not answer. */
export type Directory = {
  membersOf(groupId: string): Promise<ReadonlySet<string>>;
  /** Whether a person is less than a full member: a guest, or of another company. */
  isGuest(personId: string): Promise<boolean>;
};

/** One chat platform. Thin: it translates what comes in and renders what goes out (`post` and `edit`). */
export interface Bot extends Chat, Partial<Directory> {
  readonly platform: string;
  /** Connects and begins to hand over events. Resolves once connected, or keeps trying in the background. */
  start(): Promise<void>;
  /** Undefined when connected, else what is missing, in a few words. */
  notReady(): string | undefined;
  /** Checks the token with the platform where nothing else would notice a revoked one; `notReady` has the result. Never rejects. */
  probe?(): Promise<void>;
  /** Where the platform sends its requests by HTTP. */
  readonly handle?: HandleRequest | undefined;
  /** On a platform with a page of each person's own: what changed, for those who have theirs open. Returns at once. */
  refreshHomes?(change: HomeChange): void;
  /** On a local platform: resolves when nothing more can be typed and all that was typed is carried out. */
  readonly inputEnded?: Promise<void>;
  /** Takes no more events, waits for those in flight. */
  stop(): Promise<void>;
}
