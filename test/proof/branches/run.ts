import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVitest } from '../../support/run-vitest.ts';
import { MEASURED } from './measured.ts';
import { uncoveredIn } from './uncovered.ts';

/* `npm run coverage`: fails while one branch of the measured files is not tried by a test. */
const folder = mkdtempSync(join(tmpdir(), 'paythread-coverage-'));
const status = runVitest(
  ['--config', 'test/proof/branches/vitest.config.ts', '--reporter', 'dot'],
  {
    NODE_V8_COVERAGE: folder,
  },
);
const uncovered = uncoveredIn(folder, MEASURED);
rmSync(folder, { recursive: true });

for (const { file, line, text } of uncovered)
  process.stdout.write(`${file}:${line} is never run: ${text.replaceAll('\n', ' ')}\n`);
for (const file of MEASURED) {
  const left = uncovered.filter((each) => each.file === file).length;
  process.stdout.write(
    `${left === 0 ? '100 % of branches' : `${left} not tried      `}  ${file}\n`,
  );
}
process.exitCode = status === 0 && uncovered.length === 0 ? 0 : 1;
