import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const runThatEndsWith = (code: number): string => `
  import { setup } from '${import.meta.dirname}/shared-postgres.ts';
  let address;
  const stop = await setup({ provide: (_name, value) => { address = value; } });
  console.log(await (await fetch(address)).text());
  await stop();
  process.exitCode = ${code};
`;

it.each([0, 1])('a run that had a PostgreSQL ends with %i as its tests did', async (code) => {
  const run = spawn(process.execPath, ['--input-type=module', '--eval', runThatEndsWith(code)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  run.stdout.on('data', (piece) => {
    output += String(piece);
  });
  run.stderr.on('data', (piece) => {
    errors += String(piece);
  });
  const ended = await once(run, 'close');
  expect(output).toContain('"port":');
  expect(errors).toBe('');
  expect(ended).toEqual([code, null]);
});
