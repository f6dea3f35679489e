import type { RoomMessage } from '../../src/bots/web/room.ts';
import type { Card } from '../../src/commands/cards/card.ts';
import type { OutgoingFile } from '../../src/commands/cards/outgoing-file.ts';
import { Studio } from './studio.ts';

/** A message as it is drawn. */
export type Shown = {
  readonly said: Card | { readonly by: string; readonly text: string };
  /** Seen by one person, where the platform can do that. */
  readonly isPrivate?: true;
  /** In the thread of the message before, or a reply to it. */
  readonly isReply?: true;
  /** What the message before became. */
  readonly isEdit?: true;
  /** The picture that comes with it. */
  readonly file?: RoomMessage['file'] & object;
};

export type Form = Studio['form'];

export type Picture = {
  /** Of its file. */
  readonly name: string;
  /** What is in it, for people who do not see it. */
  readonly alt: string;
} & (
  | { readonly messages: readonly Shown[]; readonly isTerminal?: true }
  | { readonly form: Form }
  /** The cards of a person's Home tab in Slack. */
  | { readonly home: readonly Card[] }
);

/** Plays with a new studio, so that no picture depends on another. */
export const inStudio = async <T>(play: (studio: Studio) => Promise<T>): Promise<T> => {
  const studio = await Studio.open();
  try {
    return await play(studio);
  } finally {
    await studio.stop();
  }
};

export const typed = (by: string, text: string): Shown => ({ said: { by, text } });
export const card = (said: Card): Shown => ({ said });
export const aside = (said: Card): Shown => ({ said, isPrivate: true });
export const reply = (said: Card): Shown => ({ said, isReply: true });

/** What comes with a message, as the page has it. */
export const pictureOf = async ({ name, title, content, altText = title }: OutgoingFile) => ({
  name,
  href: `data:image/png;base64,${Buffer.from(await new Response(content.stream()).bytes()).toString('base64')}`,
  altText,
});
