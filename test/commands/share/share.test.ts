import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { type Card, cardOf, pressButton } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import type { Payment, PaymentState } from '../../../src/core/records/payment.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';

const kofi = { platform: 'slack', id: 'U0KOFI', name: 'kofi' };
const ADDRESS = 'https://checkout.example/pay/P1?a=1&b=2';

let { store, desk } = {} as DeskInHand;
let grants: Record<string, Partial<Grants>>;

const open = async (templates: Readonly<Record<string, string>> = {}): Promise<void> => {
  const texts = {
    templates: new Map(Object.entries(templates).map(([name, text]) => [name, { name, text }])),
    receipt: 'ask' as const,
    shop: 'Adjoa Stores',
  } as const;
  ({ store, desk } = await deskInHand(({ id }) => allGrants(grants[id]), undefined, undefined, {
    settings: {
      ...{ currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds: [] },
      texts,
    },
  }));
};

beforeEach(async () => {
  grants = { [kofi.id]: { reveal: false } };
  await open();
});

const put = async (changes: Partial<Payment> = {}): Promise<Payment> => {
  const { due: _, ...base } = aPayment({ state: 'pending', checkoutUrl: ADDRESS });
  const known = await store.get('payment', base.id);
  const record = { ...base, version: (known?.version ?? 0) + 1, ...changes };
  await store.commit({ put: [{ kind: 'payment', record }] });
  return record;
};

const press = async (verb: string, person = ama): Promise<Card | undefined> => {
  const [card] = await desk.press(
    person,
    cardOf('', [], { buttons: [pressButton('It', verb, aPayment().id)] }),
    'It',
  );
  return card;
};

/** The addresses that a card's buttons open. */
const links = (card: Card | undefined): string[] =>
  (card?.buttons ?? []).flatMap((button) => (button.kind === 'link' ? [button.url] : []));

const labels = (card: Card | undefined): string[] =>
  (card?.buttons ?? []).map(({ label }) => label);

/** What the link writes, and to whom. */
const opened = (card: Card | undefined) => {
  const [link = ''] = links(card);
  const { host, pathname, searchParams } = new URL(link);
  return { host, to: pathname.slice(1), text: searchParams.get('text') };
};

