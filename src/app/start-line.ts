import type { Config } from '../config/config.ts';
import { programVersion } from '../core/runtime/version.ts';
import type { App } from './started-app.ts';

/** What a started program says of itself in one line of the log: what operators ask first, and no secret. */
export const startLine = (
  { chats, payments, listener, merchants, accessFile, dataDir, databaseUrl }: Config,
  { port, roles }: Pick<App, 'port' | 'roles'>,
) => ({
  version: programVersion(),
  chats: chats.map(({ platform, settings }) => platform.describe(settings)),
  payments: payments.kind === 'sandbox' ? 'sandbox' : new URL(payments.baseUrl).host,
  publicUrl: listener.publicUrl ?? `http://localhost:${port}`,
  store: databaseUrl === undefined ? dataDir : `the database at ${URL.parse(databaseUrl)?.host}`,
  merchants: merchants.map(({ name }) => name),
  roles: roles ?? `none: there is no ${accessFile}`,
  port,
});
