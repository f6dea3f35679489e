import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { examine } from '../../src/cli/doctor/examination.ts';
import { reportText, type Trouble } from '../../src/cli/doctor/report.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Clock, systemClock } from '../../src/core/runtime/clock.ts';
import { freePort } from './free-port.ts';
import { tempFolder } from './temp-folder.ts';

/** What the doctor says about these settings. */
export type Examined = {
  readonly text: string;
  readonly findings: readonly Trouble[];
  /** What is wrong in one area. */
  of(area: string): string[];
};

/** An access file that nothing is wrong with. */
export const CHARGING = 'roles: { a: { commands: [charge] } }\nmembers: { a: [terminal:local] }';

/** Settings that nothing is wrong with, in a folder of the test's own. */
export const healthyEnv = async (access = ''): Promise<Record<string, string>> => {
  const dir = await tempFolder();
  const data = join(dir, 'data');
  await mkdir(data, { mode: 0o700 });
  if (access !== '') {
    await writeFile(join(dir, 'access.yml'), access);
    await chmod(join(dir, 'access.yml'), 0o600);
  }
  return {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: data,
    ACCESS_FILE: join(dir, 'access.yml'),
  };
};

/** Runs the examination inside the test. */
export const examined = async (
  env: Readonly<Record<string, string>>,
  clock: Clock = systemClock,
): Promise<Examined> => {
  const reports = await examine(readConfig(env), clock);
  return {
    text: reportText(reports),
    findings: reports.flatMap(({ findings }) => findings),
    of: (area) =>
      reports
        .filter((report) => report.area === area)
        .flatMap(({ findings }) => findings.map(({ what }) => what)),
  };
};
