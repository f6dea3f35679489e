import type { IncomingMessage } from 'node:http';

/** The body, the quickest way there is. */
export const bodyOf = (request: IncomingMessage, then: (body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () =>
    then(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
  );
};
