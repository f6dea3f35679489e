import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { personOf } from '../../core/values/conversation.ts';
import { cardOf, idFact, part, plainCard, problemCard } from '../cards/card.ts';
import { type CommandRecord, type Context, momentOf, type Services } from '../command.ts';
import type { FileDelivery } from '../inbound.ts';
import { exportLines } from './export-lines.ts';
import { type ExportWish, readExport } from './read-export.ts';
import { exportRow } from './told-exports.ts';
import { type Written, writeExport } from './write-export.ts';

/** After so many payments the person is told how far it is. */
const TOLD_EVERY = 100_000;

/** `/export`: the payments of days and states as a file, to the caller alone. */
export const exportCommand = (services: Services): CommandRecord => {
  /** Each has one at a time: a file of a million payments takes a minute. */
  const busy = new Set<string>();
  return {
    summary: 'Get payments as a file',
    deed: 'export payments',
    usage: '[when] [state]',
    examples: ['today', 'month completed', '1-15 Nov'],
    run: async (words, context) => {
      const { surface, caller } = context;
      const wish = readExport(words, momentOf(services), services.settings);
      if (!wish.ok) return surface.say(problemCard(wish.problem));
      const key = `${caller.platform}:${caller.id}`;
      if (busy.has(key))
        return surface.say(plainCard('Your last file is not ready yet', 'I will send it to you.'));
      busy.add(key);
      try {
        await exportTo(services, wish.value, context);
      } finally {
        busy.delete(key);
      }
    },
  };
};

/** Written to the disk first: Slack has to be told the length, and the audit trail the digest, before it leaves. */
const exportTo = async (
  services: Services,
  { filter, words }: ExportWish,
  { surface, caller, grants }: Context,
): Promise<void> => {
  const { store, clock, notify, settings } = services;
  const folder = await mkdtemp(join(tmpdir(), 'paythread-export-'));
  const name = `payments-${new Date(clock.now()).toISOString().replace(/\D/g, '')}.csv`;
  const path = join(folder, name);
  const isWhole = grants.reveal;
  const reading = { isWhole, branches: notify.rules.branches, merchant: settings.texts.shop };
  try {
    const written = await writeExport(path, exportLines(store, filter, reading), async (rows) => {
      if (rows > 0 && rows % TOLD_EVERY === 0)
        await surface.say(plainCard(`${rows.toLocaleString('en')} payments so far`));
    });
    if (written.rows === 0)
      return surface.say(plainCard('There is nothing to export', `Payments: ${words}.`));
    // Committed before it leaves: without the audit row nothing is exported.
    const by = { atMs: clock.now(), who: personOf(caller), where: caller.conversation };
    await store.commit({ audit: [exportRow(by, { words, isWhole, ...written })] });
    const content = await openAsBlob(path, { type: 'text/csv; charset=utf-8' });
    const delivery = await surface.sendFile({ name, content, title: `Payments: ${words}` });
    await surface.say(exportedCard(delivery, written, { words, isWhole }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const exportedCard = (
  delivery: FileDelivery,
  { rows, sha256 }: Written,
  { words, isWhole }: { readonly words: string; readonly isWhole: boolean },
) => {
  if (!delivery.ok) return plainCard('I could not send the file', delivery.remedy, 'warning');
  const { savedAs } = delivery;
  return cardOf(savedAs === undefined ? 'The file is in our direct chat' : 'The file is saved', [
    part.facts(
      { label: 'Payments', value: `${rows.toLocaleString('en')}, ${words}` },
      ...(savedAs === undefined ? [] : [idFact('File', savedAs)]),
      idFact('SHA-256', sha256),
    ),
    isWhole ? undefined : part.note('Numbers and names are shortened.'),
  ]);
};
