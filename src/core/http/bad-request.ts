import type { Duplex } from 'node:stream';
import { SECURITY_HEADERS } from './limited-response.ts';

/** What Node's parser says of bytes that are no proper request; any other is 400. */
const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Ends a connection whose bytes cannot be understood, or did not come in time. As Node does it, but with the
 * headers of every other answer. It cannot land in the middle of one, because ours are written in one piece.
 */
export const endBadRequest = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  const headers = Object.entries({ ...SECURITY_HEADERS, connection: 'close' });
  if (socket.writable)
    socket.write(
      [
        `HTTP/1.1 ${STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'}`,
        ...headers.map(([name, value]) => `${name}: ${value}`),
        'content-length: 0',
        '\r\n',
      ].join('\r\n'),
    );
  socket.destroy();
};
