import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const range = z.object({ startOffset: z.number(), endOffset: z.number(), count: z.number() });
const report = z.object({
  result: z.array(
    z.object({ url: z.string(), functions: z.array(z.object({ ranges: z.array(range) })) }),
  ),
});
type Range = z.infer<typeof range>;

/** A stretch of a source that no test has run, by the number of its first line. */
export type Uncovered = { readonly file: string; readonly line: number; readonly text: string };

/** What no process has run of some files, by what V8 wrote down of each process into a folder. */
export const uncoveredIn = (folder: string, files: readonly string[]): Uncovered[] => {
  const scripts = readdirSync(folder).flatMap(
    (name) => report.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))).result,
  );
  return files.flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const { href } = pathToFileURL(file);
    const runs = scripts.filter(({ url }) => url === href);
    const wasRun = new Uint8Array(source.length);
    for (const { functions } of runs)
      ranByProcess(
        functions.map(({ ranges }) => ranges),
        source.length,
      ).forEach((ran, at) => {
        if (ran === 1) wasRun[at] = 1;
      });
    return stretches(source, wasRun).map((stretch) => ({ file, ...stretch }));
  });
};

/** Ranges lie in each other; the innermost tells. A function's own count lies in that of what is around it. */
const ranByProcess = (functions: readonly Range[][], length: number): Uint8Array => {
  const ran = new Uint8Array(length);
  const all = functions
    .flat()
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of all)
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return ran;
};

const stretches = (source: string, wasRun: Uint8Array): { line: number; text: string }[] => {
  const found: { line: number; text: string }[] = [];
  for (let from = wasRun.indexOf(0); from >= 0; ) {
    const next = wasRun.indexOf(1, from);
    const to = next < 0 ? source.length : next;
    const text = source.slice(from, to).trim();
    // Brackets alone are no branch, and the compiler proves that nothing comes to `assertNever`.
    if (/[\w'"`]/.test(text) && !/^default:\s+(return )?assertNever\(\w+\);$/.test(text))
      found.push({ line: source.slice(0, from).split('\n').length, text: text.slice(0, 80) });
    from = wasRun.indexOf(0, to);
  }
  return found;
};
