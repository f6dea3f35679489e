import { createRequire } from 'node:module';
import type { MetadataJson } from 'libphonenumber-js/max';

const require = createRequire(import.meta.url);

/** The numbering plans of all countries. */
export const numberingPlans: MetadataJson = require('libphonenumber-js/max/metadata');

/** What reads numbers: ninety files, 15 ms. A text with a number cannot wait for an `import()`; no start has one. */
export const phoneLibrary = (): typeof import('libphonenumber-js/max') =>
  require('libphonenumber-js/max');
