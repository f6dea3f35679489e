import { withoutCards } from '../../core/values/card-number.ts';
import { plainCard, problemCard } from '../cards/card.ts';
import type { Context } from '../command.ts';
import type { IncomingFile } from '../inbound.ts';

/** A file that a person sent. */
export type SentFile = { readonly name: string; readonly bytes: Uint8Array };

/** Reads files and hands them on, of each person one at a time: the names in a file take half a minute. */
export const oneFileEach = () => {
  const busy = new Set<string>();
  return async (
    file: IncomingFile,
    { surface, caller }: Context,
    work: (sent: SentFile) => Promise<void>,
  ): Promise<void> => {
    const key = `${caller.platform}:${caller.id}`;
    if (busy.has(key)) return surface.say(busyCard);
    busy.add(key);
    try {
      const bytes = await file.read();
      await (bytes.ok
        ? work({ name: withoutCards(file.name), bytes: bytes.value })
        : surface.say(problemCard(bytes.problem)));
    } finally {
      busy.delete(key);
    }
  };
};

const busyCard = plainCard('Your last file is not ready yet', 'I show it in a moment.');
