import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { AppProcess } from '../../support/app-process.ts';
import { freePort } from '../../support/free-port.ts';
import { sandboxSettings } from '../../support/sandbox-settings.ts';
import { TelegramSimulator } from '../../support/telegram-simulator.ts';
import { mustBeWhole } from '../../support/whole-numbers.ts';
import { type ChargeFigures, ChargingGroup } from './charging-group.ts';

/**
 * `npm run busy-group`: three Telegram groups that charge at once through the real program, by the wall clock. One has
 * twelve charges in a minute; in one each payment takes longer than five seconds; one has a charge every ten seconds for
 * ten minutes, while a member without any rights asks for help. Leaves with 0 when all was in time, in order and once.
 */
const { values } = parseArgs({ options: { charges: { type: 'string', default: '60' } } });
mustBeWhole(values, 'charges');
const CHARGES = Number(values.charges);
const EVERY_MS = 10_000;
const HELPS = 40;
const LOOK_EVERY_MS = 20;
const LAST_WITHIN_MS = 75_000;

/** `settlesMs`: after which the sandbox, or the status check, knows the end. In ms and writes, what is still good. */
const GROUPS = [
  {
    plan: { name: 'rush', charges: 12, everyMs: 5_000, firstAmount: 100, ending: '10' },
    settlesMs: 2_000,
    limits: { asked: 10_000, answered: 1_000, requested: 5_000, told: 75_000, writes: 3 },
  },
  {
    plan: { name: 'slow', charges: 3, everyMs: 20_000, firstAmount: 200, ending: '02' },
    settlesMs: 10_000,
    limits: { asked: 10_000, answered: 1_000, requested: 5_000, told: 10_000, writes: 4 },
  },
  {
    plan: { name: 'steady', charges: CHARGES, everyMs: EVERY_MS, firstAmount: 300, ending: '10' },
    settlesMs: 2_000,
    limits: { asked: 20_000, answered: 1_000, requested: 5_000, told: 30_000, writes: 3 },
  },
] as const;

const everything = new AsyncDisposableStack();
const telegram = await TelegramSimulator.start({
  flood: { chatBurst: 1, groupPerMinute: 20, allPerSecond: 30 },
});
everything.defer(() => telegram.stop());
const sandbox = await startSandbox({ clock: systemClock });
everything.defer(() => sandbox.stop());
const sellers = ['Ama', 'Kojo', 'Esi'].map((name) => telegram.person(name));
const stranger = telegram.person('Yaw');
const dir = await mkdtemp(join(tmpdir(), 'paythread-busy-'));
everything.defer(() => rm(dir, { recursive: true, force: true }));
const members = sellers.map(({ id }) => `telegram:${id}`).join(', ');
await writeFile(
  join(dir, 'access.yml'),
  `roles: {sales: {commands: "*"}}\nmembers: {sales: [${members}]}\n`,
);
const port = await freePort();
const app = new AppProcess(port, {
  ...sandboxSettings(sandbox),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  TELEGRAM_BOT_TOKEN: telegram.token,
  TELEGRAM_API_ROOT: telegram.apiRoot,
  DATA_DIR: join(dir, 'data'),
  ACCESS_FILE: join(dir, 'access.yml'),
});
await app.start();
everything.defer(async () => void (await app.kill('SIGTERM')));

const startedMs = Date.now();
const groups = GROUPS.map(({ plan, ...rest }) => {
  const chat = telegram.supergroup(plan.name, [...sellers, stranger]);
  return { ...rest, of: new ChargingGroup(plan, chat, sellers) };
});
const steady = groups[2]?.of.group ?? telegram.supergroup('none', []);
let helps = 0;
const endMs = startedMs + CHARGES * EVERY_MS + LAST_WITHIN_MS;
const helpEveryMs = (CHARGES * EVERY_MS) / HELPS;
for (; Date.now() < endMs; await sleep(LOOK_EVERY_MS)) {
  for (const { of } of groups) of.act();
  if (helps >= HELPS || Date.now() - startedMs < helps * helpEveryMs) continue;
  helps += 1;
  stranger.type(steady, '/help');
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const requests = sandbox.requests.filter(({ path }) => path.endsWith('make_payment'));
const requestedAtMs = (amount: string): number =>
  requests.find(({ body }) => Number((body as { amount?: unknown }).amount) === Number(amount))
    ?.atMs ?? Number.POSITIVE_INFINITY;
const UNITS = {
  asked: 'ms',
  answered: 'ms',
  requested: 'ms',
  told: 'ms',
  writes: 'writes',
} as const;

/** Prints the figures of a group, and returns whether they are good. */
const judge = ({ of, settlesMs, limits }: (typeof groups)[number]): boolean => {
  const figures = of.figures(requestedAtMs, settlesMs);
  say(`${of.plan.name}: ${of.plan.charges} charges, one every ${of.plan.everyMs / 1_000} s`);
  const each = (what: keyof typeof UNITS) => figures.map((figure: ChargeFigures) => figure[what]);
  for (const [what, unit] of Object.entries(UNITS) as [keyof typeof UNITS, string][]) {
    const all = each(what).sort((a, b) => a - b);
    const most = all.at(-1) ?? Number.POSITIVE_INFINITY;
    const word = most <= limits[what] ? 'good' : 'MISSED';
    say(
      `  ${what.padEnd(10)} p50 ${all[Math.floor(all.length / 2)]}, max ${most} ${unit} (at most ${limits[what]}: ${word})`,
    );
  }
  if (of.plan.name === 'rush')
    say(
      `  typed to asked, in s: ${each('asked')
        .map((ms) => (ms / 1_000).toFixed(1))
        .join(' ')}`,
    );
  const whole = figures.filter(({ isWhole }) => isWhole).length;
  say(`  whole      ${whole} of ${figures.length}: one card that shows the end, one outcome`);
  const overtaken = of.orders.filter((order) =>
    order.some((place, at) => at > 0 && place <= (order[at - 1] ?? 0)),
  );
  say(
    `  order      ${overtaken.length === 0 ? 'nothing overtaken' : `OVERTAKEN: ${overtaken.join(' | ')}`}`,
  );
  return (
    overtaken.length === 0 &&
    whole === of.plan.charges &&
    (Object.keys(UNITS) as (keyof typeof UNITS)[]).every((what) =>
      each(what).every((figure) => figure <= limits[what]),
    )
  );
};
const verdicts = groups.map(judge);
const helped = steady.fromBot.filter(({ replyTo }) => replyTo?.from?.id === stranger.account.id);
const refused = telegram.ledger.filter(({ status }) => status === 429).length;
say(`all: ${helped.length} answers to ${HELPS} /help, ${refused} times 429`);
say(`typing: shown ${telegram.calls('sendChatAction').length} times`);
const isGood = verdicts.every((verdict) => verdict);
say(`verdict: ${isGood ? 'in time, in order and once' : 'not as it should be'}`);
process.exitCode = isGood ? 0 : 1;
await everything.disposeAsync();
process.exit();
