import { z } from 'zod';
import type { Examination } from '../platform.ts';
import { TELEGRAM_WEBHOOK_PATH, type TelegramSettings } from './settings.ts';

/** An error older than this is history. */
const RECENT_MS = 24 * 3_600_000;
const MANY_PENDING = 100;

const answer = z.looseObject({
  ok: z.boolean(),
  description: z.string().optional(),
  result: z
    .looseObject({
      username: z.string().optional(),
      type: z.string().optional(),
      url: z.string().optional(),
      pending_update_count: z.number().optional(),
      last_error_date: z.number().optional(),
      last_error_message: z.string().optional(),
    })
    .optional(),
});
type Said = z.output<typeof answer>;
type Result = NonNullable<Said['result']>;

/** The token, and how updates come. Asks for no updates, so a running bot is not disturbed. */
export const examineTelegram = async (
  { token, apiRoot, webhookSecret }: TelegramSettings,
  findings: Examination,
): Promise<void> => {
  const ask = async (method: string) =>
    (await findings.ask('TELEGRAM_API_ROOT', answer, `${apiRoot}/bot${token}/${method}`))?.said;
  const me = resultOf(await ask('getMe'), findings);
  if (me === undefined) return;
  const webhook = resultOf(await ask('getWebhookInfo'), findings);
  findings.note(`The bot is @${me.username ?? 'without a name'}.`);
  if (webhook === undefined) return;
  const expected =
    webhookSecret === undefined ? '' : `${findings.publicUrl}${TELEGRAM_WEBHOOK_PATH}`;
  examineWebhook(webhook.url ?? '', expected, findings);
  examineTroubles(webhook, findings);
  // A channel is open to the public, so being in it gives no right. A chat without the bot is not told of.
  for (const { kind, id } of findings.named)
    if (kind === 'place' && (await ask(`getChat?chat_id=${id}`))?.result?.type === 'channel')
      findings.wrong(
        `telegram:${id} in the access file is a broadcast channel, which gives its readers no right.`,
        'Name a group or people instead.',
      );
};

/** Undefined: there is a finding. */
const resultOf = (said: Said | undefined, findings: Examination): Result | undefined => {
  if (said === undefined) return undefined;
  const { ok, description, result } = said;
  if (ok && result !== undefined) return result;
  findings.wrong(
    `Telegram refuses TELEGRAM_BOT_TOKEN (${description ?? 'without a reason'}).`,
    'Copy the token that @BotFather gave for this bot; /token there makes a new one.',
  );
  return undefined;
};

/** `expected` is empty with long polling. */
const examineWebhook = (url: string, expected: string, findings: Examination): void => {
  if (url === expected) return;
  const host = URL.parse(url)?.host ?? 'another address';
  if (expected === '')
    findings.wrong(
      `A webhook to ${host} is set for this bot, while Paythread polls.`,
      'If another program uses this bot make a second one, else start Paythread, which removes the webhook.',
    );
  else if (url === '') findings.note('No webhook is set yet; Paythread sets it when it starts.');
  else
    findings.wrong(
      `The webhook of this bot leads to ${host} and not to ${expected}.`,
      'If another program uses this bot make a second one, else start Paythread, which corrects the webhook.',
    );
};

const examineTroubles = (webhook: Result, findings: Examination): void => {
  const { last_error_date: errorSeconds, last_error_message: message } = webhook;
  if (errorSeconds !== undefined && findings.nowMs - errorSeconds * 1000 < RECENT_MS)
    findings.wrong(
      `Telegram could not deliver at ${new Date(errorSeconds * 1000).toISOString()}: ${message ?? 'no reason given'}.`,
      `See that Paythread runs and that the proxy passes ${TELEGRAM_WEBHOOK_PATH} on to it.`,
    );
  const pending = webhook.pending_update_count ?? 0;
  if (pending > MANY_PENDING)
    findings.wrong(
      `${pending} messages wait at Telegram.`,
      'Start Paythread, or look into its log for why it takes none.',
    );
};
