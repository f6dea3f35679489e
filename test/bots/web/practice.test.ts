import { describe, expect, it } from 'vitest';
import {
  answersShown,
  PracticeVisit,
  practiceAddress,
  pressesIn,
  textOf,
  wordsOf,
} from '../../support/practice.ts';
import { runApp } from '../../support/run-app.ts';

const visit = async (): Promise<PracticeVisit> => {
  const practice = new PracticeVisit(practiceAddress((await runApp()).app));
  expect((await practice.begin()).status).toBe(200);
  return practice;
};

describe.each([{ look: 'slack' }, { look: 'telegram' }])(
  'a charge practised in the $look chat',
  (seat) => {
    it('is asked about, shown on the phone, approved there and told in the chat', async () => {
      const practice = await visit();
      await practice.type('/charge 0244123456 50', seat);
      const question = await practice.shows('Charge GHS 50.00', seat);
      expect((await practice.press(question, 'Charge GHS 50.00', seat)).status).toBe(200);
      const { phone } = await practice.until((state) => state.phone.prompts.length > 0, seat);
      expect(phone.prompts[0]).toMatchObject({ number: '0244123456', amount: 'GHS 50.00' });
      await practice.shows('pending', seat);
      await practice.answer(phone.prompts[0]?.id ?? '', 'approved');
      await practice.shows(/from .+: completed/, seat);
      const { wire, phone: after } = await practice.state(seat);
      expect(after.prompts).toEqual([]);
      expect(wire.map(({ title }) => title).join()).toMatch(/calls back: POST .+ → 200/);
      // As in the log: the last four digits.
      expect(JSON.stringify(wire)).not.toContain('0244123456');
      expect(JSON.stringify(wire)).toContain('3456');
    });
  },
);

describe('a charge on the practice page', () => {
  it.each([
    ['declined', 'The customer declined'],
    ['no money', 'does not have enough money'],
  ])('fails when the customer answers "%s"', async (answer, reason) => {
    const practice = await visit();
    await practice.type('/charge 0244123456 50');
    await practice.press(await practice.shows('Charge GHS 50.00'), 'Charge');
    const { phone } = await practice.until((state) => state.phone.prompts.length > 0);
    await practice.answer(phone.prompts[0]?.id ?? '', answer);
    expect(textOf((await practice.shows(/from .+: failed/)).view)).toBeTruthy();
    await practice.shows(reason);
    expect((await practice.answer(phone.prompts[0]?.id ?? '', 'approved')).status).toBe(409);
  });
});

describe('the people of the practice page', () => {
  it('have rights of their own: what is above the limit of the clerk is approved by the approver, not by the clerk', async () => {
    const practice = await visit();
    const clerk = { look: 'telegram' };
    const approver = { look: 'telegram', person: 'kofi' };
    await practice.type('/charge 0244123456 500', clerk);
    await practice.press(await practice.shows('Charge GHS 500.00', clerk), 'Charge', clerk);
    const question = await practice.shows('Approve', approver);
    await practice.press(question, 'Approve', clerk);
    expect((await practice.state(clerk)).phone.prompts).toEqual([]);
    await practice.press(question, 'Approve', approver);
    await practice.until((state) => state.phone.prompts.length > 0, clerk);
  });

  it('see what is said to them alone, and no one else does', async () => {
    const practice = await visit();
    await practice.type('/balance');
    await practice.shows('You cannot');
    expect(wordsOf(await practice.state({ person: 'kofi' }))).toEqual([]);
    await practice.type('/balance', { person: 'kofi' });
    await practice.shows('GHS 10,000.00', { person: 'kofi' });
  });
});

