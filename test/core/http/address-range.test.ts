import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AddressSet,
  canonicalAddress,
  networkOf,
  parseAddressRanges,
} from '../../../src/core/http/address-range.ts';

const setOf = (...texts: string[]): AddressSet =>
  new AddressSet(texts.flatMap((text) => parseAddressRanges(text) ?? []));

describe('an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:207', '192.0.2.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
  ])('%s is written %s', (text, written) => {
    expect(canonicalAddress(text)).toBe(written);
  });

  it.each([
    '',
    'unknown',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.4%x',
    '1.2.3.4/8',
    ':::',
    '[::1]',
  ])('%j is none', (text) => {
    expect(canonicalAddress(text)).toBeUndefined();
  });

  it('is refused or read, whatever stands there', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (text) => {
        const address = canonicalAddress(text);
        if (address !== undefined) expect(canonicalAddress(address)).toBe(address);
      }),
    );
  });
});

describe('a range', () => {
  it.each([
    ['10.0.0.0/8', ['10.255.0.1', '10.0.0.0'], ['11.0.0.0', '9.255.255.255']],
    ['10.1.2.3/8', ['10.9.9.9'], ['11.0.0.0']],
    ['192.0.2.7', ['192.0.2.7'], ['192.0.2.8', '2001:db8::1']],
    ['2001:db8::/33', ['2001:db8:7fff::1'], ['2001:db8:8000::1', '192.0.2.7']],
    ['::ffff:10.0.0.0/104', ['10.9.9.9'], ['11.0.0.0']],
    ['loopback', ['127.0.0.1', '127.9.9.9', '::1'], ['128.0.0.1', '::2', '10.0.0.1']],
  ])('%s holds what it says and nothing else', (text, inside, outside) => {
    const set = setOf(text);
    expect(inside.filter((address) => !set.has(address))).toEqual([]);
    expect([...outside, '', 'nobody'].filter((address) => set.has(address))).toEqual([]);
  });

  it.each([
    '',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '/8',
    '::/129',
    'fe80::%eth0/10',
    'localhost',
  ])('%j is none', (text) => {
    expect(parseAddressRanges(text)).toBeUndefined();
  });

  it.each(['0.0.0.0/0', '::/0', '::ffff:0:0/96'])('%s is every address, and refused', (text) => {
    expect(parseAddressRanges(text)).toBeUndefined();
  });
});

describe('what is counted as one sender', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::3:4:5:6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001::', '2001:0:0:0::/64'],
  ])('%s belongs to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it('is the same for all that differ in the last 64 bits alone', () => {
    const half = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 4 });
    const addressOf = (groups: number[]) =>
      canonicalAddress(groups.map((group) => group.toString(16)).join(':')) ?? 'none';
    fc.assert(
      fc.property(half, half, half, (network, one, other) => {
        fc.pre(network.some((group) => group !== 0));
        expect(networkOf(addressOf([...network, ...one]))).toBe(
          networkOf(addressOf([...network, ...other])),
        );
      }),
    );
  });
});
