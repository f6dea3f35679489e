import type { Config } from '../../src/config/config.ts';
import { StartError } from '../../src/core/runtime/errors.ts';

/** Why a configuration is refused. */
export const refusal = (read: () => Config): StartError => {
  try {
    read();
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
};