describe('a form on the practice page', () => {
  it('is a modal in the Slack chat, says what is wrong beside the field, and asks then', async () => {
    const practice = await visit();
    await practice.type('/charge');
    const { form } = await practice.until((state) => state.form !== undefined);
    expect(textOf(form?.view ?? { tag: 'form' })).toContain('Customer number');
    await practice.act({ do: 'submit', form: form?.id, answers: { number: '12', amount: '50' } });
    const again = await practice.state();
    expect(JSON.stringify(again.form?.view)).toContain('aria-invalid');
    await practice.act({
      do: 'submit',
      form: form?.id,
      answers: { number: '0244123456', amount: '50' },
    });
    await practice.shows('Charge GHS 50.00');
    expect((await practice.state()).form).toBeUndefined();
    expect((await practice.act({ do: 'submit', form: form?.id, answers: {} })).status).toBe(409);
  });

  it('is one question after the other in the Telegram chat', async () => {
    const practice = await visit();
    const seat = { look: 'telegram' };
    await practice.type('/charge', seat);
    const question = await practice.shows('Customer number', seat);
    expect(pressesIn(question.view).map(([label]) => label)).toContain('Cancel');
    await practice.type('0244123456', seat);
    await practice.shows('Amount', seat);
    await practice.type('50', seat);
    expect((await practice.state(seat)).form).toBeUndefined();
  });
});

describe('what a form of the practice page is filled in with', () => {
  const opened = async (typed: string, label: string) => {
    const practice = await visit();
    await practice.type(typed);
    await practice.press(await practice.shows(label), label);
    const { form } = await practice.until((state) => state.form !== undefined);
    if (form === undefined) throw new Error('no form');
    const submit = (answers: object) =>
      practice.act({
        do: 'submit',
        form: form.id,
        answers: { ...answersShown(form.view), ...answers },
      });
    return { practice, answers: answersShown(form.view), submit };
  };

  it.each([
    ['Change', '/charge 0244123456 checkout 50 Rice', { amount: '60' }],
    ['Correct it', '/charge 02441234 checkout 60 Rice', { number: '0244123456' }],
  ])(
    '%s keeps the way of paying and the reference beside what is put right',
    async (label, typed, right) => {
      const { practice, answers, submit } = await opened(typed, label);
      expect(answers).toMatchObject({ pay: 'checkout', reference: 'Rice' });
      await submit(right);
      const { view } = await practice.shows(/Charge GHS 60\.00\?/);
      expect(textOf(view)).toMatch(/024 412 3456.*Checkout.*Reference: ?Rice/);
    },
  );

  it('Change takes a number that does not tell its network, and asks then how the customer pays', async () => {
    const { practice, answers, submit } = await opened('/charge 0244123456 50', 'Change');
    expect(answers).not.toHaveProperty('pay');
    await submit({ number: '0231234567' });
    const { form } = await practice.until(
      (state) => state.form !== undefined && 'pay' in answersShown(state.form.view),
    );
    expect(textOf(form?.view ?? { tag: 'form' })).toContain('Glo has no wallet here');
    await submit({ number: '0231234567', pay: 'VOD' });
    const { view } = await practice.shows(/Charge GHS 50\.00\?.*023 123 4567/);
    expect(textOf(view)).toMatch(/Telecel Cash/);
  });
});

it('a person without a right asks for access on the practice page, and the owner gives a role with one press', async () => {
  const practice = await visit();
  await practice.type('/balance');
  await practice.press(await practice.shows('Ask for access'), 'Ask for access');
  const owner = { person: 'esi' };
  const request = await practice.shows(/Ama[\s\S]+Give approver/, owner);
  await practice.press(request, 'Give approver', owner);
  await practice.type('/balance');
  await practice.shows('GHS 10,000.00');
});

it('an SMS arrives on the phone of the practice page', async () => {
  const practice = await visit();
  await practice.type('/sms 0244123456 Your order is ready', { person: 'esi' });
  const preview = await practice.shows('Your order is ready', { person: 'esi' });
  await practice.press(preview, 'Send', { person: 'esi' });
  const { phone } = await practice.until(({ phone: { texts } }) => texts.length > 0);
  expect(phone.texts[0]).toMatchObject({ number: '0244123456', text: 'Your order is ready' });
});

it('a visit knows nothing of the payments of the terminal, nor the terminal of a visit', async () => {
  const shop = await runApp();
  await shop.ask('/charge 0244123403 50 GHS', '[1] Charge');
  await shop.ask('1', 'completed');
  const practice = new PracticeVisit(practiceAddress(shop.app));
  await practice.begin();
  await practice.type('/payments', { person: 'esi' });
  const { messages } = await practice.until((state) => state.messages.length > 0, {
    person: 'esi',
  });
  expect(messages.map(({ view }) => textOf(view)).join()).not.toContain('50.00');
});
