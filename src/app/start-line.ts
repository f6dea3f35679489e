import type { Config } from '../config/config.ts';
import { programVersion } from '../core/runtime/version.ts';
import type { App } from './started-app.ts';

/** What a started program says of itself in one line of the log: what operators ask first, and no secret. */
export const startLine = (
  { chats, payments, listener, merchants, accessFile }: Config,
  { port, roles, place }: Pick<App, 'port' | 'roles' | 'place'>,
) => ({
  version: programVersion(),
  chats: chats.map(({ platform, settings }) => platform.describe(settings)),
  payments: payments.kind === 'sandbox' ? 'sandbox' : new URL(payments.baseUrl).host,
  publicUrl: listener.publicUrl ?? `http://localhost:${port}`,
  store: place,
  merchants: merchants.map(({ name }) => name),
  roles: roles ?? `none: there is no ${accessFile}`,
  port,
});
