import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Compiled code is kept with the installation, which nobody else may write: it saves a third of the time to
// start and the memory of the compiler. Where the folder cannot be written it is simply not kept. Only what
// is loaded afterwards profits, so everything else is behind this import.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/paythread', import.meta.url)));

const { runProgram } = await import('./program.ts');
await runProgram();
