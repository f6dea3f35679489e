import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const SLACK_SECRET = 'bench-signing-secret';
export const TELEGRAM_SECRET = 'bench-webhook-secret';
export const CALLBACK_SECRET = 'bench-callback-secret-of-32-chars';

const ACCESS = `roles:
  all: { commands: "*" }
members:
  all: [slack:U0BENCH, slack:C0BENCH, terminal:local]
`;

/** The environment of a Paythread whose payment service and chats are the stub. */
export const paythreadEnv = async (options: {
  folder: string;
  servicesPort: number;
  chats?: boolean;
}) => {
  const accessFile = join(options.folder, 'access.yml');
  await writeFile(accessFile, ACCESS);
  const port = await freePort();
  const services = `http://127.0.0.1:${options.servicesPort}`;
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: join(options.folder, 'data'),
    ACCESS_FILE: accessFile,
    CALLBACK_SECRET,
    PAYMENTS_BASE_URL: `${services}/gateway`,
    PAYMENTS_CLIENT_KEY: 'client',
    PAYMENTS_SECRET_KEY: 'secret',
    PAYMENTS_SERVICE_ID: '7',
    PAYMENTS_NICKNAME: 'Ama Ventures',
    ...(options.chats === false ? {} : chatsEnv(options.servicesPort)),
  };
};

/** Both platforms, also for the bare programs. */
export const chatsEnv = (servicesPort: number) => ({
  SLACK_BOT_TOKEN: 'xoxb-bench',
  SLACK_SIGNING_SECRET: SLACK_SECRET,
  SLACK_API_URL: `http://127.0.0.1:${servicesPort}/slack/`,
  TELEGRAM_BOT_TOKEN: '123456:bench-token-of-a-bot-that-is-none',
  TELEGRAM_WEBHOOK_SECRET: TELEGRAM_SECRET,
  TELEGRAM_API_ROOT: `http://127.0.0.1:${servicesPort}/telegram`,
});

/** A port nobody listens on right now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });

/** A folder on the disk the program's data would be on; BENCH_DIR chooses another one. */
export const withFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(process.env['BENCH_DIR'] ?? tmpdir(), 'paythread-bench-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
