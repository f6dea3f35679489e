import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/runtime/clock.ts';
import { FastClock } from './fast-clock.ts';
import { freePort } from './free-port.ts';
import type { IdsByName } from './ids-by-name.ts';
import { type Env, type RunOptions, runApp } from './run-app.ts';
import type { Chat } from './telegram/chat.ts';
import type { Person } from './telegram/person.ts';
import { type SimulatorOptions, TelegramSimulator } from './telegram-simulator.ts';

/** Telegram until the test has finished. */
export const startTelegram = async (options?: SimulatorOptions): Promise<TelegramSimulator> => {
  const telegram = await TelegramSimulator.start(options);
  onTestFinished(() => telegram.stop());
  return telegram;
};

/** Paythread's settings for that Telegram, beside the sandbox. */
export const telegramSettings = ({ token, apiRoot }: TelegramSimulator): Env => ({
  PAYMENTS_BASE_URL: 'sandbox',
  TELEGRAM_BOT_TOKEN: token,
  TELEGRAM_API_ROOT: apiRoot,
});

const webhookSettings = (port: string | number): Env => ({
  TELEGRAM_WEBHOOK_SECRET: 'secret_of-the-webhook',
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  PORT: String(port),
});

type People<Name extends string> = Readonly<Record<Name, Person>> & {
  readonly telegram: TelegramSimulator;
};

type TelegramOptions<Name extends string, Place extends string> = {
  /** @default `polling` */
  readonly transport?: 'polling' | 'webhook';
  /** Where webhooks come to. @default a free port */
  readonly port?: string | undefined;
  /** What each is called in Telegram; their ids are 1001, 1002 and so on. */
  readonly people: Readonly<Record<Name, string>>;
  /** Chats that are there when the program starts. */
  readonly chats?: (people: People<Name>) => Readonly<Record<Place, Chat>>;
  /** The time of Telegram and of the program. */
  readonly clock?: Clock;
} & Pick<SimulatorOptions, 'earlier'>;

/** Telegram with people and chats, their ids by name, and the settings that lead there. */
export const openTelegram = async <Name extends string, Place extends string = never>({
  transport = 'polling',
  port,
  people,
  chats = () => ({}) as Record<Place, Chat>,
  clock = new FastClock(),
  earlier = 0,
}: TelegramOptions<Name, Place>) => {
  const telegram = await startTelegram({ now: () => clock.now(), earlier });
  const persons = Object.fromEntries(
    Object.entries<string>(people).map(([name, shown], at) => [
      name,
      telegram.person(shown, 1001 + at),
    ]),
  ) as Record<Name, Person>;
  const places = chats({ ...persons, telegram });
  const ids: IdsByName = new Map([
    ...Object.entries<Person>(persons).map(
      ([name, { id }]) => [`<@${name}>`, `telegram:${id}`] as const,
    ),
    ...Object.entries<Chat>(places).map(
      ([name, { id }]) => [`<#${name}>`, `telegram:${id}`] as const,
    ),
  ]);
  const settings = {
    ...telegramSettings(telegram),
    ...(transport === 'webhook' ? webhookSettings(port ?? (await freePort())) : {}),
  };
  return { telegram, ids, settings, clock, ...persons, ...places };
};

/**
 * The whole program beside the sandbox, and a Telegram that reaches it. `access` and `env` name people and chats as
 * `<@ama>` and `<#group>`.
 *
 * ```ts
 * const { ama, group } = await openTelegramShop({
 *   people: { ama: 'Ama Mensah' },
 *   chats: ({ telegram, ama }) => ({ group: telegram.group('Sales', [ama]) }),
 *   access: '{roles: {sales: {commands: [charge]}}, members: {sales: [<@ama>]}}',
 * });
 * await chargeInTelegram(ama, group, '0244123456 50');
 * await group.waitFor(/: completed/);
 * ```
 */
export const openTelegramShop = async <Name extends string, Place extends string = never>({
  env = {},
  ...options
}: TelegramOptions<Name, Place> & RunOptions & { readonly env?: Env }) => {
  const { settings, ...telegram } = await openTelegram(options);
  const { ids, clock } = telegram;
  const shop = await runApp({ ...settings, ...env }, { ...options, ids, clock });
  return { ...shop, ...telegram };
};
