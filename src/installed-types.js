import { readFileSync } from 'node:fs';
import module from 'node:module';

/**
 * Node.js strips no types from files under `node_modules` (ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING), and there
 * `npm install --global` puts this package. This hook strips them from the files of this folder.
 */
export const stripInstalledTypes = () => {
  const folder = new URL('./', import.meta.url).href;
  const { emitWarning } = process;
  // stripTypeScriptTypes warns once that it is experimental (24.21.0), which is nothing to a person at a shell.
  process.emitWarning = () => {};
  module.stripTypeScriptTypes('');
  process.emitWarning = emitWarning;
  module.registerHooks({
    load: (url, context, nextLoad) => {
      if (!url.startsWith(folder) || !url.endsWith('.ts')) return nextLoad(url, context);
      const source = module.stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
};
