import { createConnection, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)/i;

/** One connection with one request on its way at a time. Reads no more of an answer than its end. */
export class Connection {
  readonly #port: number;
  readonly #onAnswer: (status: number, tookMs: number) => void;
  readonly #onBroken: (error: Error) => void;
  #socket: Socket | undefined;
  #received = '';
  #sentAtMs = 0;
  busy = false;

  constructor(
    port: number,
    onAnswer: (status: number, tookMs: number) => void,
    onBroken: (error: Error) => void,
  ) {
    this.#port = port;
    this.#onAnswer = onAnswer;
    this.#onBroken = onBroken;
  }

  /** Connects first where it is not connected. */
  send(request: string): void {
    this.busy = true;
    this.#sentAtMs = performance.now();
    this.#socket ??= this.#connect();
    this.#socket.write(request, 'latin1');
  }

  close(): void {
    this.#socket?.removeAllListeners('end').destroy();
    this.#socket = undefined;
  }

  #connect(): Socket {
    const socket = createConnection(this.#port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text) => this.#take(String(text)));
    socket.on('error', this.#onBroken);
    socket.on('end', () => {
      if (this.busy) this.#onBroken(new Error('the server closed a connection'));
    });
    return socket;
  }

  #take(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = LENGTH.exec(this.#received);
    const whole =
      length === null
        ? this.#received.endsWith('0\r\n\r\n')
        : this.#received.length >= headEnd + HEAD_END.length + Number(length[1]);
    if (!whole) return;
    const status = Number(this.#received.slice(9, 12));
    this.#received = '';
    this.busy = false;
    this.#onAnswer(status, performance.now() - this.#sentAtMs);
  }
}
