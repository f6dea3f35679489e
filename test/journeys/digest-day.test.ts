import { expect } from 'vitest';
import { aPayment } from '../support/a-payment.ts';
import { EDGES, openEdge } from '../support/edges.ts';
import { together } from '../support/together.ts';

const it = together();

const HOUR_MS = 3_600_000;

const WHOLE_DAY = new RegExp(
  [
    'Day so far, \\w+ \\d+ \\w+ until 18:\\d\\d',
    '2 completed · GHS 70\\.00 · 1 pending · 3 failed',
    "Why most failed: The customer's wallet does not have enough money \\(2 of 3\\)",
    'Top sellers: Kojo GHS 50\\.00, efua[ \\w]* GHS 20\\.00',
    'Balances, .*: GHS 10,020\\.00 collection · GHS 2,500\\.00 payout · 1000 SMS',
    'A person has to look into 1 payment\\.',
    '⚠️ GHS 24\\.00 · .+ · \\d\\d:\\d\\d · efua',
  ].join('[\\s\\S]*'),
  'i',
);
const NEXT_DAY = new RegExp(
  [
    'Day so far, ',
    '0 completed · GHS 0\\.00',
    'Changed since the last summary:',
    '\\w+ \\d+ \\w+: 3 completed · GHS 94\\.00 · 3 failed \\(was 2 · GHS 70\\.00 · 3\\)',
    '✅ GHS 24\\.00 was pending, is completed · \\w+ \\d+ \\w+ \\(closed\\)',
  ].join('[\\s\\S]*'),
);

it.each(EDGES.filter((name) => name !== 'the terminal'))(
  '%s is told a whole day, and the next day what changed in it since',
  async (name) => {
    const efua = await openEdge(name, (DIGEST) => ({
      DIGEST,
      DIGEST_AT: '18:00',
      STATUS_CHECK_GIVE_UP: '1h',
      // One check is enough to give it up: the program was away for the others.
      STATUS_CHECK_SCHEDULE: '1h',
    }));
    const noonMs = efua.shop.clock.now();
    const charge = async (cedis: number, answer?: 'approved' | 'declined' | 'no money') => {
      efua.type(`/charge 02441234${cedis} ${cedis}`);
      await efua.press(new RegExp(`Charge GHS ${cedis}\\.00\\?`), `Charge GHS ${cedis}.00`);
      if (answer === undefined) return efua.sees(new RegExp(`GHS ${cedis}\\.00 pending`));
      await efua.customer(`02441234${cedis}`, answer);
      const end = answer === 'approved' ? 'completed' : 'failed';
      await efua.sees(new RegExp(`GHS ${cedis}\\.00 from .*: ${end}`));
    };
    const sold = aPayment({ state: 'completed', confirmedAtMs: noonMs, settledAtMs: noonMs });
    const record = { ...sold, requester: { ...sold.requester, name: 'Kojo' } };
    expect(await efua.shop.app.store.commit({ put: [{ kind: 'payment', record }] })).toBe(true);
    await charge(20, 'approved');
    await charge(21, 'no money');
    await charge(22, 'declined');
    await charge(23, 'no money');
    await charge(24);

    await efua.restart(noonMs + 3 * HOUR_MS);
    await efua.sees(/No answer came, and I stopped checking/);
    efua.type('/balance');
    await efua.sees(/GHS 10,020\.00/);
    // The program was not there at 18:00.
    await efua.restart(noonMs + 6 * HOUR_MS + 1_000);
    await efua.sees(WHOLE_DAY);
    efua.type('/close');
    await efua.press(/Day's end/, 'Close before the day is over');
    await efua.sees(/\(closed\)/);
    await efua.customer('0244123424', 'approved');
    await efua.sees(/GHS 24\.00 completed/);

    await efua.restart(noonMs + 31 * HOUR_MS);
    await efua.sees(NEXT_DAY);
  },
);
