import { parse } from 'csv-parse/sync';
import { onTestFinished } from 'vitest';
import type { EngineOptions } from '../../../src/app/engine-options.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import type { SmsOutcome } from '../../../src/core/gateway/gateway.ts';
import type { Merchant } from '../../../src/core/records/merchants.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { shop } from '../../support/a-payment.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { statusOf } from '../../support/stub-gateway.ts';

export const kofi = { platform: 'slack', id: 'U0KOFI', name: 'kofi' };
/** A conversation where customers are shown whole. */
export const DIRECT = { platform: 'slack', channel: 'D1' };
export const SMS_ACCEPTED: SmsOutcome = { kind: 'sent', answer: {}, messageId: 'm1', status: 'ok' };

/** What a desk for files is opened on: an empty store, on a Sunday morning. */
export const sundayMorning = async () => ({
  clock: new ManualClock(Date.parse('2026-11-22T10:00:00Z')),
  store: await openStore(),
});

type FileDeskOptions = Omit<Partial<EngineOptions>, 'settings'> & {
  readonly settings?: Partial<EngineOptions['settings']>;
};

/** A started desk whose service completes every payment and accepts every SMS; it stops with the test. */
export const openFileDesk = async (
  store: Store,
  clock: ManualClock,
  grantsOf?: (caller: Caller) => Grants,
  { settings, ...more }: FileDeskOptions = {},
): Promise<Desk> => {
  const desk = openDesk(store, clock, grantsOf, undefined, undefined, {
    settings: {
      ...{ currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds: ['Shop'] },
      ...settings,
    },
    ...more,
  });
  desk.gateway.onStatus = (id) => statusOf(id, 'completed');
  desk.gateway.onSms = () => SMS_ACCEPTED;
  onTestFinished(() => desk.engine.stop());
  await desk.engine.start();
  return desk;
};

/** Lets time pass in steps: what a moment begins is over before the next. */
export const passInSteps = async (
  clock: ManualClock,
  seconds: number,
  stepMs = 200,
): Promise<void> => {
  for (let ms = 0; ms < seconds * 1_000; ms += stepMs) await clock.advance(stepMs);
};

/** A file with a line for each row. */
export const tableOf = (header: string, rows: number, line: (row: number) => string): string =>
  [header, ...Array.from({ length: rows }, (_, row) => line(row))].join('\n');

export const lineOf = (row: number): string => `02441234${50 + row},50`;

export const fileOf = (rows: number, line = lineOf): string => tableOf('number,amount', rows, line);

/** What the last file that was sent to anyone says. */
export const lastFile = async (desk: Desk): Promise<string> =>
  (await desk.files.at(-1)?.content.text()) ?? '';

export const lastRows = async (desk: Desk): Promise<Record<string, string>[]> =>
  parse(await lastFile(desk), { bom: true, columns: true });

/** The shop's conversation, when it belongs to a merchant. */
export const merchant = (name: string): Merchant => ({
  ...{ name, nickname: name, senderIds: ['SHOP'] },
  conversations: [`slack:${shop.channel}`],
});
