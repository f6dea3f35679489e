import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddressRanges } from '../../../src/core/http/address-range.ts';
import { ClientAddresses } from '../../../src/core/http/client-address.ts';

const trusting = (...ranges: string[]): ClientAddresses =>
  new ClientAddresses(ranges.flatMap((range) => parseAddressRanges(range) ?? []));
const senderOf = (
  senders: ClientAddresses,
  remoteAddress: string | undefined,
  forwarded?: string,
) =>
  senders.of({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });

describe('the sender of a request', () => {
  it.each([
    ['nobody is trusted', [], '127.0.0.1', '192.0.2.7', '127.0.0.1'],
    [
      'the connection comes from elsewhere',
      ['10.0.0.0/8'],
      '192.0.2.1',
      '198.51.100.9',
      '192.0.2.1',
    ],
    ['one proxy is in between', ['loopback'], '127.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['it came as IPv6', ['loopback'], '::ffff:127.0.0.1', '::ffff:192.0.2.7', '192.0.2.7'],
    ['the sender wrote some before', ['loopback'], '127.0.0.1', '10.0.0.1, 192.0.2.7', '192.0.2.7'],
    ['the sender wrote the proxy’s', ['loopback'], '127.0.0.1', '127.0.0.1,192.0.2.7', '192.0.2.7'],
    ['two proxies', ['loopback', '10.0.0.2'], '::1', '9.9.9.9, 192.0.2.7, 10.0.0.2', '192.0.2.7'],
    ['all are proxies', ['loopback', '10.0.0.0/8'], '127.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['with a port', ['loopback'], '127.0.0.1', '192.0.2.7:4711', '192.0.2.7'],
    ['with brackets', ['loopback'], '127.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['the header is missing', ['loopback'], '127.0.0.1', undefined, '127.0.0.1'],
    ['the header is empty', ['loopback'], '127.0.0.1', '', '127.0.0.1'],
    ['the proxy wrote no address', ['loopback'], '127.0.0.1', '192.0.2.7, unknown', '127.0.0.1'],
    ['the proxy wrote nothing', ['loopback'], '127.0.0.1', '192.0.2.7, ', '127.0.0.1'],
    [
      'an inner proxy wrote none',
      ['loopback', '10.0.0.2'],
      '::1',
      '1.1.1.1, x, 10.0.0.2',
      '10.0.0.2',
    ],
    ['the connection is gone', ['loopback'], undefined, '192.0.2.7', ''],
  ])('when %s', (_when, proxies, peer, forwarded, sender) => {
    expect(senderOf(trusting(...proxies), peer, forwarded)).toBe(sender);
  });

  it('is what the proxy wrote, whatever stands before it', () => {
    const senders = trusting('loopback', '10.0.0.0/8');
    const anything = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.constant('127.0.0.1,,'));
    fc.assert(
      fc.property(fc.array(anything), (before) => {
        const forwarded = [...before, '192.0.2.7', '10.0.0.2'].join(', ');
        expect(senderOf(senders, '127.0.0.1', forwarded)).toBe('192.0.2.7');
        // And without anybody's word nothing goes wrong either.
        expect(senderOf(senders, '192.0.2.1', before.join())).toBe('192.0.2.1');
        expect(typeof senderOf(senders, '127.0.0.1', before.join())).toBe('string');
      }),
    );
  });
});
