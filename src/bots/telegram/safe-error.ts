import { GrammyError, HttpError } from 'grammy';
import { networkCode } from './failure.ts';

/**
 * An error as the log may have it. grammY's errors carry the whole payload (numbers, names) and, inside an
 * HttpError, the address with the bot's token; of those only method and code are kept.
 */
export const safeError = (error: unknown): Record<string, unknown> => {
  if (error instanceof GrammyError)
    return { method: error.method, code: error.error_code, said: error.description };
  if (error instanceof HttpError) return { message: error.message, code: networkCode(error) };
  if (error instanceof Error)
    return {
      name: error.name,
      message: withoutToken(error.message),
      stack: withoutToken(error.stack),
    };
  return { message: withoutToken(String(error)) };
};

/** Bot tokens look like `123456:AA…`, in addresses `/bot123456:AA…`. */
const withoutToken = (text: string | undefined): string | undefined =>
  text?.replace(/\d+:[\w-]{20,}/g, '[token]').replace(/\/bot[^/\s]+/g, '/bot[token]');
