import type { Fill } from '../history.ts';

/** Fills a data folder with the code of the checkout it belongs to, in a process of its own. */
const { fillFolder } = (await import(
  new URL('bench/history.ts', process.env['CHECKOUT']).href
)) as typeof import('../history.ts');

export type FillTask = Fill & { readonly dir: string };

process.on('message', ({ dir, ...fill }: FillTask) => {
  fillFolder(dir, fill).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
process.send?.({ ready: true });
