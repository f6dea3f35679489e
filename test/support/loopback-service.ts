import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The HTTP server of a payment service that a test or a storm plays, on a free port of this machine. */
export class LoopbackService {
  readonly #server: Server;

  constructor(serve: (...exchange: Parameters<RequestListener>) => Promise<void>) {
    this.#server = createServer((request, response) => {
      // Whoever hangs up before the answer has charged all the same.
      serve(request, response).catch(() => response.destroy());
    });
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  /** Paythread's settings that lead here. */
  get settings(): Readonly<Record<string, string>> {
    const { port } = this.#server.address() as AddressInfo;
    return {
      PAYMENTS_BASE_URL: `http://127.0.0.1:${port}`,
      PAYMENTS_CLIENT_KEY: 'client',
      PAYMENTS_SECRET_KEY: 'secret',
      PAYMENTS_SERVICE_ID: '7',
      PAYMENTS_NICKNAME: 'Ama Ventures',
    };
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}
