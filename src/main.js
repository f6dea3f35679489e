#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// 24.15 is the first with SQLite 3.51.3, which the store needs, and newer than what undici asks for (22.19).
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isTooOld = major < 24 || (major === 24 && minor < 15);
if (isTooOld || !process.features.typescript) {
  process.stderr.write(
    `Paythread needs Node.js 24.15 or newer and this is ${process.versions.node}. Start it with "npm start", which brings its own.\n`,
  );
  process.exit(1);
}

// Compiled code is cached in the installation, which other users may not write: that saves a third of the time to
// start and the memory of the compiler. A folder that cannot be written is left without a cache. Only modules that
// are loaded afterwards are cached, so everything else is imported below, and this one file is JavaScript: to strip
// types from it, Node would load a compiler at every start.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/paythread', import.meta.url)));

// Our imports name their files whole: without Node's search for each of four hundred a start is 25 ms shorter.
const folder = new URL('./', import.meta.url).href;
module.registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const isOurs = specifier.endsWith('.ts') && context.parentURL?.startsWith(folder);
    if (!isOurs) return nextResolve(specifier, context);
    const { href: url } = new URL(specifier, context.parentURL);
    return { url, format: 'module-typescript', shortCircuit: true };
  },
});

if (import.meta.url.includes('/node_modules/')) {
  const { stripInstalledTypes } = await import('./installed-types.js');
  stripInstalledTypes();
}

// Files that are made from here on are for this user alone.
process.umask(0o077);
const { stdin: input, stdout: output, stderr: errors } = process;
const { runCommandLine } = await import('./cli/command-line.ts');
const exitCode = await runCommandLine(process.argv.slice(2), { input, output, errors });
// Without waiting for connections: a check that was given up may still hold one open.
if (exitCode !== undefined) process.exit(exitCode);
// Node writes the cache when the process ends by itself: one that is killed later would leave none for the next start.
module.flushCompileCache();
