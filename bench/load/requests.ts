import { createHmac } from 'node:crypto';
import type { CallbackTarget } from '../history.ts';

/** Whole requests as text, ready for the generator. */
const post = (path: string, headers: Readonly<Record<string, string>>, body: string): string => {
  const all = { host: '127.0.0.1', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
};

/** 264 bytes, as large as the callbacks of a payment service are. */
const callbackBody = (transactionId: string): string =>
  JSON.stringify({
    transaction_id: transactionId,
    status: 'completed',
    response_code: '000',
    response_message: 'The transaction was completed successfully',
    amount: '50.00',
    currency: 'GHS',
    customer_number: '0244123456',
    reference: 'ORDER-00017',
    processed_at: '2026-11-21T10:00:00Z',
  });

export const callbackRequests = (targets: readonly CallbackTarget[]): string[] =>
  targets.map(({ id, path }) =>
    post(path, { 'content-type': 'application/json' }, callbackBody(id)),
  );

let counter = 0;
/** Never the same twice, over all slices: what was delivered before costs a bot next to nothing. */
const nextNumber = (): number =>
  Date.now() * 1000 + (counter++ % 1000) + Math.floor(counter / 1000) * 1000;

/** Slash commands with Slack's signature. */
export const slashRequests = (
  count: number,
  options: { secret: string; responseUrl: string },
): string[] =>
  Array.from({ length: count }, () => {
    const body = new URLSearchParams({
      team_id: 'T0BENCH',
      channel_id: 'C0BENCH',
      channel_name: 'sales',
      user_id: 'U0BENCH',
      user_name: 'ama',
      command: '/whoami',
      text: '',
      api_app_id: 'A0BENCH',
      response_url: options.responseUrl,
      trigger_id: `${nextNumber()}.1.bench`,
    }).toString();
    const seconds = String(Math.floor(Date.now() / 1000));
    const digest = createHmac('sha256', options.secret)
      .update(`v0:${seconds}:${body}`)
      .digest('hex');
    return post(
      '/slack/events',
      {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': seconds,
        'x-slack-signature': `v0=${digest}`,
      },
      body,
    );
  });

/** Updates as Telegram delivers them; the text is one that needs an answer only where `text` is a command. */
export const updateRequests = (
  count: number,
  options: { secret: string; text: string },
): string[] =>
  Array.from({ length: count }, () => {
    const updateId = nextNumber();
    const isCommand = options.text.startsWith('/');
    const body = JSON.stringify({
      update_id: updateId,
      message: {
        message_id: (updateId % 1_000_000) + 1,
        date: Math.floor(Date.now() / 1000),
        // Many chats, as many people type.
        chat: { id: 1_000 + (updateId % 500), type: 'private', first_name: 'Ama' },
        from: { id: 1_000 + (updateId % 500), is_bot: false, first_name: 'Ama', username: 'ama' },
        text: options.text,
        ...(isCommand
          ? { entities: [{ type: 'bot_command', offset: 0, length: options.text.length }] }
          : {}),
      },
    });
    return post(
      '/telegram/webhook',
      { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': options.secret },
      body,
    );
  });

/** What a status check looks like to the payment service. */
export const statusRequests = (count: number, close: boolean): string[] =>
  Array.from({ length: count }, (_, index) =>
    post(
      '/gateway/check_transaction_status',
      { 'content-type': 'application/json', connection: close ? 'close' : 'keep-alive' },
      JSON.stringify({ service_id: 7, transaction_id: `1M7Y381Y37GXF${100 + index}` }),
    ),
  );
