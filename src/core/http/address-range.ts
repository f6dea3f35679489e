import { BlockList, isIP, SocketAddress } from 'node:net';

/** All addresses that begin with the same bits. */
export type AddressRange = {
  /** As {@link canonicalAddress} writes it. */
  readonly address: string;
  readonly prefixBits: number;
};

const LOOPBACK: readonly AddressRange[] = [
  { address: '127.0.0.0', prefixBits: 8 },
  { address: '::1', prefixBits: 128 },
];
const MAPPED_BITS = 96;

/** The one way to write an address: IPv4 that came as IPv6 is IPv4, and no zone. Undefined: it is none. */
export const canonicalAddress = (text: string): string | undefined => {
  if (isIP(text) !== 6) return isIP(text) === 4 ? text : undefined;
  const [bare = ''] = text.split('%', 1);
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address;
};

/**
 * What `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32` or the word `loopback` means; undefined: nothing.
 * Not even /0: who believes every address, or allows every one, has no reason to say so.
 */
export const parseAddressRanges = (text: string): readonly AddressRange[] | undefined => {
  if (text === 'loopback') return LOOPBACK;
  const [, given = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = canonicalAddress(given);
  if (address === undefined) return undefined;
  const mostBits = isIP(address) === 4 ? 32 : 128;
  const isMapped = mostBits === 32 && isIP(given) === 6;
  const prefixBits = bits === undefined ? mostBits : Number(bits) - (isMapped ? MAPPED_BITS : 0);
  return prefixBits >= 1 && prefixBits <= mostBits ? [{ address, prefixBits }] : undefined;
};

/** The smallest network that is given to one customer: of IPv6 a /64, which holds more addresses than can be counted. */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) return address;
  const [left = [], right = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
};

export class AddressSet {
  readonly #ranges = new BlockList();

  constructor(ranges: readonly AddressRange[]) {
    for (const { address, prefixBits } of ranges)
      this.#ranges.addSubnet(address, prefixBits, familyOf(address));
  }

  /** Of an address as {@link canonicalAddress} writes it. */
  has(address: string): boolean {
    return isIP(address) !== 0 && this.#ranges.check(address, familyOf(address));
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
