import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { GatewaySettings } from '../../src/core/gateway/exchange.ts';
import type { Gateway, PaymentRequest } from '../../src/core/gateway/gateway.ts';
import type { Provider } from '../../src/core/gateway/provider.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { moneyFromService } from '../../src/core/values/money.ts';
import { operations, paymentRequest, settings } from '../core/gateway/scripted-gateway.ts';
import {
  bytesScript,
  httpAnswer,
  type Script,
  startScriptedHttp,
} from '../support/scripted-http.ts';
import { silentLog } from '../support/silent-log.ts';

/** A provider's service on this machine. */
type ServiceAtHand = {
  /** Its address and its keys. */
  readonly account: Pick<GatewaySettings, 'baseUrl' | 'secretKey'>;
  /** The body of a callback that says this. */
  callbackSaying(words: string): string;
  /** How often the service took a payment under this id. */
  timesTaken(transactionId: string): number;
  /** Brings every payment to its end. */
  settle(): Promise<void>;
};

const NOBODY = 'http://127.0.0.1:1';
const SENTENCE = expect.stringMatching(/^[A-Z].*\.$/);
const DECIMAL = expect.stringMatching(/^\d+(\.\d+)?$/);

const page = (status: number, headers = {}) => bytesScript(httpAnswer(status, '<p>Hm.', headers));

