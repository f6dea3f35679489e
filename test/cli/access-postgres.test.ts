import { expect, it } from 'vitest';
import { ChatGrants } from '../../src/core/guards/chat-grants.ts';
import { chatGrantSeal } from '../../src/core/records/seals.ts';
import { MERCHANT } from '../../src/sandbox/sandbox.ts';
import { healthyEnv } from '../support/examined.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openInstance, startPostgres } from '../support/postgres.ts';
import { PASSWORD } from '../support/postgres-database.ts';
import { runCommand } from '../support/run-command.ts';

const postgres = await startPostgres();
const ACCESS =
  'roles: { sales: { commands: [charge] }, owner: { admin: true, commands: [lookup] } }\nmembers: { sales: [slack:U0AMA], owner: [slack:U0BOSS] }\n';
const SALES = { platform: 'slack', channel: 'C0SALES' };

it('what was given in the chat is shown from PostgreSQL, and a database that is away stops no check of the file', async () => {
  await postgres.emptyTables();
  const clock = new ManualClock();
  const { store } = await openInstance(postgres.url(), { clock, isTimeGiven: true });
  const seal = chatGrantSeal(MERCHANT.secretKey);
  const grants = new ChatGrants({ store, clock, seal, operators: [SALES] });
  const esi = { platform: 'slack', id: 'U0ESI', name: 'Esi' };
  const asked = await grants.ask({ by: esi, conversation: SALES, where: SALES }, 'UTC');
  const boss = { platform: 'slack', id: 'U0BOSS', name: 'Adwoa' };
  await grants.answer(asked?.request.id ?? '', { role: 'sales', by: boss, at: SALES });

  const env = { ...(await healthyEnv(ACCESS)), DATABASE_URL: postgres.url() };
  const shown = await runCommand('access', ['check'], env);
  expect(shown.output).toContain(
    'slack:U0ESI Esi: sales, in slack:C0SALES and in private, by Adwoa',
  );
  expect(shown.code).toBe(0);
  const person = await runCommand('access', ['check', 'slack:U0ESI'], env);
  expect(person).toMatchObject({ code: 0, output: expect.stringContaining('given in the chat') });

  const away = {
    ...env,
    DATABASE_URL: postgres.url().replace(/\/[^/?]*(\?|$)/, '/nothing-here$1'),
  };
  const without = await runCommand('access', ['check'], away);
  expect(without).toMatchObject({
    code: 0,
    output: expect.stringContaining('! What was given in the chat is not shown.'),
  });
  expect(shown.output + without.output).not.toContain(PASSWORD);
});
