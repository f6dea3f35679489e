import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callbackPath } from '../../src/core/callbacks/callbacks.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { RoundRobinProxy } from '../proof/storm/proxy.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startObligingService, type TakenPayment } from '../support/obliging-service.ts';
import { startPostgres } from '../support/postgres.ts';
import { type RunningApp, runApp } from '../support/run-app.ts';
import { tempFolder } from '../support/temp-folder.ts';

const OLD = 'the-old-secret-of-callbacks';
const NEW = 'the-new-secret-of-callbacks';
const SENDERS = 8;
const AT_LEAST = 100;

const postgres = await startPostgres();

/** Two instances on one database behind one proxy, with their callback secrets in a file. */
const openShop = async (secrets: string) => {
  const service = await startObligingService({ status: () => 'completed' });
  const ports = [await freePort(), await freePort()];
  const proxy = await RoundRobinProxy.start(ports);
  onTestFinished(() => proxy.stop());
  const file = join(await tempFolder(), 'callback-secret');
  const start = (port: number | undefined) =>
    runApp(
      {
        ...service.env(proxy.url),
        PORT: String(port),
        DATABASE_URL: postgres.url(),
        CALLBACK_SECRET_FILE: file,
        // No check comes by schedule: what settles is what was called back.
        STATUS_CHECK_SCHEDULE: '10h',
        PAYMENTS_RATE: '1000',
      },
      { clock: systemClock },
    );
  await writeFile(file, `${secrets}\n`, { mode: 0o600 });
  const apps: RunningApp[] = [await start(ports[0]), await start(ports[1])];
  const setTo = (list: string) => writeFile(file, `${list}\n`);
  const restart = async (at: 0 | 1) => {
    await apps[at]?.stop();
    apps[at] = await start(ports[at]);
  };
  /** As an operator does it: the new list into the file, then one instance after the other. */
  const rotateTo = async (list: string) => {
    await setTo(list);
    await restart(0);
    await restart(1);
  };
  /** Charges in the terminal of an instance. */
  const charge = async (amount: number): Promise<TakenPayment> => {
    const [app] = apps;
    await app?.charge(`0244123456 ${amount}`);
    // The other instance may send and tell it, so this terminal may not show it.
    return eventually(async () => {
      const taken = service.taken.find((payment) => payment.amount === amount);
      if (taken === undefined) throw new Error('not taken yet');
      expect(await stateOf(taken)).toBe('pending');
      return taken;
    });
  };
  /** Which of the two sends and signs is chance. */
  const chargeUntil = async (fits: (payment: TakenPayment) => boolean): Promise<TakenPayment> => {
    for (let amount = 100; ; amount++) {
      const payment = await charge(amount);
      if (fits(payment)) return payment;
    }
  };
  return { charge, chargeUntil, rotateTo, setTo, restart };
};

/**
 * Not taken, so services send again: the proxy says 502 when a listener closes on a connection that it had
 * just made, and 503 asks for it, when the payment was changed by others too often in a row, say.
 */
const SEND_AGAIN = [502, 503];

/** Calls back until it is taken or refused. */
const deliver = async (payment: TakenPayment): Promise<number> => {
  for (;;) {
    const status = await payment.callBack('{"status":"pending"}');
    if (!SEND_AGAIN.includes(status)) return status;
  }
};

/** Every sender calls back about it over and over, until it is told to stop; gives all answers. */
const underLoad = (payment: TakenPayment) => {
  const statuses: number[] = [];
  let stopped = false;
  const send = async () => {
    while (!stopped) statuses.push(await deliver(payment));
  };
  const senders = Array.from({ length: SENDERS }, send);
  const flows = () => eventually(() => expect(statuses.length).toBeGreaterThan(AT_LEAST));
  const stop = async () => {
    stopped = true;
    await Promise.all(senders);
    return statuses;
  };
  return { flows, stop };
};

const isSignedWith = (secret: string, { callbackUrl, transactionId }: TakenPayment): boolean =>
  callbackUrl.endsWith(callbackPath(secret, transactionId));

const stateOf = async ({ transactionId }: TakenPayment): Promise<string | undefined> => {
  const rows = await postgres.query<{ state: string }>(
    'SELECT state FROM paythread.payments WHERE id = $1',
    [transactionId],
  );
  return rows[0]?.state;
};

describe('while the secret of callbacks is rotated on two instances under load', () => {
  it('no callback is refused or lost, whichever of the two secrets signed it', {
    tags: ['T25'],
  }, async () => {
    const { charge, chargeUntil, rotateTo, setTo, restart } = await openShop(OLD);
    const old = [await charge(11), await charge(12), await charge(13)];
    const [hammered, early, late] = old;
    if (hammered === undefined || early === undefined || late === undefined) throw new Error('few');
    const oldLoad = underLoad(hammered);

    const learning = rotateTo(`${OLD},${NEW}`);
    expect(await deliver(early)).toBe(200);
    await learning;

    // The first one signs with the new secret while the second one still signs with the old one.
    await setTo(`${NEW},${OLD}`);
    await restart(0);
    const fresh = await chargeUntil((payment) => isSignedWith(NEW, payment));
    const newLoad = underLoad(fresh);
    await newLoad.flows();
    const second = restart(1);
    expect(await deliver(late)).toBe(200);
    await second;

    const statuses = [...(await oldLoad.stop()), ...(await newLoad.stop())];
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(old.map((payment) => isSignedWith(OLD, payment))).toEqual([true, true, true]);
    await eventually(async () => {
      const states = await Promise.all([...old, fresh].map(stateOf));
      expect(states).toEqual(states.map(() => 'completed'));
    });

    await rotateTo(NEW);
    expect(await deliver(fresh)).toBe(200);
    expect(await deliver(late)).toBe(404);
  });
});
