import { mkdtempSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyOf } from '../body-of.ts';
import { serve } from '../served.ts';

/** Appends every body to a file and answers once it is flushed; whatever came meanwhile shares the next flush. */
const folder = process.env['FOLDER'] ?? mkdtempSync(join(tmpdir(), 'bench-append-'));
const file = await open(join(folder, 'appended.ndjson'), 'a');
let waiting: { readonly lines: Buffer[]; readonly answers: (() => void)[] } | undefined;
let flushing = false;

const flushAll = async (): Promise<void> => {
  flushing = true;
  while (waiting !== undefined) {
    const batch = waiting;
    waiting = undefined;
    await file.write(Buffer.concat(batch.lines));
    await file.datasync();
    for (const answer of batch.answers) answer();
  }
  flushing = false;
};

const NEWLINE = Buffer.from('\n');

serve(
  createServer((request, response) => {
    bodyOf(request, (body) => {
      waiting ??= { lines: [], answers: [] };
      waiting.lines.push(body, NEWLINE);
      waiting.answers.push(() => response.end('ok'));
      if (!flushing) void flushAll();
    });
  }),
);