describe('Send by WhatsApp', { tags: ['T95'] }, () => {
  it('opens WhatsApp with where to pay and the number of the customer', async () => {
    await put();
    const card = await press('whatsapp');
    expect(labels(card)).toEqual(['Send by WhatsApp']);
    expect(opened(card)).toEqual({
      ...{ host: 'wa.me', to: '233244123456' },
      text: `Please pay GHS 50.00 to Adjoa Stores: ${ADDRESS}`,
    });
  });

  it('has the words of the templates link and receipt, each where it suits', async () => {
    await open({ link: '{shop}: {amount} at {link}', receipt: 'Thank you {name}, {amount}.' });
    await put();
    expect(opened(await press('whatsapp')).text).toBe(`Adjoa Stores: GHS 50.00 at ${ADDRESS}`);
    const texts = [{ kind: 'receipt', state: 'completed', batchId: 'B' }] as const;
    await put({ state: 'completed', texts });
    expect(opened(await press('whatsapp')).text).toBe('Thank you KOFI MENSAH, GHS 50.00.');
    expect(labels(await press('details'))).toContain('Send by WhatsApp');
    await put({ state: 'completed' });
    expect(cardText(await press('whatsapp'))).toContain('There is nothing to send');
  });

  it('has a receipt of what was given back in part, and none once it was given back whole', async () => {
    await open({ receipt: 'Thank you {name}, {amount}.' });
    const texts = [{ kind: 'receipt', state: 'completed', batchId: 'B' }] as const;
    const given = (amountMinor: number) => ({
      ...({ state: 'completed', texts } as const),
      givenBack: [{ id: 'g1', by: ama, atMs: 0, amountMinor }],
    });
    await put(given(4_999));
    expect(labels(await press('details'))).toContain('Send by WhatsApp');
    await put(given(5_000));
    expect(labels(await press('details'))).not.toContain('Send by WhatsApp');
    expect(cardText(await press('whatsapp'))).toContain('There is nothing to send');
  });

  it('is recorded as a look at the number, before the link is shown', async () => {
    await put();
    await press('whatsapp');
    expect(await store.auditOf(`${aPayment().id}.reveal`)).toMatchObject([
      { what: 'revealed', button: 'whatsapp', who: ama },
    ]);
  });

  it('has no number for a colleague who may not see it, and is refused to who may not see the payment', async () => {
    await put();
    const card = await press('whatsapp', kofi);
    expect(opened(card).to).toBe('');
    expect(cardText(card)).not.toMatch(/244123456/);
    expect(await store.auditOf(`${aPayment().id}.reveal`)).toEqual([]);
    grants = { [kofi.id]: { may: () => false, reveal: false } };
    expect(links(await press('whatsapp', kofi))).toEqual([]);
  });

  it('has the name as others may read it where the number may not be seen', async () => {
    await open({ receipt: 'Thank you {name}, {amount}.' });
    await put({
      state: 'completed',
      texts: [{ kind: 'receipt', state: 'completed', batchId: 'B' }],
    });
    const card = await press('whatsapp', kofi);
    expect(opened(card).text).toBe('Thank you Kofi M., GHS 50.00.');
    expect(cardText(card)).not.toContain('MENSAH');
  });

  it('of a customer whom a colleague gave has no number either', async () => {
    grants = { [ama.id]: { reveal: false } };
    await put({ maskedFrom: 'P0' });
    expect(opened(await press('whatsapp')).to).toBe('');
  });

  it.each([
    ['that was paid', { state: 'completed' }, 'There is nothing to send'],
    ['that is in conflict', { flag: 'conflict' }, 'There is nothing to send'],
    ['with an address of over 2 kB', { checkoutUrl: `${ADDRESS}${'x'.repeat(2_000)}` }, 'Too long'],
  ] as const)('of a payment %s is a sentence', { tags: ['F112'] }, async (_, changes, words) => {
    await put(changes);
    const card = await press('whatsapp');
    expect(cardText(card)).toContain(words);
    expect(links(card)).toEqual([]);
  });

  it('is no link on any card of a payment, whoever reads it', () => {
    const states: readonly PaymentState[] = ['pending', 'completed', 'failed', 'unknown'];
    for (const state of states)
      for (const audience of ['one person', 'others too'] as const) {
        const texts = [{ kind: 'receipt', state, batchId: 'B' }] as const;
        const payment = aPayment({ state, checkoutUrl: ADDRESS, texts });
        const card = paymentCard(payment, 'Africa/Accra', audience);
        expect(JSON.stringify(card)).not.toMatch(/wa\.me|244123456/);
      }
  });
});

describe('QR', { tags: ['T95'] }, () => {
  it('sends the presser the picture of the address, and no other person', async () => {
    await put();
    expect(cardText(await press('qr'))).toBe('The picture is in our private chat');
    const [file] = desk.files;
    expect(file).toMatchObject({ name: 'scan-to-pay.png', title: 'Scan to pay GHS 50.00' });
    expect(
      Buffer.from((await file?.content.bytes()) ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(desk.published).toEqual([]);
  });

  it.each([
    ['that was paid', { state: 'completed' }, 'There is nothing to scan'],
    ['without an address', { checkoutUrl: undefined }, 'There is nothing to scan'],
    ['with one of over 2 kB', { checkoutUrl: `${ADDRESS}${'x'.repeat(2_000)}` }, 'too long'],
    ['whose address is none', { checkoutUrl: 'no address' }, 'There is nothing to scan'],
  ] as const)('of a payment %s is a sentence', { tags: ['F112'] }, async (_, changes, words) => {
    await put(changes as Partial<Payment>);
    expect(cardText(await press('qr'))).toContain(words);
    expect(desk.files).toEqual([]);
  });

  it('says what to do when the picture cannot be sent, and is refused to who may not see the payment', async () => {
    await put();
    desk.sendsFiles(async () => ({ ok: false, remedy: 'Press Start first.' }));
    expect(cardText(await press('qr'))).toContain('Press Start first.');
    grants = { [kofi.id]: { may: () => false } };
    expect(textOf([await press('qr', kofi)].filter((card) => card !== undefined))).toMatch(
      /You cannot see payments yet/,
    );
  });

  it('is on the card of a checkout that can be paid, with Send by WhatsApp', () => {
    const shown = (changes: Partial<Payment>) =>
      labels(paymentCard(aPayment({ checkoutUrl: ADDRESS, ...changes }), 'Africa/Accra'));
    expect(shown({ state: 'pending' })).toEqual(
      expect.arrayContaining(['QR', 'Send by WhatsApp', 'Details']),
    );
    for (const state of ['completed', 'failed', 'unknown'] as const)
      expect(shown({ state }).join()).not.toMatch(/QR|WhatsApp/);
  });
});
