import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { partsOf } from '../../../src/core/sms/sms-parts.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import type { DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import {
  fileOf,
  openFileDesk,
  passInSteps,
  SMS_ACCEPTED,
  sundayMorning,
  tableOf,
} from './file-desk.ts';

const ghs = (cedis: number) => ({ amountMinor: cedis * 100, currency: 'GHS' });

let { clock, store, desk } = {} as DeskInHand;
let grants: Partial<Grants>;

beforeEach(async () => {
  grants = {};
  ({ clock, store } = await sundayMorning());
  const templates = new Map(
    ['Pay here {link} {link} {link}', 'Your order is ready.'].map((text, at) => [
      ['link', 'ready'][at] ?? '',
      { name: ['link', 'ready'][at] ?? '', text },
    ]),
  );
  desk = await openFileDesk(store, clock, () => allGrants(grants), {
    settings: smsSettings({ templates }),
  });
});

const pass = (seconds: number) => passInSteps(clock, seconds);
const days = async (count: number): Promise<void> => {
  clock.jump(count * 86_400_000);
  await pass(2);
};

const card = (): Card | undefined =>
  desk.edited.at(-1) ??
  desk.posted.find(({ conversation: { channel } }) => channel === shop.channel)?.card;
const send = async (name: string, bytes: string, words = ''): Promise<Card> => {
  const shown = await desk.send(ama, { name, bytes }, { words });
  return shown.at(-1) ?? { title: '', parts: [] };
};
const dues = (rows: number, amount = '50') =>
  fileOf(rows, (row) => `024412${4_000 + row},${amount}`);
/** A file of twenty customers, of which some are charged when it is paused. */
const pausedFile = async (): Promise<void> => {
  await desk.press(ama, await send('dues.csv', dues(20)), 'Charge 20');
  await pass(1);
  await desk.press(ama, card(), 'Pause');
  await pass(20);
};
const charge = async (cedis: number): Promise<Card | undefined> =>
  (await desk.type(ama, 'charge', `0201234567 ${cedis}`))[0];

describe('what a file still has to charge', { tags: ['T62'] }, () => {
  it('is said to be held by it, with the way to its card, and not to be used today', async () => {
    grants = { dailyLimit: ghs(1_000) };
    await pausedFile();
    const paid = desk.gateway.sent.length * 50;
    const today = cardText(await charge(150));
    expect(today).toContain('The daily limit is GHS 1,000.00.');
    expect(today).toContain(`GHS ${paid}.00 is used today.`);
    expect(today).toContain(`GHS ${1_000 - paid}.00 is held by the paused file dues.csv.`);
    await days(3);
    const refused = await charge(paid + 50);
    expect(cardText(refused)).toContain('GHS 0.00 is used today.');
    expect(cardText(refused)).toContain(
      `GHS ${1_000 - paid}.00 is held by the paused file dues.csv.`,
    );
    expect(refused?.buttons).toEqual([
      expect.objectContaining({
        kind: 'link',
        label: 'See the file',
        url: 'https://t.me/c/1234567890/1.1',
      }),
    ]);
  });

  it('counts on the day on which it is charged, so that no pause makes a day larger', async () => {
    grants = { dailyLimit: ghs(1_000) };
    await pausedFile();
    const first = desk.gateway.sent.length * 50;
    await days(3);
    expect((await charge(first))?.title).toContain('Charge');
    await desk.press(ama, await charge(first), 'Charge');
    await desk.press(ama, card(), 'Resume');
    await pass(60);
    const today = cardText(await charge(1));
    expect(today).toContain(
      'The daily limit is GHS 1,000.00. GHS 1,000.00 is used today. GHS 0.00 is left.',
    );
    await days(1);
    expect((await charge(1_000))?.title).toContain('Charge');
  });

  it('is named in the total of a role, and free again once the file is stopped', async () => {
    grants = { charging: [{ role: 'sales', dailyTotal: ghs(1_000) }] };
    await desk.press(ama, await send('dues.csv', dues(20)), 'Charge 20');
    expect(cardText(await charge(50))).toContain(
      'Together, the role "sales" may charge GHS 1,000.00 a day. GHS 0.00 is used today. GHS 1,000.00 is held by the running file dues.csv. GHS 0.00 is left. The owner can raise it.',
    );
    await pass(1);
    await desk.press(ama, card(), 'Stop');
    await pass(20);
    expect((await charge(50))?.title).toContain('Charge');
  });
});

describe('a file whose sum is too large to be exact', () => {
  it('is refused with what to do, and nothing is stored', async () => {
    const said = cardText(await send('dues.csv', dues(100, '999999999999.99')));
    expect(said).toContain('This adds up to more than I can count exactly. Nothing was done.');
    expect(await store.draftsIn('open')).toEqual([]);
  });
});

describe('the SMS parts of a file', () => {
  const long = `https://${'l'.repeat(140)}`;
  const beginLinks = async (rows: number, url: (row: number) => string): Promise<void> => {
    const bytes = tableOf('number,link', rows, (row) => `02441234${50 + row},${url(row)}`);
    await desk.press(ama, await send('a.csv', bytes, 'sms @link'), `Send ${rows}`);
  };
  const partsSent = () =>
    desk.gateway.texted
      .map(({ text: sent, recipients }) => partsOf(sent) * recipients.length)
      .reduce((sum, parts) => sum + parts, 0);
  const room = async (numbers: number): Promise<string> => {
    const to = Array.from({ length: numbers }, (_, at) => `02012345${10 + at}`);
    return textOf(await desk.type(ama, 'sms', `${to.join(',')} Hello`));
  };

  it('are those of the rows that went out, however the long ones lie, once it is stopped', async () => {
    grants = { dailySms: 30 };
    await beginLinks(12, (row) => (row < 3 ? long : 'https://s.gh/a'));
    for (let at = 0; at < 100 && desk.gateway.texted.length < 3; at++) await clock.advance(100);
    await desk.press(ama, card(), 'Stop');
    await pass(10);
    expect(desk.gateway.texted.length).toBeLessThan(12);
    expect(partsSent()).toBeGreaterThan(desk.gateway.texted.length);
    expect(await room(31 - partsSent())).toContain(`Used today: ${partsSent()}.`);
    expect(await room(30 - partsSent())).toContain('Send this SMS');
  });

  it('are held by a paused file, and count on the day on which they are sent', async () => {
    grants = { dailySms: 30 };
    await beginLinks(30, () => 'x');
    await pass(2);
    await desk.press(ama, card(), 'Pause');
    await pass(10);
    const sent = partsSent();
    await days(3);
    expect(await room(sent + 1)).toContain(
      `You may send 30 SMS a day. Used today: 0. Not used yet: ${30 - sent}, held by the paused file a.csv. Left: ${sent}. This costs ${sent + 1} SMS. The owner can raise it.`,
    );
    await desk.press(ama, card(), 'Resume');
    await pass(40);
    expect(await room(sent + 1)).toContain(`Used today: ${30 - sent}. Left: ${sent}. This costs`);
    await days(1);
    expect(await room(30)).toContain('Send this SMS');
  });

  it('are given back for the rows that were refused', async () => {
    grants = { dailySms: 10 };
    desk.gateway.onSms = ({ recipients: [number = ''] }) =>
      number.endsWith('0') ? { kind: 'refused', answer: {}, reason: 'No.' } : SMS_ACCEPTED;
    await beginLinks(3, () => long);
    await pass(20);
    const each = partsSent() / 3;
    expect(await room(10)).toContain(`Used today: ${2 * each}.`);
  });
});
