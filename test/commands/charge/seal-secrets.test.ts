import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { openDesk } from '../../support/desk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const KEYS = {
  PAYMENTS_BASE_URL: 'https://payments.example.com',
  PAYMENTS_CLIENT_KEY: 'client',
  PAYMENTS_SECRET_KEY: 'the key of the service',
  PAYMENTS_SERVICE_ID: '1234',
  PAYMENTS_NICKNAME: 'Adjoa Stores',
  PUBLIC_URL: 'https://pay.example.com',
};
const OWN = 'a long secret for seals alone';

const sealSecretOf = (env: Record<string, string>) => {
  const { payments } = readConfig({ ...KEYS, ...env });
  return payments.kind === 'service' ? payments.sealSecret : '';
};

it('a question that was sealed with the key of the service goes on counting once there is a secret for seals, and not the other way round', {
  tags: ['T28'],
}, async () => {
  const store = await openStore();
  const clock = new ManualClock();
  const desk = (env: Record<string, string> = {}) =>
    openDesk(store, clock, undefined, undefined, undefined, { sealSecret: sealSecretOf(env) });
  const [before] = await desk().type(ama, 'charge', '0244123456 50', 'e1');
  const [after] = await desk({ SEAL_SECRET: OWN }).type(ama, 'charge', '0244123457 60', 'e2');
  const pressed = async (env: Record<string, string>, question = before) => {
    const [answer] = await desk(env).press(ama, question, 'Charge');
    return cardText(answer);
  };
  expect(await pressed({}, after)).toMatch(/^The question was changed/);
  expect(await pressed({ SEAL_SECRET: OWN }, before)).toMatch(/^Confirmed/);
  const [third] = await desk({ SEAL_SECRET: OWN }).type(ama, 'charge', '0244123458 70', 'e3');
  expect(await pressed({ SEAL_SECRET: OWN, PAYMENTS_SECRET_KEY: 'another' }, third)).toMatch(
    /^Confirmed/,
  );
});
