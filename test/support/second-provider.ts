import { z } from 'zod';
import {
  type Envelope,
  isPlainNo,
  noAnswer,
  notAccepted,
  unlisted,
} from '../../src/core/gateway/classify-response.ts';
import {
  createExchange,
  type Dialect,
  type GatewayParts,
  type GatewaySettings,
  type Operation,
} from '../../src/core/gateway/exchange.ts';
import type { Gateway } from '../../src/core/gateway/gateway.ts';
import { findCheckoutLink, outsideText } from '../../src/core/gateway/outside-text.ts';
import type { Provider } from '../../src/core/gateway/provider.ts';
import { readJson } from '../../src/core/gateway/read-json.ts';
import { defined } from '../../src/core/runtime/defined.ts';
import {
  bytesScript,
  httpAnswer,
  jsonScript,
  type Script,
  startScriptedHttp,
} from './scripted-http.ts';

/*
 * A provider that speaks otherwise than the one in use: other paths, fields and words, a token in place of two keys,
 * amounts in the smallest unit, and no code but a word. It shows that the port and the exchange know no provider.
 */

const PATHS: Readonly<Record<Operation, string>> = {
  make_payment: '/v2/collections',
  payment_account_lookup: '/v2/holders/find',
  check_transaction_status: '/v2/collections/find',
  send_sms: '/v2/texts',
  check_sms_balance: '/v2/funds',
};

const CHANNELS = { MTN: 'mtn', VOD: 'telecel', AIR: 'at', VIS: 'card', MAS: 'card' } as const;
const PHASES = { WAITING: 'pending', PAID: 'completed', DROPPED: 'failed' } as const;

const PHASE = z.enum(['WAITING', 'PAID', 'DROPPED']);
const given = z.object({
  result: z.string(),
  says: z.string().optional(),
  page: z.string().optional(),
  collection: z.object({ ref: z.string(), phase: PHASE, minor: z.string() }).optional(),
  holder: z.object({ name: z.string(), blocked: z.boolean() }).optional(),
  text: z.string().optional(),
  funds: z.object({ texts: z.string(), out: z.string(), held: z.string() }).optional(),
});

type Given = Envelope & z.infer<typeof given>;

const readEnvelope = (body: string): Given | undefined => {
  const { data } = given.safeParse(readJson(body));
  if (data === undefined) return undefined;
  const isYes = data.result === 'TAKEN' || data.result === 'HERE';
  return { ...data, isYes, code: data.result, ...defined({ message: data.says }) };
};

/** Decimal text; its currencies have two decimals. */
const decimal = (minor: string): string =>
  minor.padStart(3, '0').replace(/^(\d+)(\d{2})$/, '$1.$2');

const dialectOf = (token: string): Dialect<Given> => ({
  pathOf: (operation) => PATHS[operation],
  authorization: `Bearer ${token}`,
  ownFields: {},
  hideSecrets: (message) => message.replaceAll(token, '[hidden]'),
  readEnvelope,
});

