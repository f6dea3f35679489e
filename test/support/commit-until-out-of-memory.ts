/** A process of its own: commits as `commit-until-killed.ts` does, while something eats its memory, until it dies of that. */
const eaten: object[] = [];
setInterval(() => {
  eaten.push(Array.from({ length: 20_000 }, (_, at) => ({ at })));
}, 10);

await import('./commit-until-killed.ts');
