import { createServer } from 'node:http';
import { bodyOf } from '../body-of.ts';
import { serve } from '../served.ts';

/**
 * The payment service, Slack's and Telegram's API in one process that answers at once and counts what it
 * was asked. STATUS is what a check is told.
 */
const status = process.env['STATUS'] ?? 'pending';
const counts: Record<string, number> = {};
let message = 1_700_000_000;

const gateway = (operation: string, body: string): object => {
  if (operation === 'make_payment') return { response_code: '202', response_message: 'received' };
  if (operation === 'check_transaction_status') {
    const transactionId = /"transaction_id":"([^"]+)"/.exec(body)?.[1];
    return {
      response_code: '000',
      response_message: 'ok',
      response_data: { transaction_id: transactionId, status, amount: '50.00' },
    };
  }
  return {
    response_code: '000',
    response_message: 'found',
    response_data: {
      account_name: 'KOFI MENSAH',
      account_status: 'active',
      account_type: 'mobile_money',
    },
  };
};

const slack = (method: string): object => {
  if (method === 'auth.test')
    return { ok: true, team_id: 'T0BENCH', user_id: 'U0BOT', bot_id: 'B0BOT', url: '', team: 'b' };
  return { ok: true, channel: 'C0BENCH', ts: `${message++}.000100` };
};

const telegram = (method: string): object => {
  if (method === 'getMe')
    return { ok: true, result: { id: 123456, is_bot: true, first_name: 'P', username: 'pay_bot' } };
  const isMessage = method === 'sendMessage' || method === 'editMessageText';
  return {
    ok: true,
    result: isMessage
      ? { message_id: message++, date: 1, chat: { id: 1001, type: 'private' }, text: '' }
      : true,
  };
};

const answerTo = (path: string, body: Buffer): object => {
  const [, service = '', ...rest] = path.split('/');
  const operation = rest.at(-1) ?? '';
  if (service === 'counts') return counts;
  counts[operation] = (counts[operation] ?? 0) + 1;
  if (service === 'gateway') return gateway(operation, body.toString());
  return service === 'slack' ? slack(operation) : telegram(operation);
};

serve(
  createServer((request, response) => {
    bodyOf(request, (body) => {
      const text = JSON.stringify(answerTo(request.url ?? '', body));
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    });
  }),
);
