import type { IncomingHttpHeaders } from 'node:http';
import { type AddressRange, AddressSet, canonicalAddress } from './address-range.ts';

type Peer = { readonly remoteAddress?: string | undefined };

/** Who sent a request, also from behind the proxies that are trusted to say so. */
export class ClientAddresses {
  readonly #proxies: AddressSet;

  constructor(proxies: readonly AddressRange[]) {
    this.#proxies = new AddressSet(proxies);
  }

  /** Whether connections from there are other people's. */
  isProxy(address: string): boolean {
    return this.#proxies.has(address);
  }

  /**
   * The address that the last trusted proxy was connected from. Entries further left in
   * `X-Forwarded-For` were written by strangers; where a proxy wrote no address, it is the sender itself.
   */
  of({ socket, headers }: { socket: Peer | null; headers: IncomingHttpHeaders }): string {
    const hops = String(headers['x-forwarded-for'] ?? '').split(',');
    let sender = peerOf(socket);
    while (this.#proxies.has(sender)) {
      const hop = addressIn(hops.pop() ?? '');
      if (hop === undefined) return sender;
      sender = hop;
    }
    return sender;
  }
}

/** The other end of a connection; empty once it is gone. A destroyed request has null for it, whatever Node's types say. */
export const peerOf = (peer: Peer | null): string =>
  canonicalAddress(peer?.remoteAddress ?? '') ?? '';

/** Some proxies add the port: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
const addressIn = (hop: string): string | undefined => {
  const text = hop.trim();
  const [, bare = text] = /^\[(.+)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? [];
  return canonicalAddress(bare);
};
