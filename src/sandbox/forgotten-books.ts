import { readFile, rename, writeFile } from 'node:fs/promises';
import { numberPattern } from '../core/privacy/written-forms.ts';

/**
 * Replaces a customer's number in the sandbox's file; no sandbox may run meanwhile. The last two digits stay, because
 * they choose the scenario.
 */
export const forgetInBooks = async (
  file: string,
  { number, pseudonym }: { number: string; pseudonym: string },
): Promise<void> => {
  const books = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // The sandbox has taken no payment yet.
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const pattern = numberPattern(number, { bare: true });
  const without = books.replace(pattern, `${pseudonym}-${number.slice(-2)}`);
  if (without === books) return;
  await writeFile(`${file}.anew`, without, { mode: 0o600 });
  await rename(`${file}.anew`, file);
};
