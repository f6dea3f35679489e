import type { Sandbox } from '../../src/sandbox/sandbox.ts';

/** The settings of a program of its own that has this sandbox for its payment service. */
export const sandboxSettings = (sandbox: Sandbox): Record<string, string> => ({
  PAYMENTS_BASE_URL: sandbox.baseUrl,
  PAYMENTS_CLIENT_KEY: sandbox.clientKey,
  PAYMENTS_SECRET_KEY: sandbox.secretKey,
  PAYMENTS_SERVICE_ID: String(sandbox.serviceId),
  PAYMENTS_NICKNAME: sandbox.nickname,
});
