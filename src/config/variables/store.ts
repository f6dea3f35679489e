import { z } from 'zod';
import { databaseAddress, durationMs, line } from '../formats.ts';
import type { Variable } from '../variable.ts';

const THIRTY_DAYS_MS = 30 * 86_400_000;

/** Where payments are kept, and for how long. */
export const storeVariables = {
  DATA_DIR: {
    meaning: 'the embedded store',
    default: './data',
    example: './data',
    expected: 'a folder',
    schema: line,
  },
  DATABASE_URL: {
    meaning:
      '`postgres://…`: use PostgreSQL instead of the embedded store; several instances may share it',
    example: 'postgres://paythread:password@localhost/paythread',
    expected:
      'a postgres:// address; in its password special characters are encoded: %40 is @, %2F is /, %25 is %',
    secret: true,
    schema: databaseAddress,
  },
  RETAIN: {
    meaning:
      "payments that ended longer ago lose the customer's number and name; what was paid stays, under a pseudonym",
    otherwise: 'nothing is erased by itself',
    example: '400d',
    expected: 'a duration of 30d or more',
    schema: durationMs(THIRTY_DAYS_MS),
  },
  PSEUDONYM_SECRET: {
    meaning: 'key that the pseudonyms of erased customers are made with',
    otherwise: 'made and kept in the store',
    example: 'a-long-random-text-of-32-characters',
    expected: 'a secret of 16 characters or more',
    secret: true,
    schema: z.string().min(16),
  },
} as const satisfies Readonly<Record<string, Variable>>;
