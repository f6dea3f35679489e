import { personOf } from '../../core/values/conversation.ts';
import { type Card, cardOf, idFact, part, plainCard } from '../cards/card.ts';
import { timeButtons } from '../cards/time-buttons.ts';
import { type CommandRecord, type Context, momentOf, type Services } from '../command.ts';
import { shown } from '../figures/sums-text.ts';
import { sayMisread } from '../forms/words-form.ts';
import { ofMerchantAt } from '../merchants.ts';
import { ExportFiles } from './export-files.ts';
import { exportLines } from './export-lines.ts';
import { EXPORT_VERB, type ExportWish, readExport } from './read-export.ts';
import { exportRow } from './told-exports.ts';

/** After so many payments the person is told how far it is. */
const TOLD_EVERY = 100_000;

/** `/export`: the payments of days and states as a file, to the caller alone. */
export const exportCommand = (services: Services): CommandRecord => {
  /** Each has one at a time: a file of a million payments takes a minute. */
  const busy = new Set<string>();
  const run = async (words: string, context: Context): Promise<void> => {
    const { surface, caller } = context;
    const wish = readExport(words, momentOf(services), services.settings);
    const times = timeButtons(EXPORT_VERB);
    if (!wish.ok) return sayMisread(services, context, ['export', words], wish.problem, times);
    const key = `${caller.platform}:${caller.id}`;
    if (busy.has(key))
      return surface.say(plainCard('Your last file is not ready yet', 'I will send it to you.'));
    busy.add(key);
    const platform = services.platforms.find(({ name }) => name === caller.platform);
    const files = new ExportFiles(platform?.mostFileBytes ?? Number.POSITIVE_INFINITY);
    try {
      await surface.say(await exportTo(files, services, { wish: wish.value, context }));
    } finally {
      busy.delete(key);
      await files.close();
    }
  };
  return {
    summary: 'Get payments as a file',
    deed: 'export payments',
    usage: '[when] [state]',
    examples: ['today', 'last month completed', '1-15 Nov'],
    run,
    // The button of a report, with its days; this command has to be granted to the presser.
    presses: { [EXPORT_VERB]: { run } },
  };
};

/** Returns what the person is told in the end. */
const exportTo = async (
  files: ExportFiles,
  { store, clock, notify, settings }: Services,
  { wish, context }: { readonly wish: ExportWish; readonly context: Context },
): Promise<Card> => {
  const { surface, caller, grants } = context;
  const isWhole = grants.reveal;
  const { merchants, texts, timeZone } = settings;
  const { branches } = notify.rules;
  const reading = { isWhole, branches, merchants, shop: texts.shop, timeZone };
  const tell = (text: string) => surface.sayProgress(plainCard(`${shown(files.rows)} ${text}`));
  const filter = { ...wish.filter, ...ofMerchantAt(settings, caller) };
  for await (const lines of exportLines(store, filter, reading)) {
    await files.add(lines);
    if (files.rows > 0 && files.rows % TOLD_EVERY === 0) await tell('payments so far');
  }
  if (files.rows === 0) return plainCard('There is nothing to export', `Payments: ${wish.words}.`);
  if (files.rows >= TOLD_EVERY) await tell('payments are ready');
  const by = { atMs: clock.now(), who: personOf(caller), where: caller.conversation };
  const named = namedFiles(files, wish.words, by.atMs);
  // Committed before they leave: without the audit rows nothing is exported.
  await store.commit({
    audit: named.map(({ words, content }) => exportRow(by, { words, isWhole, ...content.written })),
  });
  const saved: string[] = [];
  for (const { words, name, content } of named) {
    const delivery = await surface.sendFile({ name, content, title: `Payments: ${words}` });
    if (!delivery.ok) {
      const what = named.length === 1 ? 'the file' : name;
      return plainCard(`I could not send ${what}`, delivery.remedy, 'warning');
    }
    if (delivery.savedAs !== undefined) saved.push(delivery.savedAs);
  }
  return exportedCard(saved, files, { words: wish.words, isWhole });
};

const exportedCard = (
  saved: readonly string[],
  { list, rows, mostBytes }: ExportFiles,
  { words, isWhole }: { readonly words: string; readonly isWhole: boolean },
): Card => {
  const isOne = list.length === 1;
  const what = isOne ? 'The file is' : `${list.length} files are`;
  return cardOf(`${what} ${saved.length === 0 ? 'in our private chat' : 'saved'}`, [
    part.facts(
      { label: 'Payments', value: `${shown(rows)}, ${words}` },
      ...saved.map((path) => idFact('File', path)),
    ),
    !isOne && part.text(`Each has at most ${mostBytes / 1_000_000} MB, with the same header.`),
    !isWhole && part.note('Numbers and names are shortened.'),
  ]);
};

/** Each with its name for the person, and what is in it: `month, file 2 of 3`. */
const namedFiles = ({ list }: ExportFiles, words: string, atMs: number) => {
  const stamp = new Date(atMs).toISOString().replace(/\D/g, '');
  return list.map((content, at) =>
    list.length === 1
      ? { content, words, name: `payments-${stamp}.csv` }
      : {
          content,
          words: `${words}, file ${at + 1} of ${list.length}`,
          name: `payments-${stamp}-${at + 1}-of-${list.length}.csv`,
        },
  );
};
