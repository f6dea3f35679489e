import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';

let grants: Grants;
let { desk } = {} as DeskInHand;

beforeEach(async () => {
  grants = allGrants();
  ({ desk } = await deskInHand(() => grants));
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
    ['chrage', 'charge'],
    ['chage', 'charge'],
    ['chargee', 'charge'],
    ['payment', 'payments'],
    ['lokup', 'lookup'],
    ['balence', 'balance'],
    ['hlep', 'help'],
  ])('%s gets the one that was meant as a button, with what was typed', async (typed, name) => {
    const words = '0244987654 75 rent';
    const [card] = await desk.type(ama, typed, words);
    expect(cardText(card)).toBe(`Did you mean /${name}?`);
    expect(card?.buttons?.map(({ label }) => label)).toEqual([`/${name} ${words}`, 'Correct it']);
    const [alone] = await desk.type(ama, typed, '');
    expect(alone?.buttons?.map(({ label }) => label)).toEqual([`/${name}`]);
  });

  it('is done by the press as if it had been typed right, for its own person and right', async () => {
    const [card] = await desk.type(ama, 'chrage', '0244987654 75 rent');
    const [refusal] = await desk.press({ ...ama, id: 'U0KOJO', name: 'kojo' }, card, '/charge');
    expect(refusal?.title).toBe('Only ama can press this');
    grants = mayOnly('lookup');
    expect((await desk.press(ama, card, '/charge'))[0]?.title).toBe('You cannot charge yet');
    grants = allGrants();
    const [question] = await desk.press(ama, card, '/charge');
    expect(cardText(question)).toMatch(/^Charge GHS 75\.00\?.*024 498 7654.*rent/);
    const [help] = await desk.press(ama, (await desk.type(ama, 'hlep', ''))[0], '/help');
    expect(help?.title).toBe('Paythread');
  });

  it('is cut on the button alone', async () => {
    const text = 'Your order is ready. '.repeat(20).trim();
    const [card] = await desk.type(ama, 'smss', `0244987654 ${text}`);
    expect(card?.buttons?.[0]?.label).toHaveLength(60);
    expect(textOf(await desk.press(ama, card, '/sms'))).toContain(text);
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
    expect(await said('help')).toContain('Paythread | /lookup 0244123456 · ');
    expect(await said('help')).not.toContain('/charge');
    grants = mayOnly();
    expect(await said('help')).toMatch(/^Paythread \| \/whoami · /);
  });
});
