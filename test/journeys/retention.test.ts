import { expect, it } from 'vitest';
import { capturedLog } from '../support/captured-log.ts';
import { eventually } from '../support/eventually.ts';
import { runApp } from '../support/run-app.ts';

it('with RETAIN old payments are looked for at the start, and a stop does not wait for the next day', async () => {
  const { log, entries } = capturedLog();
  const { stop } = await runApp(
    { RETAIN: '400d', PSEUDONYM_SECRET: 'a-secret-of-pseudonyms' },
    { log },
  );
  await eventually(() =>
    expect(entries.map(({ message }) => message)).toContain(
      'payments older than RETAIN have lost number and name',
    ),
  );
  await stop();
});

it('without RETAIN nobody looks', async () => {
  const { log, entries } = capturedLog();
  const { stop } = await runApp({}, { log });
  await stop();
  expect(entries.map(({ message }) => message).filter((text) => /RETAIN/.test(text))).toEqual([]);
});
