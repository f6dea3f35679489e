import { describe, expect, it } from 'vitest';
import { CustomerRecords } from '../../../src/core/privacy/customer-records.ts';
import { erasureOf } from '../../../src/core/privacy/erasure.ts';
import type { AuditRow, Put } from '../../../src/core/records/records.ts';
import type { Customer } from '../../../src/core/store/sql/customer-erasure.ts';
import { isPseudonym, pseudonymOf } from '../../../src/core/values/pseudonym.ts';
import {
  aBatch,
  aForm,
  aSetting,
  draft,
  payment,
  paymentAt,
} from '../../contracts/store/records.ts';
import { aCharge, ama, anSms, aPayment, shop } from '../../support/a-payment.ts';

const number = '+233244123456';
const customer: Customer = { number, pseudonym: pseudonymOf(number, 'key') };

const erasureAfter = (...puts: Put[]) => {
  const belongings = new CustomerRecords(customer);
  for (const put of puts) belongings.take(put);
  return erasureOf(belongings);
};

const aRow = (changes: Partial<AuditRow>): AuditRow => ({
  atMs: 1,
  kind: 'payment',
  id: aPayment().id,
  what: 'checked',
  before: 'pending',
  after: 'completed',
  ...changes,
});

describe('a pseudonym', () => {
  it('is the same for the same number and key, and another for any other', () => {
    expect(customer.pseudonym).toMatch(/^forgotten-[0-9a-f]{12}$/);
    expect(isPseudonym(customer.pseudonym)).toBe(true);
    expect(isPseudonym(number)).toBe(false);
    expect(pseudonymOf(number, 'key')).toBe(customer.pseudonym);
    expect(pseudonymOf(number, 'other')).not.toBe(customer.pseudonym);
    expect(pseudonymOf('+233244123457', 'key')).not.toBe(customer.pseudonym);
  });
});

