import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { failureOf, failureText, REMEDIES, undelivered } from '../../../src/bots/slack/failure.ts';
import { METHODS } from '../../support/schemas/methods.ts';
import { DOCUMENTED } from './documented-errors.ts';

/** As `fetch` throws it: the reason stands inside. */
const fetchFailed = (cause: unknown): WebAPIRequestError =>
  new WebAPIRequestError(new TypeError('fetch failed', { cause }));

const systemError = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code} 192.0.2.1`), { code, syscall });

it('errors are known of each method that is called', () => {
  const called = METHODS.slack.filter((method) => method !== 'response_url');
  expect(Object.keys(DOCUMENTED).toSorted()).toEqual(called.toSorted());
});

describe.each(Object.entries(DOCUMENTED))('an error of %s', (_method, codes) => {
  it('has a remedy, each that Slack documents', { tags: ['F92'] }, () => {
    expect(codes.filter((code) => !REMEDIES.has(code))).toEqual([]);
    expect(codes.length).toBeGreaterThanOrEqual(30);
  });
});

it('an error that Slack does not document is refused, and one of a frozen channel is the end', {
  tags: ['F92'],
}, () => {
  const said = (code: string) => undelivered({ kind: 'said no', code });
  expect(said('constructor')).toMatchObject({ kind: 'not sent', isRefused: true });
  expect(said('is_inactive')).toMatchObject({ kind: 'gone', remedy: 'Use another channel.' });
});

it('a message that was deleted is told apart from one that may not be edited', () => {
  const said = (code: string) => undelivered({ kind: 'said no', code });
  expect(said('message_not_found')).toMatchObject({ kind: 'gone', isDeleted: true });
  for (const code of ['cant_update_message', 'edit_window_closed', 'not_in_channel'])
    expect(said(code)).not.toHaveProperty('isDeleted');
});

describe('a failed call', () => {
  it.each([
    ['ECONNREFUSED', 'connect'],
    ['ETIMEDOUT', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['ENETUNREACH', 'connect'],
    ['ENOTFOUND', 'getaddrinfo'],
    ['EAI_AGAIN', 'getaddrinfo'],
  ])('was certainly not sent after %s at %s', (code, syscall) => {
    expect(failureOf(fetchFailed(systemError(code, syscall)))).toEqual({
      kind: 'not sent',
      reason: `no connection (${code})`,
    });
  });

  it('was certainly not sent when each of several addresses refused', () => {
    const refused = systemError('EHOSTUNREACH', 'connect');
    const all = new AggregateError([refused, refused]);
    expect(failureOf(fetchFailed(all)).kind).toBe('not sent');
  });

  it('was certainly not sent when connecting took too long', () => {
    const timeout = Object.assign(new Error('t'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
    expect(failureOf(fetchFailed(timeout)).kind).toBe('not sent');
  });

  it('was certainly not sent when the certificate is not trusted, and is unclear after a TLS alert', () => {
    const failed = (code: string) =>
      failureOf(fetchFailed(Object.assign(new Error(code), { code })));
    expect(failed('CERT_HAS_EXPIRED')).toEqual({
      kind: 'not sent',
      reason: 'no connection (CERT_HAS_EXPIRED)',
    });
    // TLS 1.3: the server may refuse the client's certificate after the request was written.
    expect(failed('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED').kind).toBe('unclear');
  });

  it.each([
    ['ECONNRESET', 'connect'],
    ['ECONNRESET', 'read'],
    ['EPIPE', 'write'],
    ['ETIMEDOUT', 'read'],
  ])('is unclear after %s at %s', (code, syscall) => {
    expect(failureOf(fetchFailed(systemError(code, syscall))).kind).toBe('unclear');
  });

  it.each([
    ['a time-out', new WebAPIRequestError(new DOMException('aborted', 'TimeoutError'))],
    ['a broken body', new TypeError('terminated')],
    ['an error page', new WebAPIHTTPError(503, 'x', {}, '<h1>')],
    ['a page with status 200', new WebAPIPlatformError({ ok: false, error: '<h1>Sign in</h1>' })],
    ['something that is no error', 'oops'],
  ])('is unclear after %s', (_, error) => {
    expect(failureOf(error).kind).toBe('unclear');
  });

  it.each([
    [0, 1_000],
    [-5, 1_000],
    [30, 30_000],
    [1e9, 300_000],
  ])('waits sensibly when Slack says %s s', (seconds, retryAfterMs) => {
    const failure = failureOf(new WebAPIRateLimitedError(seconds));
    expect(failure).toEqual({ kind: 'rateLimited', retryAfterMs });
  });

  it('is told in words that hold nothing of the request', () => {
    const error = fetchFailed(systemError('ECONNRESET', 'read'));
    expect(failureText(failureOf(error))).toBe('no answer (ECONNRESET)');
    const page = new WebAPIPlatformError({ ok: false, error: 'token xoxb-1' });
    expect(failureText(failureOf(page))).not.toContain('xoxb-1');
  });
});
