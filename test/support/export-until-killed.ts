import { writeSync } from 'node:fs';
import { ExportFiles } from '../../src/commands/export/export-files.ts';

/** A process of its own: has a part of an export on the disk, says so, and stays until it is killed. */
const files = new ExportFiles(Number.POSITIVE_INFINITY);
for (const rows of [0, 1]) await files.add({ text: 'number,amount\r\n', rows });
writeSync(1, `${files.rows} written\n`);
setInterval(() => files.rows, 60_000);
