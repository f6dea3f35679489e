import { cardToText } from '../bots/terminal/card-to-text.ts';
import { parseAuditId } from '../commands/audit/audit.ts';
import { storyCard, storyOf } from '../commands/audit/audit-story.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { defined } from '../core/runtime/defined.ts';
import { type AuditHead, readHead } from '../core/store/sql/audit-head.ts';
import type { AuditVerdict } from '../core/store/sql/verify-audit.ts';
import { verifyFolder } from '../core/store/sqlite/verify-folder.ts';
import { readStore } from './read-store.ts';
import { exampleText, type Printed, type ShellCommand, wrongUsage } from './shell-command.ts';
import { countText, paymentsText } from './shown-text.ts';

/** `paythread audit …`: beside a Paythread that runs, or without one. */
export const audit: ShellCommand = (command, run) => {
  command
    .description('Reads the audit trail, while Paythread runs or not. It changes nothing.')
    .helpCommand(false)
    .addHelpText('after', exampleText('audit verify', 'audit show 01JD2M4X9QK7T3VB'));
  command
    .command('verify')
    .summary('checks the whole audit trail')
    .description('Checks the whole audit trail. Exits with 1 when something was changed.')
    .option('--from <head>', 'also checks that a head noted earlier is still part of it')
    .addHelpText('after', exampleText('audit verify'))
    .action(({ from }: { from?: string }) => run(({ config }) => verify(config(), from)));
  command
    .command('show')
    .summary('shows what happened to a payment')
    .description('Shows what happened to a payment. Exits with 1 when there is no such payment.')
    .argument('<id...>', 'the transaction id')
    .addHelpText('after', exampleText('audit show 01JD2M4X9QK7T3VB'))
    .action((words: string[]) => run(({ config }) => show(config(), words.join(' '))));
};

const verify = async ({ dataDir, databaseUrl }: Config, noted?: string): Promise<Printed> => {
  const head = noted === undefined ? undefined : headIn(noted);
  const verdict =
    databaseUrl === undefined
      ? await verifyFolder(dataDir, head)
      : await verifyIn(databaseUrl, head);
  const place = databaseUrl === undefined ? dataDir : 'the database';
  return { text: auditReport(verdict, place, noted), exitCode: isWhole(verdict) ? 0 : 1 };
};

const verifyIn = async (url: string, head: AuditHead | undefined): Promise<AuditVerdict> => {
  const { verifyDatabase } = await import('../core/store/postgres/verify-database.ts');
  return verifyDatabase(url, { nowMs: systemClock.now(), ...defined({ noted: head }) });
};

const headIn = (noted: string): AuditHead => {
  const head = readHead(noted);
  if (head !== undefined) return head;
  throw wrongUsage(
    `"${noted.slice(0, 100)}" is not the head of an audit trail, which looks like 1795251863000.5d4140…, with 64 letters and digits behind the dot.`,
  );
};

const show = async (config: Config, words: string): Promise<Printed> => {
  const id = parseAuditId(words);
  if (!id.ok)
    throw wrongUsage(`${id.problem.message} Example: npm run audit -- show 01JD2M4X9QK7T3VB`);
  const [rows, payment] = await readStore(config, (store) =>
    Promise.all([store.auditOf(id.value), store.get('payment', id.value)]),
  );
  if (rows.length === 0) return { text: `There is no payment ${id.value} here.`, exitCode: 1 };
  const { timeZone } = config;
  const story = storyOf(id.value, rows, { timeZone, nowMs: systemClock.now() }, payment);
  return { text: cardToText(storyCard(story, timeZone, { isWhole: true })) };
};

/** What `npm run audit -- verify` prints of a trail. */
export const auditReport = (verdict: AuditVerdict, place: string, noted?: string): string => {
  const { places, broken } = verdict;
  const aboutNoted = noted === undefined ? [] : [notedText(verdict, noted)];
  const told =
    broken === 0
      ? [wholeText(verdict, place), ...aboutNoted, headText(verdict)]
      : [brokenText(verdict, place), listOf(places, broken), sumsText(verdict), ...aboutNoted];
  return told.join('\n\n');
};

export const isWhole = ({ broken, hasNoted }: AuditVerdict): boolean =>
  broken === 0 && hasNoted !== false;

const wholeText = ({ rows, stored }: AuditVerdict, place: string): string =>
  `The audit trail in ${place} is whole. Rows: ${rows.toLocaleString('en')}. It agrees with what is stored: ${paymentsText(stored)}.`;

const brokenText = ({ rows, broken }: AuditVerdict, place: string): string =>
  `The audit trail in ${place} is broken in ${countText(broken, 'place')} (${countText(rows, 'row')} were read):`;

const listOf = (places: readonly string[], broken: number): string => {
  const more = broken - places.length;
  return [
    ...places.map((each) => `  ${each}`),
    ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : []),
  ].join('\n');
};

const sumsText = ({ stored, audited }: AuditVerdict): string =>
  `Stored: ${paymentsText(stored)}.\nIn the trail: ${paymentsText(audited)}.\nKeep everything as it is, and compare it with a backup before anything is mended.`;

const notedText = ({ hasNoted }: AuditVerdict, noted: string): string =>
  hasNoted
    ? `The head that was noted earlier is part of it: ${noted}`
    : `The head that was noted earlier is not part of it: ${noted}\nThe trail was written again since, or the store went back to a backup from before, or the head is of another store.`;

const headText = ({ head }: AuditVerdict): string =>
  `Its head is ${head}\nKeep that in another place. A person who can write all data here could rewrite the whole trail without a trace. "npm run audit -- verify --from <head>" shows that, as long as they cannot change the head you kept.`;
