import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ROOT = join(import.meta.dirname, '../..');

/** The files that take longest, the slowest first: started last, one of them would run alone on one core. */
const SLOW = [
  'test/proof/simulation/simulation.test.ts',
  'test/faults/wrong-clock.test.ts',
  'test/journeys/approvals-everywhere.test.ts',
  'test/core/store/postgres/roles.test.ts',
  'test/cli/reconcile.test.ts',
  'test/core/store/postgres/postgres-store.test.ts',
  'test/faults/secrets-of-databases.test.ts',
  'test/faults/real-process.test.ts',
  'test/journeys/telegram.test.ts',
  'test/faults/secrets-of-payments.test.ts',
  'test/core/store/postgres/instances.test.ts',
  'test/cli/reconcile-postgres.test.ts',
  'test/journeys/crash.test.ts',
  'test/proof/bulk-crash/bulk-crash.test.ts',
  'test/faults/names-in-the-log.test.ts',
  'test/faults/secrets-of-chats.test.ts',
  'test/commands/digest/digest.test.ts',
  'test/faults/killed.test.ts',
  'test/core/store/postgres/move-store.test.ts',
  'test/core/store/postgres/cut-connection.test.ts',
  'test/proof/power-cuts/power-cuts.test.ts',
  'test/tasks/tasks.test.ts',
  'test/journeys/slack-home.test.ts',
  'test/journeys/brought-forward.test.ts',
  'test/smoke.test.ts',
  'test/faults/outage.test.ts',
  'test/cli/audit-postgres.test.ts',
  'test/commands/close/close.test.ts',
  'test/core/store/refused-write.test.ts',
].map((path) => join(ROOT, path));

/** Projects whose files are few and slow come before the one with many short files, which fill every gap at the end. */
const PROJECTS = ['postgres', 'properties', 'embedded'];

/**
 * The order of test files on a machine that has no durations of an earlier run, such as a fresh clone: by project, then
 * the slow ones, then the larger files first. A process goes on with the next file only within its project.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = SLOW.filter((path) => !existsSync(path));
    if (gone.length > 0) throw new Error(`SLOW in slow-first.ts names no file: ${gone.join(', ')}`);
    const keys = new Map(files.map((file) => [file, orderOf(file)]));
    const key = (file: TestSpecification) => keys.get(file) ?? [];
    return files.toSorted((a, b) => compare(key(a), key(b)));
  }
}

const orderOf = ({ moduleId, project }: TestSpecification): readonly number[] => {
  const slow = SLOW.indexOf(moduleId);
  return [
    PROJECTS.indexOf(project.name),
    slow === -1 ? SLOW.length : slow,
    -statSync(moduleId).size,
  ];
};

const compare = (a: readonly number[], b: readonly number[]): number => {
  const differing = a.findIndex((each, place) => each !== b[place]);
  return differing === -1 ? 0 : (a[differing] ?? 0) - (b[differing] ?? 0);
};
