import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { capturedLog } from '../support/captured-log.ts';
import { eventually } from '../support/eventually.ts';
import { startPostgres } from '../support/postgres.ts';
import { openServiceShop } from '../support/service-shop.ts';

const postgres = await startPostgres();

const openShop = async (env: Record<string, string> = {}) => {
  const { log, entries } = capturedLog();
  const { service, ...app } = await openServiceShop(
    { status: () => 'completed' },
    { DATABASE_URL: postgres.url(), ...env },
    { clock: systemClock, log },
  );
  return { app, service, entries };
};

describe('somebody who can write into the database', () => {
  it('cannot have a payment sent that nobody confirmed: it is not sent, and the operators are told', {
    tags: ['T28'],
  }, async () => {
    const { app, service, entries } = await openShop();
    await app.charge('0244123456 50');
    await eventually(() => expect(service.taken).toHaveLength(1));
    const [confirmed] = service.taken;
    if (confirmed === undefined) throw new Error('not taken');

    // A row like the confirmed one, with another id and another amount, due at once.
    const forged = newTransactionId(Date.now());
    await postgres.query(
      `INSERT INTO paythread.records (kind, id, version, body, salt, due_queue, claim_ms, state,
         customer_number, requester, confirmed_ms, ended_ms, currency, amount_minor, network, payment_option, place)
       SELECT kind, $2, 1,
         jsonb_set((replace(body::text, $1, $2)::jsonb - 'submittedAtMs' - 'card') || jsonb_build_object(
           'version', 1, 'state', 'confirmed', 'confirmedAtMs', $3::bigint, 'submitByMs', $3::bigint + 120000,
           'due', jsonb_build_object('queue', 'submit', 'atMs', $3::bigint)),
           '{terms,amount,amountMinor}', '999900')::json,
         salt, 'submit', 0, 'confirmed', customer_number, requester, $3::bigint, $3::bigint, currency, 999900,
         network, payment_option, place
       FROM paythread.payments WHERE id = $1`,
      [confirmed.transactionId, forged, Date.now()],
    );
    // Instances learn of what others commit by a notification; the forger need not send one.
    await app.charge('0244123456 51');
    await eventually(async () => {
      const [row] = await postgres.query<{ state: string }>(
        'SELECT state FROM paythread.payments WHERE id = $1',
        [forged],
      );
      expect(row?.state).toBe('not sent');
    });
    await eventually(() => expect(service.taken.map(({ amount }) => amount)).toEqual([50, 51]));
    await eventually(() =>
      expect(entries).toContainEqual({
        level: 'error',
        fields: { alert: { kind: 'seal broken', paymentId: forged } },
        message: 'a person has to look into this',
      }),
    );
  });

  it('cannot change a question between its showing and its press, of a charge or of an SMS', {
    tags: ['T28'],
  }, async () => {
    const { app, service, entries } = await openShop({ SMS_SENDER_ID: 'Shop' });
    const alerts = () => entries.filter(({ message }) => /has to look/.test(message)).length;
    const raise = (from: string, to: string) =>
      postgres.query(
        `UPDATE paythread.records SET body = replace(body::text, $1, $2)::json
         WHERE kind = 'draft' AND body->>'status' = 'open'`,
        [from, to],
      );
    await app.ask('/charge 0244123456 61', 'Charge GHS 61.00?');
    await raise('"amountMinor":6100', '"amountMinor":990000');
    await app.ask('yes', 'What is stored is not what you were shown.');
    expect([service.taken, alerts()]).toEqual([[], 1]);

    await app.ask('/sms 0244123456 We open at 8.', 'Send this SMS to 1 person?');
    await raise('We open at 8.', 'Pay to 055.');
    await app.ask('yes', 'Nothing was sent. What is stored is not what you were shown.');
    expect(alerts()).toBe(2);
  });
});
