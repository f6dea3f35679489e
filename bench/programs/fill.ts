import type { Fill } from '../history.ts';
import { serveTasks } from '../serve-tasks.ts';

/** Fills a data folder with the code of the checkout it belongs to, in a process of its own. */
const { fillFolder } = (await import(
  new URL('bench/history.ts', process.env['CHECKOUT']).href
)) as typeof import('../history.ts');

export type FillTask = Fill & { readonly dir: string };

serveTasks(({ dir, ...fill }: FillTask) => fillFolder(dir, fill));
