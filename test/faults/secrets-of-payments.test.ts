import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { INDISCREET, PLANTED, plantedIn } from '../support/planted-secrets.ts';
import { jsonScript, type Script, startScriptedHttp } from '../support/scripted-http.ts';
import { makeSelfSigned } from '../support/self-signed.ts';
import { SpawnedShop } from '../support/spawned-shop.ts';

const BASIC = Buffer.from(`${PLANTED.PAYMENTS_CLIENT_KEY}:${PLANTED.PAYMENTS_SECRET_KEY}`);

/** A shop before this payment service. */
const openShop = async (script: Script, tls?: { key: string; cert: string }) => {
  const service = await startScriptedHttp(script, tls);
  onTestFinished(() => service.stop());
  const { PAYMENTS_CLIENT_KEY, PAYMENTS_SECRET_KEY, CALLBACK_SECRET } = PLANTED;
  const keys = { PAYMENTS_CLIENT_KEY, PAYMENTS_SECRET_KEY, CALLBACK_SECRET };
  const shop = await SpawnedShop.open({
    LOG_LEVEL: 'trace',
    PAYMENTS_BASE_URL: service.baseUrl,
    ...keys,
  });
  await shop.app.start();
  return { shop, service };
};

/** Neither in the log nor in the chat. */
const expectNothingOut = ({ app, chat }: SpawnedShop) => {
  expect(app.output.length).toBeGreaterThan(100);
  expect(plantedIn(app.output)).toEqual([]);
  expect(app.output).not.toContain(BASIC.toString('base64'));
  expect(plantedIn(chat.transcript())).toEqual([]);
};

const FOUND = jsonScript(200, {
  response_code: '000',
  response_message: 'found',
  response_data: { account_name: 'KOFI MENSAH', account_status: 'active', account_type: 'momo' },
});

describe('no secret comes out of the program when the payment service fails with', () => {
  // After a 401 nothing more is sent, so it comes last.
  const kinds = Object.entries(INDISCREET).toSorted(([kind]) => (kind === '401' ? 1 : -1));

  // One program meets them one after the other; checks of the payments before meet them as well.
  it(kinds.map(([kind]) => kind).join(', '), { tags: ['I15'] }, async () => {
    const { shop, service } = await openShop(FOUND);
    for (const [at, [kind, fail]] of kinds.entries()) {
      service.script = (socket, request) =>
        (/account/.test(request.path) ? FOUND : fail)(socket, request);
      await shop.charge(50 + at);
      await shop.shows(new RegExp(`(unknown|refused|not sent) · GHS ${50 + at}\\.00`));
      const payment = service.requests.findLast(({ path }) => /make_payment/.test(path));
      const body = JSON.parse(payment?.body ?? '{}') as Record<string, unknown>;
      expect(body['amount'], kind).toBe(50 + at);
      expect(payment?.headers['authorization']).toBe(`Basic ${BASIC.toString('base64')}`);
      const token = String(body['callback_url']).split('/').at(-1) ?? '';
      expect(token).toMatch(/^[0-9a-f]{64}$/);
      expect(shop.app.output, kind).not.toContain(token);
    }
    expectNothingOut(shop);
  });

  it.each(['a refused connection', 'a certificate that nobody signed'])(
    '%s',
    { tags: ['I15'] },
    async (kind) => {
      const { shop, service } = await openShop(FOUND, makeSelfSigned());
      if (kind === 'a refused connection') await service.stop();
      shop.type('/balance');
      await shop.shows(/[Bb]alance/);
      shop.type('/lookup 0244123456');
      await eventually(() => expect(shop.app.output).toMatch(/lookup|account/));
      expectNothingOut(shop);
    },
  );
});
