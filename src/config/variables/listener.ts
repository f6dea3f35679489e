import { z } from 'zod';
import { address, addressRanges, hostName, list, wholeNumber } from '../formats.ts';
import type { Variable } from '../variable.ts';

const RANGES =
  'IP addresses, ranges such as 10.0.0.0/24, or the word loopback, comma separated; not every address (/0)';

/** What listens, who reaches it, and callback addresses. */
export const listenerVariables = {
  HOST: {
    meaning: 'the interface the embedded listener listens on',
    default: '0.0.0.0',
    example: '0.0.0.0',
    expected: 'an IP address or host name of this machine',
    schema: hostName,
  },
  PORT: {
    meaning: 'the port it listens on; 0 = any free one',
    default: '3000',
    example: '3000',
    expected: 'a whole number from 0 to 65535',
    schema: wholeNumber(0, 65_535),
  },
  METRICS_HOST: {
    meaning: 'the interface that `/metrics` is shown on, with `METRICS_PORT`',
    otherwise: 'that of `HOST`',
    example: '127.0.0.1',
    expected: 'an IP address or host name of this machine',
    schema: hostName,
  },
  METRICS_PORT: {
    meaning: 'a port of its own for `/metrics`; 0 = any free one',
    otherwise: 'it is shown with the others',
    example: '9464',
    expected: 'a whole number from 0 to 65535',
    schema: wholeNumber(0, 65_535),
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
} as const satisfies Readonly<Record<string, Variable>>;
