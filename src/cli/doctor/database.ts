import { type RestoreMark, restoreMark } from '../../core/records/stored-values.ts';
import { StartError } from '../../core/runtime/errors.ts';
import { examineRestore } from './data-folder.ts';
import type { Examined } from './examined.ts';

const MOST_APART_MS = 30_000;

/** The settings of the database, as a start would check them. Changes nothing: a new schema is made by the start. */
export const examineDatabase = async (examined: Examined): Promise<void> => {
  const { databaseUrl, dataDir } = examined.config;
  if (databaseUrl === undefined) return;
  examineRestore(await orFinding(examineServer(databaseUrl, examined), examined), examined);
  const { mustNotBeLeftBehind } = await import('../../core/store/postgres/left-behind.ts');
  await orFinding(mustNotBeLeftBehind(dataDir), examined);
};

/** A reason not to start is a finding here. */
const orFinding = async <T>(check: Promise<T>, { findings }: Examined): Promise<T | undefined> => {
  try {
    return await check;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const { what, remedy } = splitSentences(error.message);
    findings.wrong(what, remedy);
    return undefined;
  }
};

/** Returns the restore mark in it. */
const examineServer = async (
  url: string,
  { clock, findings }: Examined,
): Promise<RestoreMark | undefined> => {
  const [
    { connectionSettings },
    { openClient },
    { checkRightsToStart, checkServer },
    { asStartError },
    { settingIn },
  ] = await Promise.all([
    import('../../core/store/postgres/connection-settings.ts'),
    import('../../core/store/postgres/database.ts'),
    import('../../core/store/postgres/server-checks.ts'),
    import('../../core/store/postgres/start-refusals.ts'),
    import('../../core/store/postgres/restore-detection.ts'),
  ]);
  let place = 'the database';
  try {
    const settings = connectionSettings(url);
    place = settings.place;
    const client = await openClient(settings);
    try {
      await checkServer(client, place);
      await checkRightsToStart(client, place);
      const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
      const apartMs = Math.abs(clock.now() - (rows[0]?.now.getTime() ?? clock.now()));
      if (apartMs > MOST_APART_MS)
        findings.wrong(
          `The clocks of this machine and of ${place} are ${Math.round(apartMs / 1000)} s apart.`,
          'Switch time synchronisation on on both.',
        );
      findings.note(`Connected to ${place}.`);
      return restoreMark.read(await settingIn(client, restoreMark.id));
    } finally {
      await client.end();
    }
  } catch (error) {
    throw asStartError(error, place);
  }
};

/** A reason not to start ends with the sentence that says what to do. */
const splitSentences = (message: string): { what: string; remedy: string } => {
  const sentences = message.split(/(?<=[.?]) (?=[A-Z])/);
  const remedy = sentences.length > 1 ? sentences.pop() : undefined;
  return {
    what: sentences.join(' '),
    remedy: remedy ?? 'Start the database, and check DATABASE_URL.',
  };
};
