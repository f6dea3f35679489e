import { beforeEach, describe, expect, it } from 'vitest';
import { PLAIN_NAMES } from '../../../src/bots/slack/command-names.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { COMMAND_NAMES } from '../../../src/commands/all-commands.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
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
    roles: ['some'],
    may: (name) => ['help', 'whoami', ...commands].includes(name),
    approve: false,
    admin: false,
  });
const CLERK = ['charge', 'lookup', 'status', 'sms', 'payments', 'customer'];
const FINANCE = ['balance', 'payments', 'customer', 'report', 'export', 'close', 'bulk'];

const help = async (words = ''): Promise<Card | undefined> =>
  (await desk.type(ama, 'help', words))[0];
const linesOf = (card: Card | undefined): string[] =>
  (card?.parts ?? []).flatMap((part) =>
    part.kind === 'list'
      ? part.items.map((item) => (typeof item === 'string' ? item : item.text))
      : [],
  );
const more = async (): Promise<Card | undefined> =>
  (await desk.press(ama, await help(), 'More'))[0];

describe('/help', () => {
  it('shows a clerk examples and what they do, the most used first', async () => {
    grants = mayOnly(...CLERK);
    expect(linesOf(await help())).toEqual([
      '/charge 0244123456 50 · ask a customer to pay',
      '/payments today · find payments and their totals',
      "/customer 0244123456 · see a customer's payments",
      '/sms 0244123456 Your order is ready. · send an SMS to customers',
      '/status 01JD2M4X9QK7T3VB · check a payment now',
      '/lookup 0244123456 · see whose account a number is',
      '/whoami · see your id and what you may do',
    ]);
  });

  it('begins with payments for finance, and with charges for an administrator', async () => {
    grants = mayOnly(...FINANCE);
    expect(linesOf(await help())[0]).toMatch(/^\/payments today/);
    grants = allGrants();
    const [first, ...others] = linesOf(await help());
    expect(first).toMatch(/^\/charge/);
    expect(others.join()).toMatch(/\/access.*\/suspend/);
  });

  it('has eight lines at most, and all that the person may use behind More', async () => {
    for (const each of [allGrants(), mayOnly(...CLERK), mayOnly(...FINANCE), mayOnly()]) {
      grants = each;
      expect(linesOf(await help()).length).toBeLessThanOrEqual(8);
      const named = linesOf(await more()).map((line) => /^\/(\w+)/.exec(line)?.[1]);
      const usable = COMMAND_NAMES.filter((name) => grants.may(name) && name !== 'help');
      expect(named.toSorted()).toEqual(usable.toSorted());
    }
  });

  it('shows how a command is written only when asked for that command', async () => {
    expect(cardText(await help())).not.toMatch(/[<[|]\w+[>\]]/);
    expect(cardText(await more())).not.toMatch(/<\w+>/);
    expect((await help('charge'))?.title).toMatch(/^\/charge <number> <amount>/);
  });

  it('has no word that a screen of 360 px would break', async () => {
    for (const line of linesOf(await more()))
      for (const word of PLAIN_NAMES.text(line).split(' ')) expect(word.length).toBeLessThan(24);
  });

  it('shows nothing more by a press that was taken from another person’s message', async () => {
    const card = await help();
    grants = mayOnly('lookup');
    const [all] = await desk.press({ ...ama, id: 'U0YAW' }, card, 'More');
    expect(linesOf(all)).toHaveLength(2);
  });
});