/** What may become of a request, and of an order then. */
const FATES: readonly (readonly [what: string, script: Script, order: string])[] = [
  ['silence', () => undefined, 'unknown'],
  ['a connection that closes', (socket) => socket.destroy(), 'unknown'],
  ['a connection that is reset', (socket) => socket.resetAndDestroy(), 'unknown'],
  ['a polite end', (socket) => socket.end(), 'unknown'],
  ['HTTP 100 and an end', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'), 'unknown'],
  ['nonsense', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 'unknown'],
  ['half an answer', bytesScript(httpAnswer(200, '{"a":1}').subarray(0, -2)), 'unknown'],
  ['HTTP 200 with a page', page(200), 'unknown'],
  ['HTTP 302', page(302, { location: NOBODY }), 'unknown'],
  ['HTTP 401', page(401, { 'www-authenticate': 'Basic' }), 'refused'],
  ['HTTP 403', page(403), 'refused'],
  ['HTTP 404 with a page', page(404), 'refused'],
  ['HTTP 408', page(408), 'unknown'],
  ['HTTP 421', page(421), 'unknown'],
  ['HTTP 425', page(425), 'unknown'],
  ['HTTP 429', page(429, { 'retry-after': '0' }), 'rateLimited'],
  ['HTTP 500', page(500), 'unknown'],
  ['HTTP 503', page(503, { 'retry-after': '0' }), 'unknown'],
];

type Outcome = { readonly kind: string; readonly reason?: string };

/** Calls each operation once, all at the same time. */
const allOperations = async (gateway: Gateway) => {
  const outcomes = Object.entries(operations).map(async ([name, call]) => {
    const isOrder = name === 'make_payment' || name === 'send_sms';
    return { isOrder, outcome: (await call(gateway)) as Outcome };
  });
  return Promise.all(outcomes);
};

/**
 * What every payment provider must do behind the port. Its service answers by the last two digits of the number as
 * the sandbox does.
 */
export const gatewayContract = (
  name: string,
  { createGateway, callbackMessage }: Provider,
  open: () => Promise<ServiceAtHand>,
): void => {
  describe(name, () => {
    let service: ServiceAtHand;
    let gateway: Gateway;
    const gatewayWith = (changes: Partial<GatewaySettings> = {}): Gateway => {
      const parts = { clock: systemClock, log: silentLog };
      return createGateway({ ...settings, ...service.account, ...changes }, parts);
    };
    beforeEach(async () => {
      service = await open();
      gateway = gatewayWith();
    });

    const pay = (lastDigits: string, changes: Partial<PaymentRequest> = {}) =>
      gateway.makePayment({
        ...paymentRequest,
        transactionId: idOf(lastDigits),
        customerNumber: `+2332441234${lastDigits}`,
        ...changes,
      });
    const idOf = (lastDigits: string) => `PT00000000000${lastDigits}`;
    const status = (lastDigits: string) => gateway.checkStatus(idOf(lastDigits), 'person');
    const lookUp = (lastDigits: string) =>
      gateway.lookUpAccount({ number: `+2332441234${lastDigits}`, network: 'MTN' });

    it('finds an accepted payment by its id, with its amount as it was asked for', async () => {
      expect(await pay('56')).toMatchObject({ kind: 'accepted' });
      expect(await status('56')).toMatchObject({ kind: 'status', status: 'pending' });
      await service.settle();
      const found = await status('56');
      if (found.kind !== 'status') return expect.fail(found.kind);
      expect(found).toMatchObject({ status: 'completed', transactionId: idOf('56') });
      expect(moneyFromService(found.amount ?? '', 'GHS')).toEqual(paymentRequest.amount);
      expect(service.timesTaken(idOf('56'))).toBe(1);
    });

    it('accepts a payment that fails, and only its status says so', async () => {
      expect(await pay('01')).toMatchObject({ kind: 'accepted' });
      await service.settle();
      expect(await status('01')).toMatchObject({ kind: 'status', status: 'failed' });
    });

    it('does not know what became of a payment that was cut off, and finds it', async () => {
      expect(await pay('04')).toMatchObject({ kind: 'unknown', reason: SENTENCE });
      expect(service.timesTaken(idOf('04'))).toBe(1);
      await service.settle();
      expect(await status('04')).toMatchObject({ kind: 'status', status: 'completed' });
    });

    it('takes nothing while it limits, says how long, and takes the same payment after', async () => {
      let outcome = await pay('05');
      expect(outcome).toMatchObject({ kind: 'rateLimited', retryAfterMs: 1_000 });
      expect(await status('05')).toMatchObject({ kind: 'noStatus' });
      while (outcome.kind === 'rateLimited') outcome = await pay('05');
      expect(outcome.kind).toBe('accepted');
      expect(service.timesTaken(idOf('05'))).toBe(1);
    });

    it('does not know what a page instead of an answer means, and has no status without a payment', async () => {
      expect(await pay('09')).toMatchObject({ kind: 'unknown' });
      expect(await status('09')).toMatchObject({ kind: 'noStatus' });
    });

    it('names the page of a hosted checkout', async () => {
      const checkoutUrl = expect.stringMatching(/^https:\/\//);
      expect(await pay('56', { option: 'CRM' })).toMatchObject({ kind: 'accepted', checkoutUrl });
    });

    it('sends no payment that is called off when its turn has come, or that is late', async () => {
      const reason = 'It was called back.';
      const whyNotToSend = async () => reason;
      expect(await pay('56', { whyNotToSend })).toEqual({ kind: 'notSent', reason });
      expect(await pay('56', { sendByMs: 0 })).toMatchObject({ kind: 'notSent' });
      expect(service.timesTaken(idOf('56'))).toBe(0);
    });

    it('names the holder of an account, says when it cannot be charged, and when there is none', async () => {
      const name = expect.stringMatching(/^\S+ \S+$/);
      expect(await lookUp('56')).toMatchObject({ kind: 'found', name, status: 'active' });
      const barred = expect.not.stringMatching(/^active$/);
      expect(await lookUp('07')).toMatchObject({ kind: 'found', status: barred });
      expect(await lookUp('08')).toMatchObject({ kind: 'notFound' });
    });

    it('sends an SMS, and names it', async () => {
      const messageId = expect.stringMatching(/./);
      expect(await operations['send_sms']?.(gateway)).toMatchObject({ kind: 'sent', messageId });
    });

    it('gives balances as decimal text', async () => {
      const balances = { kind: 'balances', sms: DECIMAL, payout: DECIMAL, collection: DECIMAL };
      expect(await gateway.checkBalance()).toMatchObject(balances);
    });

    it('reads the words of a callback, safe to show, and none from what is no callback', () => {
      expect(callbackMessage(service.callbackSaying('Not enough money'))).toBe('Not enough money');
      const shown = callbackMessage(
        service.callbackSaying(`\u202eNot\u0000enough${'.'.repeat(9999)}`),
      );
      expect(shown).toMatch(/^Not enough\.+$/);
      expect(shown?.length).toBeLessThanOrEqual(500);
      for (const body of ['', ' ', 'null', '[]', '7', '{', '<p>Hm.', service.callbackSaying('')])
        expect(callbackMessage(body)).toBeUndefined();
    });

    it('refuses wrong keys in every operation, and shows them to nobody', async () => {
      const secretKey = 'a-key-that-nobody-knows';
      for (const { outcome } of await allOperations(gatewayWith({ secretKey }))) {
        expect(outcome).toMatchObject({ kind: 'refused', keysRefused: true, reason: SENTENCE });
        expect(JSON.stringify(outcome)).not.toContain(secretKey);
      }
    });

    it('knows that nothing was sent where nobody listens', async () => {
      for (const { isOrder, outcome } of await allOperations(gatewayWith({ baseUrl: NOBODY })))
        expect(outcome).toMatchObject({ kind: isOrder ? 'notSent' : 'noAnswer', reason: SENTENCE });
    });

    it.each(FATES)(
      'sends each request once, whatever it meets: %s',
      { tags: ['F9'] },
      async (what, script, order) => {
        const scripted = await startScriptedHttp(script);
        onTestFinished(() => scripted.stop());
        const timeoutMs = what === 'silence' ? 500 : 30_000;
        const impatient = gatewayWith({ baseUrl: scripted.baseUrl, timeoutMs });
        const question = order === 'unknown' ? 'noAnswer' : order;
        for (const { isOrder, outcome } of await allOperations(impatient)) {
          expect(outcome.kind).toBe(isOrder ? order : question);
          if (order !== 'rateLimited') expect(outcome.reason).toEqual(SENTENCE);
        }
        expect([scripted.requests.length, scripted.connections]).toEqual([5, 5]);
      },
    );
  });
};
