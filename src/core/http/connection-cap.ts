import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './address-range.ts';
import { type ClientAddresses, peerOf } from './client-address.ts';

/** More than any sender of callbacks holds open; less than would fill the memory with half-sent bodies. */
const CONNECTIONS_PER_SENDER = 512;

/** The connections of one sender; those that wait for a request, the longest first. */
type Held = { count: number; readonly waiting: Set<Socket> };

/**
 * Caps the connections of one sender. One more closes the one that has waited longest
 * for a request, half-sent headers included: idle connections lock no sender out, and a
 * sender that works through all of them has no need of more.
 */
export const capConnections = (server: Server, senders: ClientAddresses): void => {
  const heldBy = new Map<string, Held>();
  const heldWith = new WeakMap<Socket, Held>();
  server.on('connection', (socket) => {
    const peer = peerOf(socket);
    // A proxy's connections carry the requests of many senders, so they are not capped.
    if (senders.isProxy(peer)) return;
    const key = networkOf(peer);
    const held = heldBy.get(key) ?? { count: 0, waiting: new Set() };
    heldBy.set(key, held);
    heldWith.set(socket, held);
    held.count++;
    held.waiting.add(socket);
    socket.once('close', () => {
      held.waiting.delete(socket);
      if (--held.count === 0) heldBy.delete(key);
    });
    if (held.count <= CONNECTIONS_PER_SENDER) return;
    const [longest = socket] = held.waiting;
    held.waiting.delete(longest);
    longest.destroy();
  });
  server.on('request', ({ socket }, response) => {
    const waiting = heldWith.get(socket)?.waiting;
    if (waiting === undefined || !waiting.delete(socket)) return;
    response.once('close', () => {
      if (!socket.destroyed) waiting.add(socket);
    });
  });
};
