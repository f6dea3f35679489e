import { createRequire } from 'node:module';
import type { MetadataJson } from 'libphonenumber-js/max';

const require = createRequire(import.meta.url);

/** The numbering plans of all countries. */
export const numberingPlans: MetadataJson = require('libphonenumber-js/max/metadata');

let library: typeof import('libphonenumber-js/max') | undefined;

/**
 * What reads and writes numbers. Its ninety files take 15 ms, so it is loaded for the first number, which no start has;
 * by `require`, because what shows a number cannot wait for an `import()`.
 */
export const phoneLibrary = () => {
  library ??= require('libphonenumber-js/max') as NonNullable<typeof library>;
  return library;
};
