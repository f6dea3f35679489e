import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { jsonScript, type ScriptedRequest, startScriptedHttp } from '../support/scripted-http.ts';
import { SpawnedShop } from '../support/spawned-shop.ts';

/** As the lookup has it, as the service calls them otherwise, and the number however it is written. An id may have any letters within. */
const TRACES = /(?<![a-z0-9])(?:kofi|mensah|yaw|owusu)|24[\s-]*412[\s-]*3456/i;
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
  /** In GHS. @default what the payment was about */
  readonly saysAmount?: number;
  readonly shown: RegExp;
};

/** By the amount of the payment. */
const JOURNEYS: Readonly<Record<number, Ends>> = {
  50: { payment: [200, '202'], word: 'completed', shown: /GHS 50\.00 .*: completed/ },
  51: { payment: [200, '202'], word: 'failed', shown: /GHS 51\.00 .*: failed/ },
  52: { payment: [400, '400'], word: 'unknown', shown: /GHS 52\.00 .*: refused/ },
  // Not understood.
  53: { payment: [500, '500'], word: SAID, shown: /GHS 53\.00 unknown/ },
  // About another payment.
  54: { payment: [200, '202'], word: 'completed', saysAmount: 5_000, shown: /speaks of GHS 5,000/ },
};

/** A payment service that names the customer in whatever it says. */
const openShop = async () => {
  const asked = new Map<string, Record<string, string>>();
  const service = await startScriptedHttp((socket, request) => {
    const said = fields(request);
    const { transaction_id: id = '' } = said;
    if (/make_payment/.test(request.path)) asked.set(id, said);
    else if (!/status/.test(request.path)) return jsonScript(200, lookup)(socket, request);
    const amount = Number(asked.get(id)?.['amount']);
    const { payment = [404, '404'], word, saysAmount = amount } = JOURNEYS[amount] ?? {};
    if (/make_payment/.test(request.path)) {
      const [status, response_code] = payment;
      return jsonScript(status, { response_code, response_message: SAID })(socket, request);
    }
    return jsonScript(200, {
      response_code: '000',
      response_message: SAID,
      response_data: { transaction_id: id, status: word, amount: saysAmount, payer: SAID },
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

it('no line of the log names a customer, however a payment ends', { tags: ['T14'] }, async () => {
  const { shop, asked } = await openShop();
  const body = JSON.stringify({ message: SAID, msisdn: '0244123456', payer: 'KOFI MENSAH' });
  await Promise.all(
    Object.entries(JOURNEYS).map(async ([amount, { payment, shown }], at) => {
      const seller = shop.as(at);
      await seller.charge(Number(amount));
      const [id, { callback_url: url = '' }] = await eventually(() => {
        const found = [...asked].filter(([, said]) => `${said['amount']}` === amount);
        expect(found).toHaveLength(1);
        return found[0] as (typeof found)[number];
      });
      // A callback that comes before the refusal is stored makes it unknown, and it is asked about first.
      if (payment[0] === 400) await seller.shows(shown);
      await eventually(async () => {
        const { status } = await fetch(url, { method: 'POST', body });
        expect(status).toBe(200);
      });
      await seller.shows(shown);
      seller.type(`/status ${id}`);
    }),
  );
  shop.type('/lookup 0244123456');
  shop.type('/sms 0244123456 Dear Yaw Owusu-Ansah, thank you');
  shop.type('/payments 0244123456');
  await shop.shows(/Payments/);
  await eventually(() => expect(shop.app.output).toContain('payment requested'));
  expect(shop.app.output.split('\n').filter((line) => TRACES.test(line))).toEqual([]);
});
