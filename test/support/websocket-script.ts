import { createHash } from 'node:crypto';
import type { Script } from './scripted-http.ts';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Takes a WebSocket, sends these texts, and then bytes that are no frame. */
export const websocketScript =
  (texts: readonly string[]): Script =>
  (socket, { headers }) => {
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}${MAGIC}`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    for (const text of texts) socket.write(textFrame(text));
    // A kind of frame that nobody defined, with bits set that nobody agreed on.
    socket.end(Buffer.from([0xff, 0xff, 0x63, 0x61]));
  };

/** For texts of fewer than 126 bytes. */
const textFrame = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x81, Buffer.byteLength(text)]), Buffer.from(text)]);
