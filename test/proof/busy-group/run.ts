import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { AppProcess } from '../../support/app-process.ts';
import { freePort } from '../../support/free-port.ts';
import type { SimMessage } from '../../support/telegram/message.ts';
import { TelegramSimulator } from '../../support/telegram-simulator.ts';
import { mustBeWhole } from '../../support/whole-numbers.ts';

/**
 * `npm run busy-group`: one charge every ten seconds for ten minutes in one Telegram group, through the real
 * program, while a member without any rights asks for help. Leaves with 0 when all was in time and in order.
 */
const { values } = parseArgs({ options: { charges: { type: 'string', default: '60' } } });
mustBeWhole(values, 'charges');
const CHARGES = Number(values.charges);
const EVERY_MS = 10_000;
const PRESSED_AFTER_MS = 2_000;
/** The sandbox settles and calls back then. */
const SETTLES_AFTER_MS = 2_000;
const HELPS = 40;
const LOOK_EVERY_MS = 20;
const LAST_WITHIN_MS = 45_000;

type Charge = {
  readonly amount: string;
  readonly number: string;
  readonly seller: number;
  readonly typedAtMs: number;
  question?: SimMessage;
  pressAtMs?: number;
  pressedAtMs?: number;
};

const everything = new AsyncDisposableStack();
const telegram = await TelegramSimulator.start({
  flood: { chatBurst: 1, groupPerMinute: 20, allPerSecond: 30 },
});
everything.defer(() => telegram.stop());
const sandbox = await startSandbox({ clock: systemClock });
everything.defer(() => sandbox.stop());
const sellers = ['Ama', 'Kojo', 'Esi'].map((name) => telegram.person(name));
const stranger = telegram.person('Yaw');
const group = telegram.supergroup('Sales', [...sellers, stranger]);
const dir = await mkdtemp(join(tmpdir(), 'paythread-busy-'));
everything.defer(() => rm(dir, { recursive: true, force: true }));
const members = sellers.map(({ id }) => `telegram:${id}`).join(', ');
await writeFile(
  join(dir, 'access.yml'),
  `roles: {sales: {commands: "*"}}\nmembers: {sales: [${members}]}\n`,
);
const port = await freePort();
const app = new AppProcess(port, {
  PAYMENTS_BASE_URL: sandbox.baseUrl,
  PAYMENTS_CLIENT_KEY: sandbox.clientKey,
  PAYMENTS_SECRET_KEY: sandbox.secretKey,
  PAYMENTS_SERVICE_ID: String(sandbox.serviceId),
  PAYMENTS_NICKNAME: sandbox.nickname,
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  TELEGRAM_BOT_TOKEN: telegram.token,
  TELEGRAM_API_ROOT: telegram.apiRoot,
  DATA_DIR: join(dir, 'data'),
  ACCESS_FILE: join(dir, 'access.yml'),
});
await app.start();
everything.defer(async () => void (await app.kill('SIGTERM')));

const charges: Charge[] = [];
const type = (index: number): void => {
  const amount = `${100 + index}.00`;
  const number = `02441${10_010 + 10 * index}`;
  const seller = index % sellers.length;
  charges.push({ amount, number, seller, typedAtMs: Date.now() });
  sellers[seller]?.type(group, `/charge ${number} ${amount} GHS`);
};
const look = (): void => {
  const nowMs = Date.now();
  for (const charge of charges) {
    const { amount, seller, question } = charge;
    if (question === undefined) {
      const asked = group.fromBot.find(({ text }) => text.includes(`Charge GHS ${amount}?`));
      if (asked === undefined) continue;
      charge.question = asked;
      charge.pressAtMs = nowMs + PRESSED_AFTER_MS;
    } else if (charge.pressedAtMs === undefined && nowMs >= (charge.pressAtMs ?? 0)) {
      charge.pressedAtMs = nowMs;
      sellers[seller]?.press(question, `Charge GHS ${amount}`, { version: 0 });
    }
  }
};

const startedMs = Date.now();
let helps = 0;
const endMs = startedMs + CHARGES * EVERY_MS + LAST_WITHIN_MS;
const helpEveryMs = (CHARGES * EVERY_MS) / HELPS;
for (; Date.now() < endMs; await sleep(LOOK_EVERY_MS)) {
  const elapsedMs = Date.now() - startedMs;
  if (charges.length < CHARGES && elapsedMs >= charges.length * EVERY_MS) type(charges.length);
  if (helps < HELPS && elapsedMs >= helps * helpEveryMs) {
    helps += 1;
    stranger.type(group, '/help');
  }
  look();
}

const outcomes = group.fromBot.filter(({ text }) => /: completed/.test(text));
const requests = sandbox.requests.filter(({ path }) => path.endsWith('make_payment'));
const figures = charges.map(({ amount, typedAtMs, question, pressedAtMs = Number.NaN }) => {
  const requestedAtMs =
    requests.find(({ body }) => Number((body as { amount?: unknown }).amount) === Number(amount))
      ?.atMs ?? Number.POSITIVE_INFINITY;
  const told = outcomes.find(({ text }) => text.includes(`GHS ${amount}`));
  const end = question?.text.includes(`GHS ${amount} completed`) === true;
  return {
    asked: (question?.dateMs ?? Number.POSITIVE_INFINITY) - typedAtMs,
    requested: requestedAtMs - pressedAtMs,
    told: (told?.dateMs ?? Number.POSITIVE_INFINITY) - requestedAtMs - SETTLES_AFTER_MS,
    end,
  };
});
const sorted = (of: 'asked' | 'requested' | 'told') =>
  figures.map((each) => each[of]).sort((a, b) => a - b);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const limits = { asked: 20_000, requested: 5_000, told: 30_000 } as const;
for (const what of ['asked', 'requested', 'told'] as const) {
  const all = sorted(what);
  say(
    `${what.padEnd(10)} p50 ${all[Math.floor(all.length / 2)]} ms, max ${all.at(-1)} ms (goal ${limits[what]} ms)`,
  );
}
const inOrder = (texts: readonly string[]): boolean => {
  const places = texts.map((text) =>
    charges.findIndex(({ amount }) => text.includes(`GHS ${amount}`)),
  );
  return places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
};
const helped = group.fromBot.filter(({ replyTo }) => replyTo?.from?.id === stranger.account.id);
const refused = telegram.ledger.filter(({ status }) => status === 429).length;
const newMessages = group.fromBot.length - helped.length;
const questions = group.fromBot.flatMap(({ versions }) =>
  versions[0]?.text.includes('?') ? [versions[0].text] : [],
);
say(
  `charges    ${CHARGES}: ${outcomes.length} completed, ${figures.filter(({ end }) => end).length} cards show it`,
);
say(
  `messages   ${newMessages} new, ${helped.length} answers to ${HELPS} /help, ${refused} times 429`,
);
const isInOrder = inOrder(questions) && inOrder(outcomes.map(({ text }) => text));
say(`order      ${isInOrder ? 'nothing overtaken' : 'overtaken'}`);
const isInTime = (['asked', 'requested', 'told'] as const).every(
  (what) => (sorted(what).at(-1) ?? Number.POSITIVE_INFINITY) <= limits[what],
);
const isGood =
  isInTime &&
  isInOrder &&
  outcomes.length === CHARGES &&
  newMessages <= 2 * CHARGES &&
  figures.every(({ end }) => end);
say(`verdict    ${isGood ? 'in time and in order' : 'not as it should be'}`);
process.exitCode = isGood ? 0 : 1;
await everything.disposeAsync();
process.exit();
