import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/access.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

let grants: Grants;
let desk: Desk;

beforeEach(async () => {
  grants = allGrants();
  const clock = new ManualClock();
  desk = openDesk(await openStore(), clock, () => grants);
});

const mayOnly = (...commands: string[]): Grants =>
  allGrants({
    roles: commands.length === 0 ? [] : ['some'],
    may: (name) => ['help', 'whoami', ...commands].includes(name),
    approve: false,
    admin: false,
    reveal: false,
  });
const said = async (name: string, words = '', person: Person = ama): Promise<string> =>
  (await desk.type(person, name, words)).map(cardText).join('\n');

describe('a command that is slightly wrong', () => {
  it.each([
    ['chrage', 'charge', '0244123456 50'],
    ['chage', 'charge', '0244123456 50'],
    ['chargee', 'charge', '0244123456 50'],
    ['payment', 'payments', ''],
    ['lokup', 'lookup', '0244123456'],
    ['balence', 'balance', ''],
    ['hlep', 'help', ''],
  ])('%s gets the one that was meant, to copy', async (typed, name, words) => {
    expect(await said(typed, '0244123456 50')).toBe(
      `Did you mean /${name}? | ${`/${name} ${words}`.trim()}`,
    );
  });

  it('gets no command that the person may not use', async () => {
    grants = mayOnly('lookup');
    expect(await said('chrage')).toBe(
      'I did not understand that | Try: | /lookup 0244123456 | /help shows all you can do.',
    );
    expect(await said('lokup')).toContain('Did you mean /lookup?');
  });
});

describe('a greeting', () => {
  it.each(['hi', 'hello', 'hey', 'hiii', 'good', ''])('%j is answered', async (name) => {
    expect(await said(name, name === 'good' ? 'morning' : '')).toBe(
      'Hello ama | I ask customers to pay by MoMo. Try: | /charge 0244123456 50 | /help shows all you can do.',
    );
  });

  it('calls the person by the first name', async () => {
    expect(await said('hi', '', { ...ama, name: 'Ama Mensah' })).toContain('Hello Ama |');
  });

  it('names what the person may do when that is not to charge', async () => {
    grants = mayOnly('lookup', 'status', 'payments');
    expect(await said('hi')).toBe(
      'Hello ama | You can use /lookup, /status and /payments. Try: | /lookup 0244123456 | /help shows all you can do.',
    );
  });

  it('of a person without any right is answered with the id to grant', async () => {
    grants = mayOnly();
    expect(await said('hi')).toMatch(/^You cannot use Paythread yet .*Your id: slack:/);
    expect(await said('chrage')).toMatch(/^You cannot use Paythread yet .*Your id: slack:/);
  });
});

it('words that are no command get one to try, and are not read back', async () => {
  expect(await said('frobnicate', '<!channel>')).toBe(
    'I did not understand that | Try: | /charge 0244123456 50 | /help shows all you can do.',
  );
});

describe('help', () => {
  it('for a command that does not exist names the one that was meant', async () => {
    expect(await said('help', 'chrage')).toBe('Did you mean /charge? | /charge 0244123456 50');
  });

  it('shows nothing to try that the person may not use', async () => {
    grants = mayOnly('lookup');
    expect(await said('help')).toContain('Try: | /lookup 0244123456');
    expect(await said('help')).not.toContain('/charge');
    grants = mayOnly();
    expect(await said('help')).not.toContain('Try:');
  });
});
