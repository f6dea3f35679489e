import { constants } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainFailure } from '../../src/core/gateway/post-json.ts';
import { check } from '../support/check.ts';

/** Errnos after which there is certainly no connection, when `connect` itself gave them. */
const NO_CONNECTION = [
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ETIMEDOUT'],
  ...['EADDRNOTAVAIL', 'ENOENT', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE'],
];

const code = fc.oneof(
  fc.constantFrom(...Object.keys(constants.errno)),
  fc.constantFrom(
    'ENOTFOUND',
    'EAI_AGAIN',
    'UND_ERR_SOCKET',
    'UND_ERR_CONNECT_TIMEOUT',
    'ABORT_ERR',
  ),
  fc.constantFrom(
    'CERT_HAS_EXPIRED',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ),
  // A DOMException has a number, and nothing keeps a library from something else.
  fc.constantFrom<unknown>(20, 23, undefined, null, true, {}),
  fc.string(),
);
const syscall = fc.constantFrom<unknown>(
  'connect',
  'getaddrinfo',
  'read',
  'write',
  'shutdown',
  undefined,
  5,
);

type Spec = { code: unknown; syscall: unknown; cause?: Spec; all?: Spec[] };
const { spec } = fc.letrec<{ spec: Spec }>((tie) => ({
  spec: fc.record(
    {
      code,
      syscall,
      cause: fc.option(tie('spec'), { nil: undefined, depthSize: 'small' }),
      all: fc.option(fc.array(tie('spec'), { maxLength: 3 }), {
        nil: undefined,
        depthSize: 'small',
        freq: 6,
      }),
    },
    { requiredKeys: ['code', 'syscall'] },
  ) as fc.Arbitrary<Spec>,
}));

const errorOf = (given: Spec): Error => {
  const cause = given.cause === undefined ? {} : { cause: errorOf(given.cause) };
  const error =
    given.all === undefined
      ? new Error('x', cause)
      : new AggregateError(given.all.map(errorOf), 'x', cause);
  return Object.assign(error, { code: given.code, syscall: given.syscall });
};

/** Whether anything in the error proves that there was no connection. */
const proves = (given: Spec): boolean =>
  (given.syscall === 'connect' && NO_CONNECTION.includes(String(given.code))) ||
  (given.syscall === 'getaddrinfo' && typeof given.code === 'string') ||
  /^(UND_ERR_CONNECT_TIMEOUT$|ERR_SSL_|ERR_TLS_CERT|CERT_)/.test(String(given.code)) ||
  (given.cause !== undefined && proves(given.cause)) ||
  (given.all ?? []).some(proves);

const anyError = fc.oneof(
  spec.map((given) => ({ error: errorOf(given) as unknown, proof: proves(given) })),
  fc.anything().map((error) => ({ error, proof: false })),
);

describe('a call that failed', () => {
  it(
    'was not sent only when an errno of connect, a look-up, a certificate or patience proves it',
    { tags: ['F5'] },
    () =>
      check(
        fc.property(anyError, fc.boolean(), ({ error, proof }, passed) => {
          const { unsent, reason } = explainFailure(error, 'connecting', {
            passed,
            timeoutMs: 5_000,
          });
          if (passed) expect(unsent).toBe(true);
          else if (!proof) expect(unsent).toBe(false);
          expect(reason).toMatch(/^[A-Z][^!]+\.$/);
        }),
        4_000,
      ),
  );

  it('is never said to be not sent once there was a connection', () =>
    check(
      fc.property(anyError, fc.boolean(), ({ error }, passed) => {
        expect(explainFailure(error, 'connected', { passed, timeoutMs: 5_000 }).unsent).toBe(false);
      }),
      2_500,
    ));
});