describe('erasing a customer', () => {
  it('leaves what is not about them as the same object', () => {
    const { put, row } = erasureAfter(payment(aPayment()));
    const other = payment(
      aPayment({ terms: { ...aPayment().terms, customerNumber: '+233201112223' }, id: 'OTHER' }),
    );
    expect(put(other)).toBe(other);
    const unknown = aRow({ id: 'OTHER', detail: { body: 'Kofi Mensah paid' } });
    expect(row(unknown)).toBe(unknown);
  });

  it('changes nothing the second time', () => {
    const erasure = erasureAfter(payment(aPayment()));
    const once = erasure.put(payment(aPayment()));
    expect(erasure.put(once)).toBe(once);
  });

  it('takes the name of a suggested customer, whose place in the list stays', () => {
    const choices = [
      { value: number, label: 'Kofi M. 024 *** 3456' },
      { value: '+233201112223', label: 'Kofi A. 020 *** 2223' },
    ];
    const suggestions = { number: { label: 'Recent', other: 'Another', choices } };
    const form: Put = { kind: 'form', record: { ...aForm(), suggestions } };
    expect(erasureAfter(payment(aPayment())).put(form).record).toMatchObject({
      suggestions: {
        number: { choices: [{ value: customer.pseudonym, label: 'forgotten' }, choices[1]] },
      },
    });
  });

  it('takes the seal with it, which is made of the number as well, and leaves that of others', () => {
    const { put } = erasureAfter(payment(aPayment()));
    expect(put(payment(aPayment({ seal: 'a' }))).record).not.toHaveProperty('seal');
    const other = aPayment({ id: 'OTHER', seal: 'a', reason: 'of 0244123456' });
    const terms = { ...other.terms, customerNumber: '+233201112223' };
    const erased = put(payment({ ...other, terms })).record;
    const shown = erasureAfter(draft(aCharge())).put(draft(aCharge({ seal: 'a' })));
    expect(shown.record).not.toHaveProperty('seal');
    const toBoth = aBatch({
      seal: 'a',
      terms: { senderId: 'SHOP', text: 'Open', recipients: [number, '+233201112223'] },
    });
    expect(put({ kind: 'sms', record: toBoth }).record).not.toHaveProperty('seal');
    expect(erased).toMatchObject({ seal: 'a' });
    expect(erased).not.toHaveProperty('reason');
  });

  it('takes the texts of the service whole: they may name the customer in words that nobody knows', () => {
    const unnamed = aPayment({
      state: 'failed',
      hintMessage: 'YAW DARKO has no money',
      answer: { code: 'YAW', message: 'Yaw Darko was asked' },
      reason: 'The payment service says: "Yaw Darko".',
      checkoutUrl: 'https://pay.example/yaw-darko',
    });
    const { put, row } = erasureAfter(payment(unnamed), draft(aCharge()));
    const erased = put(payment(unnamed));
    expect(JSON.stringify(erased)).not.toMatch(/yaw|darko/i);
    expect(erased.record).toMatchObject({ state: 'failed', answer: {}, terms: { option: 'MOM' } });
    const called = aRow({
      what: 'callback',
      detail: { body: '{"payer":"Yaw Darko"}', contentType: 'text/plain', message: 'Yaw Darko' },
    });
    expect(row(called).detail).toEqual({ contentType: 'text/plain' });
    const said = aRow({ detail: { answer: { code: '000/01', message: 'Yaw' }, reason: 'Yaw' } });
    expect(row(said).detail).toEqual({ answer: { code: '000/01' } });
    expect(row(row(said))).toEqual(row(said));
    const warned = draft(aCharge({ warnings: ['The service says: Yaw Darko is barred'] }));
    expect(put(warned).record).toMatchObject({ warnings: [] });
  });

  it('takes why an approver refused: people name a customer as they like', () => {
    const { put, row } = erasureAfter(draft(aCharge()));
    const refused = draft({ ...aCharge(), status: 'refused', refusal: 'Yaw owes us already' });
    expect(JSON.stringify(put(refused))).not.toContain('Yaw');
    const { id } = refused.record;
    const explained = aRow({ kind: 'draft', id, detail: { reason: 'Yaw owes us already' } });
    expect(row(explained).detail).toEqual({});
  });

  it('takes what the service said of others where it mentions the number, with the name beside it', () => {
    const { row } = erasureAfter(payment(aPayment()));
    const others = (body: string) => row(aRow({ id: 'OTHER', detail: { body } })).detail;
    expect(others('{"for":"0244123456","payer":"Yaw Darko"}')).toEqual({});
    expect(others('{"payer":"Yaw Darko"}')).toEqual({ body: '{"payer":"Yaw Darko"}' });
  });

  it('empties a callback of no stored payment that names the customer or their number, and keeps its id', () => {
    const { put, row } = erasureAfter(payment(aPayment()));
    const stray = (body: string, paymentId = 'OTHER') => ({ paymentId, firstAtMs: 1, body });
    const strays = [
      stray('msisdn=233244123456&payer=Yaw%20Darko'),
      stray('payer=Kofi%20Mensah'),
      stray('whatever', aPayment().id),
      stray('payer=Efua%20Mensah'),
    ];
    const shelf: Put = {
      kind: 'setting',
      record: aSetting({ id: 'stray-callbacks.3', value: JSON.stringify(strays) }),
    };
    const erased = put(shelf);
    expect(erased.kind === 'setting' && JSON.parse(erased.record.value)).toEqual([
      stray(''),
      stray(''),
      stray('', aPayment().id),
      stray('payer=Efua%20Mensah'),
    ]);
    expect(put(erased)).toBe(erased);
    const rows = strays.map((detail) =>
      row(aRow({ kind: 'setting', id: 'stray-callbacks.3', what: 'stray callback', detail })),
    );
    expect(rows.map(({ detail }) => detail?.['body'])).toEqual([
      undefined,
      undefined,
      undefined,
      'payer=Efua%20Mensah',
    ]);
  });

  it('never takes the program’s own words or the people of the shop for a customer', () => {
    const named = payment(
      aPayment({
        state: 'completed',
        terms: { ...aPayment().terms, customerName: 'Completed' },
        requester: { ...ama, id: '244123456', name: 'Completed' },
        conversation: { ...shop, channel: '0244123456' },
      }),
    );
    const { put, row } = erasureAfter(named);
    expect(put(named).record).toEqual({
      ...named.record,
      terms: {
        ...aPayment().terms,
        customerNumber: customer.pseudonym,
        customerName: 'forgotten',
      },
    });
    const done = aRow({
      who: { ...ama, name: 'Completed' },
      detail: {
        finding: { kind: 'completed', reason: 'Completed by Completed' },
        card: { conversation: shop, message: '244123456' },
        attempts: 244123456,
        msisdn: 233244123456,
        createdAtMs: 233244123456,
      },
    });
    expect(row(done)).toEqual({
      ...done,
      detail: {
        ...done.detail,
        finding: { kind: 'completed' },
        msisdn: customer.pseudonym,
      },
    });
  });

  it('takes a name only out of what is theirs', () => {
    const { put, row } = erasureAfter(payment(aPayment()));
    const note = { remark: 'Kofi Mensah, 0244123456' };
    expect(row(aRow({ detail: note })).detail).toEqual({
      remark: `forgotten, ${customer.pseudonym}`,
    });
    expect(row(aRow({ id: `${aPayment().id}.reveal`, detail: note })).detail).toEqual({
      remark: `forgotten, ${customer.pseudonym}`,
    });
    expect(row(aRow({ id: 'OTHER', detail: note })).detail).toEqual({
      remark: `Kofi Mensah, ${customer.pseudonym}`,
    });
    // A question, whose record is gone, speaks of nobody else.
    expect(row(aRow({ kind: 'draft', id: 'GONE', detail: note })).detail).toEqual({
      remark: `forgotten, ${customer.pseudonym}`,
    });
    const toBoth = aBatch({
      terms: {
        senderId: 'SHOP',
        text: 'To Kofi Mensah and all',
        recipients: [number, '+233201112223'],
      },
    });
    expect(put({ kind: 'sms', record: toBoth }).record).toMatchObject({
      terms: { text: 'To Kofi Mensah and all', recipients: [customer.pseudonym, '+233201112223'] },
    });
  });

  it('knows what is theirs by questions and SMS as well', () => {
    const text = 'Hello Kofi Mensah';
    const alone = aBatch({ terms: { senderId: 'SHOP', text, recipients: [number] } });
    const asked = draft({
      ...anSms({ senderId: 'SHOP', text, recipients: [number] }),
      id: 'sms-draft',
    });
    const { put } = erasureAfter(draft(aCharge()), { kind: 'sms', record: alone }, asked);
    expect(put({ kind: 'sms', record: alone }).record).toMatchObject({
      terms: { text: 'forgotten', recipients: [customer.pseudonym] },
    });
    expect(put(asked).record).toMatchObject({ terms: { text: 'forgotten' } });
    expect(put(draft(aCharge())).record).toMatchObject({
      terms: { customerName: 'forgotten' },
    });
  });

  it('finds a number that was typed into a form, and leaves a person’s id in a setting', () => {
    const { put } = erasureAfter();
    const form = aForm({ answers: { number: '24 412 3456' } });
    expect(put({ kind: 'form', record: form }).record).toEqual({
      ...form,
      answers: { number: customer.pseudonym },
    });
    const suspended = aSetting({ value: '[{"of":"telegram:244123456"}]' });
    const one: Put = { kind: 'setting', record: suspended };
    expect(put(one)).toBe(one);
  });

  it('counts what there is', () => {
    const belongings = new CustomerRecords(customer);
    for (const atMs of [5_000, 1_000, 3_000]) belongings.take(payment(paymentAt(atMs)));
    belongings.take(payment(paymentAt(5_000)));
    const forgotten = paymentAt(9_000);
    belongings.take(
      payment({ ...forgotten, terms: { ...forgotten.terms, customerNumber: customer.pseudonym } }),
    );
    expect(belongings.found).toMatchObject({ firstMs: 1_000, lastMs: 5_000, sms: 0 });
    expect(new CustomerRecords(customer).found).toEqual({
      payments: 0,
      amounts: [],
      sms: 0,
      names: [],
    });
  });
});