/** Its account is a token, which the settings call the secret key. */
const createGateway = (settings: GatewaySettings, parts: GatewayParts): Gateway => {
  const ask = createExchange(settings, dialectOf(settings.secretKey), parts);
  return {
    makePayment: async (request) => {
      const fields = () => ({
        ref: request.transactionId,
        minor: request.amount.amountMinor,
        unit: request.amount.currency,
        payer: request.customerNumber,
        via: request.option === 'CRM' ? 'page' : CHANNELS[request.network],
        note: request.reference,
        notify: request.callbackUrl,
      });
      const verdict = await ask('make_payment', 'money', fields, request);
      if (verdict.kind !== 'said') return notAccepted(verdict);
      const { answer, envelope } = verdict;
      const checkoutUrl = findCheckoutLink([envelope.page]);
      return envelope.isYes
        ? { kind: 'accepted', answer, ...defined({ checkoutUrl }) }
        : unlisted(answer);
    },

    lookUpAccount: async ({ number, urgency = 'person' }) => {
      const verdict = await ask('payment_account_lookup', urgency, () => ({ payer: number }));
      if (isPlainNo(verdict)) return { kind: 'notFound', answer: verdict.answer };
      if (verdict.kind !== 'said') return noAnswer(verdict);
      const { answer, envelope } = verdict;
      if (envelope.holder === undefined) return { kind: 'notFound', answer };
      const { name, blocked } = envelope.holder;
      return { kind: 'found', name, status: blocked ? 'blocked' : 'active', type: '', answer };
    },

    checkStatus: async (transactionId, urgency) => {
      const fields = () => ({ ref: transactionId });
      const verdict = await ask('check_transaction_status', urgency, fields);
      if (isPlainNo(verdict)) return { kind: 'noStatus', answer: verdict.answer };
      if (verdict.kind !== 'said') return noAnswer(verdict);
      const { answer, envelope } = verdict;
      if (envelope.collection === undefined) return { kind: 'noStatus', answer };
      const { ref, phase, minor } = envelope.collection;
      const [status, amount] = [PHASES[phase], decimal(minor)];
      return { kind: 'status', status, word: phase, transactionId: ref, amount, answer };
    },

    sendSms: async ({ senderId, text, recipients, uniqueId, ...when }) => {
      const fields = () => ({ as: senderId, words: text, to: recipients.join(','), id: uniqueId });
      const verdict = await ask('send_sms', 'person', fields, when);
      if (verdict.kind !== 'said') return notAccepted(verdict);
      const { answer, envelope } = verdict;
      if (envelope.text === undefined) return unlisted(answer);
      return { kind: 'sent', messageId: envelope.text, status: '', answer };
    },

    checkBalance: async (urgency = 'person') => {
      const verdict = await ask('check_sms_balance', urgency, () => ({}));
      if (verdict.kind !== 'said') return noAnswer(verdict);
      const { answer, envelope } = verdict;
      if (envelope.funds === undefined) return noAnswer(unlisted(answer));
      const { texts: sms, out, held } = envelope.funds;
      return { kind: 'balances', sms, payout: decimal(out), collection: decimal(held), answer };
    },
  };
};

/** As a folder of `core/gateway` would have it. */
export const secondProvider: Provider = {
  createGateway,
  callbackMessage: (body) => outsideText(readEnvelope(body)?.says),
};

const NONE = jsonScript(404, { result: 'NONE' });

/** Its service. It answers by the last two digits of the payer, as the sandbox does. */
export const startSecondService = async (token: string) => {
  const taken: { readonly ref: string; readonly minor: number; readonly payer: string }[] = [];
  let hasLimited = false;
  let isSettled = false;

  const collect = (ref: string, minor: number, payer: string): Script => {
    if (payer.endsWith('05') && !hasLimited) {
      hasLimited = true;
      return jsonScript(429, { result: 'SLOWER' }, { 'retry-after': '1' });
    }
    if (payer.endsWith('09')) return bytesScript(httpAnswer(500, '<h1>Oh</h1>'));
    taken.push({ ref, minor, payer });
    if (payer.endsWith('04')) return (socket) => void socket.destroy();
    return jsonScript(201, { result: 'TAKEN', page: `https://pay.example/${ref}` });
  };
  const find = (ref: string): Script => {
    const found = taken.find((each) => each.ref === ref);
    if (found === undefined) return NONE;
    const end = found.payer.endsWith('01') ? 'DROPPED' : 'PAID';
    const collection = { ref, minor: found.minor, phase: isSettled ? end : 'WAITING' };
    return jsonScript(200, { result: 'HERE', collection });
  };
  const answerTo = (path: string, sent: Record<string, string>): Script => {
    const { ref = '', minor, payer = '', id } = sent;
    if (path === PATHS.make_payment) return collect(ref, Number(minor), payer);
    if (path === PATHS.check_transaction_status) return find(ref);
    if (path === PATHS.send_sms) return jsonScript(200, { result: 'TAKEN', text: `T-${id}` });
    if (path === PATHS.check_sms_balance)
      return jsonScript(200, { result: 'HERE', funds: { texts: 7, out: 5, held: 120_050 } });
    if (payer.endsWith('08')) return NONE;
    const holder = { name: 'Esi Addo', blocked: payer.endsWith('07') };
    return jsonScript(200, { result: 'HERE', holder });
  };
  const { baseUrl, stop } = await startScriptedHttp((socket, request) => {
    const { authorization } = request.headers;
    const reply =
      authorization === `Bearer ${token}`
        ? answerTo(request.path, readJson(request.body) as Record<string, string>)
        : jsonScript(401, { result: 'WHO', says: `Nobody has ${authorization}` });
    reply(socket, request);
  });
  return {
    account: { baseUrl, secretKey: token },
    stop,
    callbackSaying: (says: string) => JSON.stringify({ result: 'NEWS', says }),
    timesTaken: (ref: string) => taken.filter((each) => each.ref === ref).length,
    settle: async () => {
      isSettled = true;
    },
  };
};
