import type { Setting } from '../records/records.ts';
import { StartError } from '../runtime/errors.ts';
import type { Folder } from './disk.ts';
import { asIfInPlace } from './files-anew.ts';
import { readJournal } from './journal-replay.ts';
import { seamsAmong } from './seams.ts';
import { openSnapshot } from './snapshot.ts';

/**
 * A setting of an embedded store, whoever works with it meanwhile: nothing is locked and nothing changed.
 * Undefined also when what is there cannot be read; a start says why.
 */
export const peekSetting = async (folder: Folder, id: string): Promise<Setting | undefined> => {
  try {
    const shown = await asIfInPlace(folder);
    const { position, records } = (await openSnapshot(shown)).data;
    let found = records.find((put) => put.kind === 'setting' && put.record.id === id)?.record;
    for await (const piece of readJournal(shown, position, seamsAmong(records))) {
      if (piece.kind !== 'entry') continue;
      for (const { kind, record } of piece.entry.change.put ?? [])
        if (kind === 'setting' && record.id === id) found = record;
    }
    // It was looked for among settings only.
    return found as Setting | undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof StartError || code !== undefined) return undefined;
    throw error;
  }
};
