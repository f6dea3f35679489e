import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  type Delivered,
  type Kind,
  PATIENCE_MS,
  type Payload,
  type Transport,
} from './delivery.ts';

type Acknowledge = (payload: unknown) => void;

/** Slack's side of Socket Mode: hello, envelopes, acknowledgements and routine refreshes. */
export class SocketServer implements Transport {
  readonly #connections = new Set<WebSocket>();
  readonly #waiting = new Map<string, Acknowledge>();
  #servers: WebSocketServer[] = [];
  #envelopes = 0;
  /** How many connections there have been. */
  connects = 0;
  /** A connection is taken, and then nothing is said on it. */
  silent = false;

  /** Takes the WebSocket connections of an HTTP server. */
  attach(server: Server): void {
    const sockets = new WebSocketServer({ server, path: '/link' });
    // The server's own errors are the business of whoever made it listen.
    sockets.on('error', () => {});
    sockets.on('connection', (socket) => this.#welcome(socket));
    this.#servers.push(sockets);
  }

  get connected(): number {
    return this.#connections.size;
  }

  async deliver(kind: Kind, payload: Payload, retry?: number): Promise<Delivered> {
    const [socket] = [...this.#connections].filter((each) => each.readyState === each.OPEN);
    if (socket === undefined) return { ok: false, status: 0, answer: undefined, kind, payload };
    this.#envelopes += 1;
    const envelopeId = `envelope-${this.#envelopes}`;
    const envelope = {
      type: kind,
      envelope_id: envelopeId,
      accepts_response_payload: kind !== 'events_api',
      payload,
      ...(retry === undefined ? {} : { retry_attempt: retry, retry_reason: 'timeout' }),
    };
    const acknowledged = this.#acknowledgement(envelopeId);
    socket.send(JSON.stringify(envelope));
    const answer = await acknowledged;
    if (answer === undefined) return { ok: false, status: 0, answer, kind, payload };
    return { ok: true, status: 200, answer: withoutEmpty(answer), kind, payload };
  }

  /** Slack moves the app to another of its machines: a few times a day, in the middle of anything. */
  refresh(): void {
    this.#tellAll({ type: 'disconnect', reason: 'refresh_requested' });
  }

  /** Something that no app expects. */
  sendRaw(text: string): void {
    for (const socket of this.#connections) socket.send(text);
  }

  /** The connections break without a word. */
  cut(): void {
    for (const socket of this.#connections) socket.terminate();
    this.#connections.clear();
  }

  /** The other side neither reads nor says anything more, and the connections stay open. */
  freeze(): void {
    for (const socket of this.#connections) socket.pause();
  }

  async close(): Promise<void> {
    this.cut();
    const servers = this.#servers;
    this.#servers = [];
    await Promise.all(
      servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
  }

  #welcome(socket: WebSocket): void {
    this.connects += 1;
    this.#connections.add(socket);
    socket.on('close', () => this.#connections.delete(socket));
    socket.on('error', () => this.#connections.delete(socket));
    socket.on('message', (data) => {
      const { envelope_id: id, payload } = JSON.parse(String(data)) as {
        envelope_id: string;
        payload?: unknown;
      };
      this.#waiting.get(id)?.(payload ?? {});
    });
    if (!this.silent) socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
  }

  #tellAll(message: object): void {
    for (const socket of this.#connections) socket.send(JSON.stringify(message));
  }

  #acknowledgement(envelopeId: string): Promise<unknown> {
    return new Promise((resolve) => {
      const end = (payload: unknown) => {
        clearTimeout(timer);
        this.#waiting.delete(envelopeId);
        resolve(payload);
      };
      const timer = setTimeout(() => end(undefined), PATIENCE_MS);
      this.#waiting.set(envelopeId, end);
    });
  }
}

const withoutEmpty = (payload: unknown): unknown =>
  typeof payload === 'object' && payload !== null && Object.keys(payload).length === 0
    ? undefined
    : payload;
