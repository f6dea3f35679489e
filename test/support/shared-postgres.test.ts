import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const RUN_WITH_FAILED_TESTS = `
  import { setup } from '${import.meta.dirname}/shared-postgres.ts';
  let address;
  const stop = await setup({ provide: (_name, value) => { address = value; } });
  console.log(await (await fetch(address)).text());
  await stop();
  process.exitCode = 1;
`;

it('a run whose tests failed ends with 1 although it had a PostgreSQL', async () => {
  const run = spawn(process.execPath, ['--input-type=module', '--eval', RUN_WITH_FAILED_TESTS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  run.stdout.on('data', (piece) => {
    output += String(piece);
  });
  const [code] = await once(run, 'close');
  expect(output).toContain('"port":');
  expect(code).toBe(1);
});
