import { writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mustBeWhole } from '../../support/whole-numbers.ts';
import { copyOfProject, mustBeGreen, type Planting, plant, removeCopy } from './plant.ts';
import { type PlantedBug, type Proof, plantedBugs } from './planted-bugs.ts';
import { rewritePatch } from './rewrite-patch.ts';

/*
 * Plants one bug after the other into copies of the project and shows that each is noticed:
 * npm run mutants [-- --only "<part of a name>"]
 * --threats  the bugs that the tests of a row of test/THREATS.md have to notice, each by those tests alone
 * --every 3  a third of the bugs, the first, the fourth and so on
 * --check    only looks whether every patch applies, and says what has to notice each
 * --refresh  writes the patches anew that apply to changed lines
 */

const ROOT = resolve(import.meta.dirname, '../../..');
const AT_ONCE = 2;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    threats: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    check: { type: 'boolean', default: false },
    refresh: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Names each bug whose patch does not apply to the sources as they are. */
const unfitAmong = async (bugs: readonly PlantedBug[]): Promise<string[]> => {
  const unfit: string[] = [];
  for (const bug of bugs) {
    const rewritten = await rewritePatch(ROOT, bug);
    if (!rewritten.ok) unfit.push(`DOES NOT APPLY  ${basename(bug.path)}: ${rewritten.why}`);
    else if (values.refresh && rewritten.isNew) {
      await writeFile(bug.path, rewritten.text);
      say(`written anew    ${basename(bug.path)}`);
    }
  }
  return unfit;
};

const words = (proof: Proof): string => {
  if (proof.kind === 'simulation') return 'simulation';
  return proof.kind === 'tag' ? proof.tag : proof.files.join(' ');
};

const isOfThreat = (proof: Proof): boolean => proof.kind === 'tag' && proof.tag.startsWith('T');

const run = async (plantings: readonly Planting[]): Promise<number> => {
  const queue = [...plantings];
  let survivors = 0;
  const work = async (dir: string): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const noticedBy = await plant(ROOT, dir, next);
      if (noticedBy === undefined) survivors += 1;
      const label = `${words(next.proof)}: ${next.bug.name}`;
      say(
        noticedBy === undefined
          ? `SURVIVED  ${label}: nothing noticed it`
          : `caught    ${label}: ${noticedBy}`,
      );
    }
  };
  const dirs = await Promise.all(Array.from({ length: AT_ONCE }, () => copyOfProject(ROOT)));
  try {
    await mustBeGreen(
      dirs[0] ?? ROOT,
      plantings.map(({ proof }) => proof),
    );
    await Promise.all(dirs.map(work));
  } finally {
    await Promise.all(dirs.map(removeCopy));
  }
  say(`${plantings.length - survivors} of ${plantings.length} planted bugs caught`);
  return survivors;
};

mustBeWhole(values, 'every');
const bugs = plantedBugs()
  .filter(({ name }) => name.includes(values.only))
  .filter((_bug, index) => index % Math.max(1, Number(values.every)) === 0);
const unfit = await unfitAmong(bugs);
for (const each of unfit) say(each);
if (unfit.length > 0) process.exitCode = 1;
else if (values.check || values.refresh) {
  for (const { name, noticedBy } of bugs) say(`${noticedBy.map(words).join(', ')}: ${name}`);
  say(`All ${bugs.length} patches apply`);
} else {
  const chosen = bugs
    .flatMap((bug) => bug.noticedBy.map((proof) => ({ bug, proof })))
    .filter(({ proof }) => isOfThreat(proof) === values.threats);
  if (chosen.length === 0) throw new Error('No planted bug is meant by these words.');
  process.exitCode = (await run(chosen)) === 0 ? 0 : 1;
}
