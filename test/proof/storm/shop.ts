import type { Keyboard } from './seller.ts';

/** Something the bot said, as it stands in a chat. */
export type Said = {
  readonly platform: string;
  readonly place: string;
  readonly id: string;
  /** The message it answers, or whose thread it stands in. */
  readonly under?: string;
  readonly text: string;
  /** The id that its button Details carries. */
  readonly details?: string | undefined;
  readonly atMs: number;
};

/** One chat platform with its people. */
export interface Shop {
  /** Paythread's settings that lead here. */
  readonly settings: Readonly<Record<string, string>>;
  /** Who may charge, as the access file writes them. */
  readonly members: readonly string[];
  readonly keyboards: readonly Keyboard[];
  /** One charge of one person in this time: together they stay within what the platform lets a bot say. */
  readonly restMs: number;
  /** Everything the bot has said, from the chats' own books. */
  said(): Promise<readonly Said[]>;
  /** Rejects when the platform would not have taken something. */
  stop(): Promise<void>;
}
