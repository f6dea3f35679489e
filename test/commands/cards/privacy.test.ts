import { beforeEach, describe, expect, it } from 'vitest';
import { platforms } from '../../../src/bots/all-platforms.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { type Card, cardOf, pressButton } from '../../../src/commands/cards/card.ts';
import { outcomeCard, paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { audienceOf, nameFor } from '../../../src/commands/cards/visibility.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, efua, kojo, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const here = { platform: 'slack', channel: 'D0AMA' };

describe('a conversation', () => {
  it.each([
    ['a channel', { platform: 'slack', channel: 'C0SALES' }, 'others too'],
    ['a private channel', { platform: 'slack', channel: 'G0SALES' }, 'others too'],
    ['a direct one in Slack', here, 'one person'],
    ['a group in Telegram', { platform: 'telegram', channel: '-1001' }, 'others too'],
    ['a private chat in Telegram', { platform: 'telegram', channel: '1001' }, 'one person'],
    ['the direct one of an operator', { platform: 'slack', channel: 'D0EFUA' }, 'others too'],
    ['the private chat of somebody else', { platform: 'telegram', channel: '1002' }, 'others too'],
    ['the terminal', { platform: 'terminal', channel: 'local' }, 'one person', 'local'],
  ])('%s is read by %s', (_, conversation, audience, id = '1001') => {
    const person = { ...ama, id };
    expect(audienceOf(conversation, { person, typedIn: here }, platforms)).toBe(audience);
  });
});

describe('a name that others read', () => {
  it.each([
    ['KOFI MENSAH', 'Kofi M.'],
    ['Ama  Serwaa Boateng', 'Ama B.'],
    ['ÉLISE ŒUVRARD', 'Élise Œ.'],
    ['MADONNA', 'Madonna'],
    ['', ''],
  ])('%s is shortened to %s', (name, shown) => {
    expect(nameFor('others too', name)).toBe(shown);
    expect(nameFor('one person', name)).toBe(name);
  });
});

describe('the card and the outcome of a payment', () => {
  const payment = aPayment({ state: 'completed' });

  it('hide the number and shorten the name where others read them, and when it is not said who does', {
    tags: ['T26'],
  }, () => {
    for (const card of [paymentCard(payment, 'UTC'), outcomeCard(payment, 'UTC')]) {
      expect(cardText(card)).toContain('Kofi M.');
      expect(cardText(card)).not.toMatch(/MENSAH|0244123456|244 ?123 ?456/i);
    }
  });

  it('name the customer where nobody else is', () => {
    const card = paymentCard(payment, 'UTC', 'one person');
    expect(cardText(card)).toContain('KOFI MENSAH');
    const { title } = outcomeCard(payment, 'UTC', { audience: 'one person' });
    expect(title).toContain('KOFI MENSAH');
  });
});

describe('Show full number', () => {
  const payment = aPayment({ state: 'completed', version: 1 });
  const { due: _, ...record } = payment;
  /** As cards of 0.7 have it, which stay in the chats. */
  const button = cardOf('', [], {
    buttons: [pressButton('Show full number', 'reveal', payment.id)],
  });
  const card = paymentCard(payment, 'UTC');
  let store: Store;
  let desk: Desk;
  let grants: (person: Person) => Grants;

  beforeEach(async () => {
    const clock = new ManualClock();
    store = await openStore();
    await store.commit({ put: [{ kind: 'payment', record }] });
    grants = ({ id }) => allGrants({ reveal: id === efua.id });
    desk = openDesk(store, clock, (person) => grants(person));
  });

  const press = async (person: Person): Promise<string> =>
    (await desk.press(person, button, 'Show full number', shop))
      .map((shown: Card) => cardText(shown))
      .join();

  it.each([
    ['who asked for it', ama],
    ['who may reveal', efua],
  ])('shows the whole number to %s, and that stands in the audit trail', async (_who, person) => {
    expect(await press(person)).toMatch(/KOFI MENSAH, Number: 024 412 3456/);
    expect(await store.auditOf(payment.id)).toMatchObject([
      { what: 'revealed', who: person, where: shop, button: 'reveal' },
    ]);
    expect((await desk.type(efua, 'audit', payment.id)).map(cardText).join()).toContain(
      `${person.name} (slack:${person.id}) looked at the full number and name`,
    );
  });

  it('stands in the Details of those who may press it, and in no one else’s', async () => {
    for (const [person, has] of [
      [ama, true],
      [efua, true],
      [kojo, false],
    ] as const) {
      const [details] = await desk.press(person, card, 'Details', shop);
      const labels = details?.buttons?.map(({ label }) => label) ?? [];
      expect(labels.includes('Show full number')).toBe(has);
      expect(cardText(details)).toContain('Number: 024 *** 3456');
    }
  });

  it('shows nothing to a requester who was taken out of the access file since', async () => {
    grants = () => allGrants({ reveal: false, may: () => false });
    expect(await press(ama)).toMatch(/^You cannot see the full number yet/);
    expect(await store.auditOf(payment.id)).toEqual([]);
  });

  it('shows nothing to others, and to nobody who is suspended', { tags: ['T26'] }, async () => {
    expect(await press(kojo)).toMatch(/^You cannot see the full number yet/);
    await desk.type(kojo, 'suspend', 'U0AMA');
    expect(await press(ama)).toMatch(/^You are stopped/);
    expect(await store.auditOf(payment.id)).toEqual([]);
  });
});
