import { z } from 'zod';
import {
  address,
  addressRanges,
  databaseAddress,
  durationMs,
  hostName,
  line,
  list,
  wholeNumber,
} from './formats.ts';
import type { Variables } from './variable.ts';

const DAY_MS = 86_400_000;

const RANGES =
  'IP addresses, ranges such as 10.0.0.0/24, or the word loopback, comma separated; not every address (/0)';

const HOST_NAME = { expected: 'an IP address or host name of this machine', schema: hostName };
const PORT_NUMBER = { expected: 'a whole number from 0 to 65535', schema: wholeNumber(0, 65_535) };

/** The listener, the store and the log. */
export const hostVariables = {
  HOST: {
    meaning: 'the interface the embedded listener listens on',
    default: '0.0.0.0',
    ...HOST_NAME,
  },
  PORT: {
    meaning: 'the port it listens on; 0 = any free one',
    default: '3000',
    ...PORT_NUMBER,
  },
  METRICS_HOST: {
    meaning: 'the interface that `/metrics` is shown on, with `METRICS_PORT`',
    otherwise: 'that of `HOST`',
    example: '127.0.0.1',
    ...HOST_NAME,
  },
  METRICS_PORT: {
    meaning: 'a port of its own for `/metrics`; 0 = any free one',
    otherwise: 'it is shown with the others',
    example: '9464',
    ...PORT_NUMBER,
  },
  PUBLIC_URL: {
    meaning: 'how the payment service (and webhooks) reach the listener',
    otherwise: '`http://localhost:PORT`; required with a real base address',
    example: 'https://pay.example.com',
    expected: 'the https address under which the listener is reached from outside',
    mayBeHttp: true,
    schema: address,
  },
  TRUST_PROXY: {
    meaning:
      'reverse proxies whose `X-Forwarded-For` is believed: addresses, ranges or `loopback`, comma separated',
    otherwise: 'the header is ignored',
    example: 'loopback,10.0.0.0/24',
    expected: RANGES,
    schema: addressRanges,
  },
  CALLBACK_ALLOW: {
    meaning:
      'addresses or ranges that callbacks may come from, comma separated; others get 404, as at an address that was never issued',
    otherwise: 'from anywhere',
    example: '192.0.2.10,198.51.100.0/24',
    expected: RANGES,
    schema: addressRanges,
  },
  CALLBACK_SECRET: {
    meaning:
      'key that signs callback addresses; several, comma separated: the first signs, all verify',
    otherwise: 'made and kept in `DATA_DIR`',
    example: 'a-long-random-text-of-32-characters',
    expected: 'secrets of 16 characters or more, comma separated',
    secret: true,
    schema: list(z.string().min(16)),
  },
  DATA_DIR: {
    meaning: 'the embedded store',
    default: './data',
    expected: 'a folder',
    schema: line,
  },
  DATABASE_URL: {
    meaning:
      '`postgres://…`: use PostgreSQL instead of the embedded store; several instances may share it',
    example: 'postgres://paythread:password@localhost/paythread',
    expected:
      'a postgres:// address; in its password special characters are encoded: %40 is @, %2F is /, %25 is %',
    secret: true,
    schema: databaseAddress,
  },
  RETAIN: {
    meaning:
      "payments that ended longer ago lose the customer's number and name; what was paid stays, under a pseudonym",
    otherwise: 'nothing is erased by itself',
    example: '400d',
    expected: 'a duration of 30d or more',
    schema: durationMs(30 * DAY_MS),
  },
  PSEUDONYM_SECRET: {
    meaning: 'key that the pseudonyms of erased customers are made with',
    otherwise: 'made and kept in the store',
    example: 'a-long-random-text-of-32-characters',
    expected: 'a secret of 16 characters or more',
    secret: true,
    schema: z.string().min(16),
  },
  LOG_LEVEL: {
    meaning: 'pino levels',
    default: 'info',
    expected: 'fatal, error, warn, info, debug, trace or silent',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  },
} as const satisfies Variables;
