import { createHash } from 'node:crypto';
import { withoutCards } from '../../core/values/card-number.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import { plainCard, problemCard } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import type { IncomingFile } from '../inbound.ts';

/** A file that a person sent. `sha256`: hex. */
export type SentFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
};

/** Reads files and hands them on, of each person one at a time: the names in a file take half a minute. */
export const oneFileEach = ({ drafts }: Pick<Services, 'drafts'>) => {
  const busy = new Set<string>();
  return async (
    file: IncomingFile,
    { surface, caller, eventId }: Context,
    work: (sent: SentFile) => Promise<void>,
  ): Promise<void> => {
    const key = `${caller.platform}:${caller.id}`;
    if (busy.has(key)) return surface.say(busyCard);
    busy.add(key);
    try {
      // Delivered twice: its dry run is shown already.
      if ((await drafts.get(shortIdFrom(eventId))) !== undefined) return;
      const read = await file.read();
      if (!read.ok) return surface.say(problemCard(read.problem));
      const sha256 = createHash('sha256').update(read.value).digest('hex');
      await work({ name: withoutCards(file.name), bytes: read.value, sha256 });
    } finally {
      busy.delete(key);
    }
  };
};

const busyCard = plainCard('Your last file is not ready yet', 'I show it in a moment.');
