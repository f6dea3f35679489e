#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

if (!process.features.typescript) {
  process.stderr.write(
    `Paythread needs Node.js 22.18 or newer and this is ${process.versions.node}. Start it with "npm start", which brings its own.\n`,
  );
  process.exit(1);
}

// Compiled code is kept with the installation, which nobody else may write: it saves a third of the time to
// start and the memory of the compiler. Where the folder cannot be written it is simply not kept. Only what
// is loaded afterwards profits, so everything else is behind this import, and this one file is JavaScript:
// to strip types from it, Node would have to load a compiler at every start.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/paythread', import.meta.url)));

if (import.meta.url.includes('/node_modules/')) {
  const { stripInstalledTypes } = await import('./installed-types.js');
  stripInstalledTypes();
}

// Whatever is written from here on is for this user alone.
process.umask(0o077);
const { stdin: input, stdout: output, stderr: errors } = process;
const { runCommandLine } = await import('./cli/command-line.ts');
const exitCode = await runCommandLine(process.argv.slice(2), { input, output, errors });
// At once: a check that was given up may still hold a connection open.
if (exitCode !== undefined) process.exit(exitCode);
