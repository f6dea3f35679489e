import { type Config, readConfig } from '../../src/config/config.ts';
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

/** The variables that a refusal names as not right. */
export const refusedVariables = (env: Readonly<Record<string, string>>): string[] => {
  const { message } = refusal(() => readConfig(env));
  return [...message.matchAll(/^ {2}([A-Z_]+) (?:is|and)/gm)].map((match) => match[1] ?? '');
};
