import { loadConfig } from '../config/config.ts';
import { StartError } from '../core/runtime/errors.ts';
import { secretHider } from '../core/runtime/masking.ts';

/**
 * What is printed of the reason why a program ends. It may quote a database or a chat platform, and those may
 * quote what they were sent; so it passes a mask, as every line of the log does.
 */
export const startErrorText = ({ message }: StartError): string =>
  `${secretHider(secretsOrNone())(message)}\n`;

const secretsOrNone = (): readonly string[] => {
  try {
    return loadConfig().secrets;
  } catch (error) {
    // Settings that cannot be read are the reason themselves, and it quotes nobody.
    if (error instanceof StartError) return [];
    throw error;
  }
};
