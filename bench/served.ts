import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on a free port of this machine, tells the parent which, and ends with the parent. */
export const serve = (server: Server): void => {
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ ready: true, port: (server.address() as AddressInfo).port });
  });
  process.on('disconnect', () => process.exit(0));
};
