import { describe, expect, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { INDISCREET, PLANTED, plantedIn } from '../support/planted-secrets.ts';
import {
  jsonScript,
  type Script,
  type ScriptedRequest,
  startScriptedHttp,
} from '../support/scripted-http.ts';
import { makeSelfSigned } from '../support/self-signed.ts';
import { SpawnedShop } from '../support/spawned-shop.ts';
import { together } from '../support/together.ts';

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

type Shop = Awaited<ReturnType<typeof openShop>>;

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
  const it = together();
  const kinds = Object.entries(INDISCREET).filter(([kind]) => kind !== '401');

  const amountOf = ({ body }: ScriptedRequest) => Number(JSON.parse(body)['amount']);

  const expectFailing = async ({ shop, service }: Shop, amount: number, kind: string) => {
    await shop.charge(amount);
    await shop.shows(new RegExp(`GHS ${amount}\\.00 (unknown|refused|not sent)`));
    const payment = service.requests.findLast(
      (request) => /make_payment/.test(request.path) && amountOf(request) === amount,
    );
    const body = JSON.parse(payment?.body ?? '{}') as Record<string, unknown>;
    expect(body['amount'], kind).toBe(amount);
    expect(payment?.headers['authorization']).toBe(`Basic ${BASIC.toString('base64')}`);
    const token = String(body['callback_url']).split('/').at(-1) ?? '';
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(shop.app.output, kind).not.toContain(token);
  };

  it([...kinds.map(([kind]) => kind), '401'].join(', '), { tags: ['I15'] }, async () => {
    let checks = 0;
    // Each payment has its own failure; checks meet all of them in turn.
    const { shop, service } = await openShop((socket, request) => {
      if (/account/.test(request.path)) return FOUND(socket, request);
      const at = /make_payment/.test(request.path) ? amountOf(request) - 50 : checks++;
      const [, fail] = kinds[at % kinds.length] as (typeof kinds)[number];
      return fail(socket, request);
    });
    const sellers = kinds.map((_, at) => shop.as(at));
    await Promise.all(
      kinds.map(([kind], at) =>
        expectFailing({ shop: sellers[at] ?? shop, service }, 50 + at, kind),
      ),
    );
    // After a 401 nothing more is sent, so it comes last.
    service.script = (socket, request) =>
      (/account/.test(request.path) ? FOUND : (INDISCREET['401'] as Script))(socket, request);
    await expectFailing({ shop, service }, 50 + kinds.length, '401');
    for (const each of sellers) expectNothingOut(each);
  });

  it.each(['a refused connection', 'a certificate that nobody signed'])(
    '%s',
    {
      tags: ['I15'],
    },
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
