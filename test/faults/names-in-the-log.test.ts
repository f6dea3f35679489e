import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { jsonScript, type ScriptedRequest, startScriptedHttp } from '../support/scripted-http.ts';
import { SpawnedShop } from '../support/spawned-shop.ts';

/** As the lookup has it, as the service calls them otherwise, and the number however it is written. */
const TRACES = /kofi|mensah|yaw|owusu|24[\s-]*412[\s-]*3456/i;
const SAID = 'Yaw Owusu-Ansah, 024 412 3456, is asked';

const lookup = {
  response_code: '000',
  response_message: `found ${SAID}`,
  response_data: { account_name: 'KOFI MENSAH', account_status: 'active', account_type: 'momo' },
};
const fields = ({ body }: ScriptedRequest) => JSON.parse(body) as Record<string, string>;

type Ends = {
  readonly payment: readonly [status: number, code: string];
  /** What a status check says of it. */
  readonly word: string;
  readonly shown: RegExp;
};

const JOURNEYS = {
  completed: { payment: [200, '202'], word: 'completed', shown: /: completed/ },
  failed: { payment: [200, '202'], word: 'failed', shown: /: failed/ },
  refused: { payment: [400, '400'], word: 'unknown', shown: /: refused/ },
  'not understood': { payment: [500, '500'], word: SAID, shown: /unknown/ },
  'about something else': {
    payment: [200, '202'],
    word: 'completed',
    shown: /speaks of GHS 5,000/,
  },
} satisfies Record<string, Ends>;
type Kind = keyof typeof JOURNEYS;

/** A payment service that names the customer in whatever it says. */
const openShop = async (kind: Kind, { payment, word }: Ends) => {
  const asked = new Map<string, Record<string, string>>();
  const service = await startScriptedHttp((socket, request) => {
    const said = fields(request);
    const { transaction_id: id = '' } = said;
    if (/make_payment/.test(request.path)) {
      asked.set(id, said);
      const [status, response_code] = payment;
      return jsonScript(status, { response_code, response_message: SAID })(socket, request);
    }
    if (!/status/.test(request.path)) return jsonScript(200, lookup)(socket, request);
    const amount = kind === 'about something else' ? 5_000 : asked.get(id)?.['amount'];
    return jsonScript(200, {
      response_code: '000',
      response_message: SAID,
      response_data: { transaction_id: id, status: word, amount, payer: SAID },
    })(socket, request);
  });
  onTestFinished(() => service.stop());
  const shop = await SpawnedShop.open({
    LOG_LEVEL: 'trace',
    PAYMENTS_BASE_URL: service.baseUrl,
    SMS_SENDER_ID: 'SHOP',
    OPERATORS: 'telegram:1001',
  });
  await shop.app.start();
  return { shop, asked };
};

/** Lines that name the customer, of the whole log of the program once its payment ended like this. */
const tracesAfter = async (kind: Kind): Promise<readonly string[]> => {
  const ends: Ends = JOURNEYS[kind];
  const { shop, asked } = await openShop(kind, ends);
  await shop.charge(50);
  await eventually(() => expect(asked.size).toBe(1));
  const [[id, { callback_url: url = '' }] = ['', {}]] = [...asked];
  // A callback that comes before the refusal is stored makes it unknown, and it is asked about first.
  if (kind === 'refused') await shop.shows(ends.shown);
  const body = JSON.stringify({ message: SAID, msisdn: '0244123456', payer: 'KOFI MENSAH' });
  await eventually(async () => {
    const { status } = await fetch(url, { method: 'POST', body });
    expect(status).toBe(200);
  });
  await shop.shows(ends.shown);
  shop.type('/lookup 0244123456');
  shop.type(`/status ${id}`);
  shop.type('/sms 0244123456 Dear Yaw Owusu-Ansah, thank you');
  shop.type('/payments 0244123456');
  await shop.shows(/Payments/);
  await eventually(() => expect(shop.app.output).toContain('payment requested'));
  return shop.app.output.split('\n').filter((line) => TRACES.test(line));
};

it('no line of the log names a customer, however the payment ends', { tags: ['T14'] }, async () => {
  // Side by side: each waits for the pace of its chat most of the time.
  const kinds = Object.keys(JOURNEYS) as Kind[];
  const found = await Promise.all(kinds.map(async (kind) => [kind, await tracesAfter(kind)]));
  expect(found).toEqual(kinds.map((kind) => [kind, []]));
});
