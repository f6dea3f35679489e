import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { AppProcess } from '../support/app-process.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { metricsOf } from '../support/metrics-of.ts';
import { sandboxSettings } from '../support/sandbox-settings.ts';
import { startTelegram, telegramSettings } from '../support/telegram-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { together } from '../support/together.ts';

const it = together();

/** The sandbox knows the end of a payment by then. */
const SETTLED_AFTER_MS = 2_200;

/** The program in a process of its own, and a Telegram group with a seller, by the wall clock. */
const openGroup = async () => {
  const telegram = await startTelegram();
  const sandbox = await startSandbox({ clock: systemClock });
  onTestFinished(() => sandbox.stop());
  const ama = telegram.person('Ama');
  const group = telegram.supergroup('Sales', [ama]);
  const dir = await tempFolder();
  const access = join(dir, 'access.yml');
  await writeFile(
    access,
    `{roles: {sales: {commands: "*"}}, members: {sales: ["telegram:${ama.id}"]}}`,
  );
  const port = await freePort();
  const app = new AppProcess(port, {
    ...telegramSettings(telegram),
    ...sandboxSettings(sandbox),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: join(dir, 'data'),
    ACCESS_FILE: access,
  });
  await app.start();
  onTestFinished(async () => void (await app.kill('SIGKILL')));
  const charge = async (number: string) => {
    const question = await ama.ask(group, `/charge ${number} 50 GHS`, /Charge GHS 50\.00\?/);
    const press = ama.press(question, 'Charge GHS 50.00');
    await eventually(() => expect(press.answer).toContain('Asking for GHS 50.00'));
    return question;
  };
  return { sandbox, group, app, charge };
};

it.each([
  ['stays pending', '0244123406', /pending/, 0],
  ['ends while no process runs', '0244123456', /completed/, 1],
])(
  'a card whose edit a killed process held back is edited by the next one, once, where the payment %s',
  { tags: ['F52'] },
  async (_, number, state, outcomes) => {
    const { sandbox, group, app, charge } = await openGroup();
    const question = await charge(number);
    const pending = async () =>
      (await metricsOf(app.port)).value('paythread_open_payments', { state: 'pending' });
    await eventually(async () => expect(await pending()).toBe(1));
    await app.kill('SIGKILL');
    expect(question.versions).toHaveLength(1);
    const takenAtMs = sandbox.payments()[0]?.takenAtMs ?? 0;
    const isOver = () => expect(Date.now() - takenAtMs).toBeGreaterThan(SETTLED_AFTER_MS);
    if (outcomes > 0) await eventually(isOver);
    await app.start();
    await eventually(() => expect(question.text).toMatch(state), 20_000);
    expect(question.buttons.flat()).not.toContain('Charge GHS 50.00');
    await eventually(() => expect(group.fromBot).toHaveLength(1 + outcomes), 20_000);
    expect(question.versions).toHaveLength(2);
    expect(sandbox.payments()).toHaveLength(1);
  },
);
