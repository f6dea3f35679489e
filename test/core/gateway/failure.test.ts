import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectPhase } from '../../../src/core/gateway/connections.ts';
import { explainFailure } from '../../../src/core/gateway/post-json.ts';

const inTime = { passed: false, timeoutMs: 30_000 };
const late = { passed: true, timeoutMs: 30_000 };

/** An error as ky and fetch hand it on: inside two others. */
const wrapped = (cause: unknown) =>
  new Error('Request failed', { cause: new TypeError('fetch failed', { cause }) });
const errno = (code: string, syscall?: string) =>
  Object.assign(new Error(code), syscall === undefined ? { code } : { code, syscall });
const unsent = (error: unknown, phase: ConnectPhase = 'connecting') =>
  explainFailure(wrapped(error), phase, inTime).unsent;

const PROOFS = [
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL'].map((code) =>
    errno(code, 'connect'),
  ),
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'].map((code) => errno(code, 'getaddrinfo')),
  ...['UND_ERR_CONNECT_TIMEOUT', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'CERT_HAS_EXPIRED'].map((code) =>
    errno(code),
  ),
  ...['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER'].map((code) => errno(code)),
];
const DOUBTS = [
  errno('ECONNRESET', 'read'),
  errno('ECONNRESET', 'connect'),
  errno('ECONNRESET'),
  errno('EPIPE', 'write'),
  errno('ECONNREFUSED', 'read'),
  errno('ECONNREFUSED'),
  errno('ETIMEDOUT', 'read'),
  // What every object has is no errno.
  errno('toString', 'connect'),
  errno('UND_ERR_SOCKET'),
  errno('UND_ERR_HEADERS_TIMEOUT'),
  new TypeError('terminated'),
  new DOMException('aborted', 'AbortError'),
  'a string',
  undefined,
];

describe('"not sent" is claimed', () => {
  it.each(PROOFS)('on %s while connecting', (error) => {
    expect(unsent(error)).toBe(true);
  });

  it.each(DOUBTS)('not on %s', (error) => {
    expect(unsent(error)).toBe(false);
  });

  it('never once there was a connection, whatever the error says', () => {
    for (const error of [...PROOFS, ...DOUBTS]) expect(unsent(error, 'connected')).toBe(false);
    expect(explainFailure(undefined, 'connected', late).unsent).toBe(false);
  });

  it('when nobody even tried to connect', () => {
    for (const error of [...PROOFS, ...DOUBTS]) expect(unsent(error, 'idle')).toBe(true);
  });

  it('when patience ended before there was a connection', () => {
    expect(explainFailure(new Error('aborted'), 'connecting', late)).toEqual({
      unsent: true,
      reason: 'The payment service could not be reached: it did not answer.',
    });
    expect(explainFailure(new Error('aborted'), 'connected', late).reason).toBe(
      'No answer came within 30 seconds.',
    );
  });

  it('for several addresses only when each of them proves it', () => {
    const one = fc.constantFrom(...PROOFS, ...DOUBTS);
    fc.assert(
      fc.property(fc.array(one, { minLength: 1 }), (errors) => {
        const expected = errors.every((error) => (PROOFS as unknown[]).includes(error));
        expect(unsent(new AggregateError(errors))).toBe(expected);
      }),
    );
    expect(unsent(new AggregateError([]))).toBe(false);
  });

  it('not on an errno that nobody thought of', { tags: ['F5'] }, () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (code, syscall) => {
        expect(unsent(errno(`X${code}`, syscall))).toBe(syscall === 'getaddrinfo');
      }),
    );
  });

  it('not on causes that run in a circle', () => {
    const first = new Error('first');
    first.cause = new Error('second', { cause: first });
    expect(unsent(first)).toBe(false);
  });
});
