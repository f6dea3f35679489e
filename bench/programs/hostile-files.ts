import { serveTasks } from '../serve-tasks.ts';
import { startTerminal } from '../terminal-app.ts';

/** The whole program with the terminal chat, which is sent files. Names are looked up fast: the file is what counts. */
const { app, type } = await startTerminal({ requestsPerSecond: 1_000 });

export type FileTask = { readonly command: string };

/** What the program says once it has read a file: its question, or what is wrong with it. */
const ANSWERED = /\[1\] |This file |Row 1 |No row of this file/;

serveTasks(async ({ command }: FileTask) => {
  await type(command, ANSWERED);
  return true;
}, app.port);
