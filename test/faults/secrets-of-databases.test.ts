import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { plantedIn } from '../support/planted-secrets.ts';
import { type Ran, runCommand, startCommand } from '../support/run-command.ts';
import { openStoreIn } from '../support/store-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PASSWORD = 'canary/pass@word';

/** Message by message, as PostgreSQL would answer; the first one of the client comes without a type. */
type Answer = (socket: Socket, received: Buffer) => void;

const message = (type: string, content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length + 4);
  return Buffer.concat([Buffer.from(type), length, bytes]);
};

const ASK_FOR_PASSWORD = message('R', Buffer.from([0, 0, 0, 3]));

/** Says back what it was sent, the password among it. */
const refuse: Answer = (socket, received) => {
  if (received[0] !== 'p'.charCodeAt(0)) return void socket.write(ASK_FOR_PASSWORD);
  const said = received.toString('latin1').replaceAll('\0', ' ');
  const fields = ['SFATAL', 'C28P01', `Mno entry with ${said}`, `Dgiven: ${said}`, `H${said}`, ''];
  socket.end(message('E', `${fields.join('\0')}\0`));
};

const NONSENSE: readonly Answer[] = [
  // A way in that nobody knows.
  (socket) => socket.write(message('R', Buffer.from([0, 0, 0, 99]))),
  (socket, received) =>
    socket.end(`HTTP/1.1 400 Bad Request\r\n\r\n${received.toString('base64')}`),
  (socket) => socket.destroy(),
];

const startServer = async (answer: Answer): Promise<number> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // Cut on purpose; the other side's complaints are no news.
    socket.on('error', () => {}).on('data', (received: Buffer) => answer(socket, received));
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  return port;
};

/** The program in a process of its own, as its runtime writes what nobody handles; to its end. */
const startProgram = async (env: Readonly<Record<string, string>>): Promise<Ran> => {
  const { ended } = await startCommand('start', [], { PORT: '0', LOG_LEVEL: 'trace', ...env });
  return ended;
};

/** All that it wrote before it gave up, its log as well. */
const outputOf = async (program: readonly string[], url: string): Promise<string> => {
  const DATA_DIR = join(await tempFolder(), 'data');
  const [name = '', ...args] = program;
  // Something to move.
  if (name === 'migrate-store') await (await openStoreIn(DATA_DIR)).close();
  const env = { DATA_DIR, DATABASE_URL: url };
  const { code, output } = await (name === 'start'
    ? startProgram(env)
    : runCommand(name, args, { LOG_LEVEL: 'trace', ...env }));
  expect(code).not.toBe(0);
  const log = join(DATA_DIR, 'paythread.log');
  return existsSync(log) ? output + readFileSync(log, 'utf8') : output;
};

const addresses = (port: number): string[] => [
  `postgres://u:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/paythread`,
  `postgres://127.0.0.1:${port}/paythread?user=u&password=${encodeURIComponent(PASSWORD)}`,
];

const PROGRAMS = [['start'], ['audit', 'verify'], ['reconcile'], ['migrate-store'], ['doctor']];

describe('the password of the database comes out of no program that meets', () => {
  it.each(PROGRAMS)(
    'a server that refuses it and repeats it: %s',
    { tags: ['I15'] },
    async (...program) => {
      const port = await startServer(refuse);
      for (const url of addresses(port)) {
        const output = await outputOf(program, url);
        expect(output).toContain('[secret]');
        expect(plantedIn(output)).toEqual([]);
      }
    },
  );

  // All at once: a server that may only be starting is waited for, ten seconds each time.
  it('a server that is away or speaks nonsense', async () => {
    const ports = [await freePort(), ...(await Promise.all(NONSENSE.map(startServer)))];
    const outputs = await Promise.all(
      ports.flatMap((port) => addresses(port).slice(0, 1)).map((url) => outputOf(['start'], url)),
    );
    for (const output of outputs) {
      expect(output).toMatch(/cannot be reached|not handled/);
      expect(plantedIn(output)).toEqual([]);
    }
  });
});
