import { readFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { parse } from 'yaml';
import { EXAMPLE_TEMPLATES } from '../../src/config/example-templates.ts';
import { runApp } from '../support/run-app.ts';
import { together } from '../support/together.ts';

const it = together();

const charge = async (number: string, answer = 'yes') => {
  const shop = await runApp();
  await shop.ask(`/charge ${number} 50 GHS`, 'Charge GHS 50.00?');
  if (answer !== '') shop.type(answer);
  return shop;
};

describe('a charge in the terminal', () => {
  it('is confirmed with what the lookup says and comes back paid in its thread', {
    tags: ['T11'],
  }, async () => {
    const shop = await charge('0244123456', '');
    expect(shop.screen()).toMatch(/Customer: +[A-Z]\w+ [A-Z]\w+\n/);
    expect(shop.screen()).toContain('024 412 3456');
    expect(shop.screen()).toContain('MTN MoMo');
    expect(shop.screen()).toContain('[1] Charge GHS 50.00');
    expect(shop.screen()).toContain('TEST');
    await shop.ask('1', 'GHS 50.00 being sent');
    await shop.shows('(⏳ TEST · GHS 50.00 pending');
    await shop.shows(/\n {4}@ama ✅ TEST · GHS 50\.00 from .+: completed\n/);
  });

  it.each([
    ['not enough money', '0244123401', 'failed', 'does not have enough'],
    ['no callback', '0244123402', 'completed', ': completed'],
    ['three callbacks', '0244123403', 'completed', ': completed'],
    ['a cut connection', '0244123404', 'completed', ': completed'],
    ['two rate limits', '0244123405', 'completed', ': completed'],
  ])('ends as it must with %s', async (_name, number, state, sentence) => {
    const shop = await charge(number);
    await shop.shows(new RegExp(`from .+: ${state}`));
    expect(shop.screen()).toContain(sentence);
    // The outcome is told once, however often the service calls.
    expect(shop.screen().match(new RegExp(`from .+: ${state}`, 'g'))).toHaveLength(1);
    expect(shop.payments().map(({ times }) => times)).toEqual([1]);
  });

  it('that the service answered with 500 is unknown, and nobody is told to charge again', async () => {
    const shop = await charge('0244123409');
    await shop.shows('(❓ TEST · GHS 50.00 unknown');
    await shop.shows(
      'Not clear yet: the customer may still be charged. Do not ask again. I keep checking.',
    );
    expect(shop.screen()).not.toMatch(/: failed|not charged/);
    shop.type('/charge 0244123409 50');
    await shop.shows('It may still be paid. Charge again only for a second sale.');
  });

  it('that stays pending tells the customer what to do', async () => {
    const shop = await charge('0244123406');
    await shop.shows('My Approvals');
    await shop.ask('/payments pending', 'GHS 50.00 pending');
  });

  it('to an inactive account warns before the press', async () => {
    const shop = await charge('0244123407', '');
    expect(shop.screen()).toContain('This wallet is not active. Ask for another number.');
  });

  it('to nobody the service knows warns before the press', async () => {
    const shop = await charge('0244123408', '');
    expect(shop.screen()).toContain(
      'This number has no MTN MoMo account. The customer may have moved to another network.',
    );
    expect(shop.screen()).toContain('Name not found: check with the customer');
  });

  it('is not made after Cancel, and an answered prompt takes no second answer', async () => {
    const shop = await charge('0244123456', 'no');
    await shop.shows('Cancelled');
    await shop.ask('yes', 'I did not understand that');
    expect(shop.payments()).toEqual([]);
  });

  it('warns when the same was asked before', async () => {
    const shop = await charge('0244123456', 'charge');
    await shop.shows(': completed');
    await shop.ask('/charge 0244123456 50', 'Charge again only for a second sale.');
  });

  it('needs no slash, and takes the amount in front of the number', async () => {
    const shop = await runApp();
    await shop.ask('Charge 50 0244123456', 'Charge GHS 50.00?');
    expect(shop.screen()).toContain('024 412 3456');
    await shop.ask('charge 0244123456', 'Amount?');
    await shop.ask('yes', 'Please type the amount in digits');
    expect(shop.payments()).toEqual([]);
  });

  it('is begun anew by a command without a slash where that is no answer to the open question', async () => {
    const shop = await runApp();
    await shop.ask('/charge', 'Customer number?');
    await shop.ask('charge 0244123456 50', 'Charge GHS 50.00?');
    await shop.ask('/charge 0244123456 60', 'Charge GHS 60.00?');
    await shop.ask('no', 'Cancelled');
    await shop.ask('12.50', 'I did not understand that');
  });

  it('still waits for its answer after words that were not understood', async () => {
    const shop = await charge('0244123456', 'ye');
    await shop.shows('I did not understand that');
    await shop.ask('yes', 'GHS 50.00 being sent');
  });

  it('is asked for step by step when parts are missing, with a way back', async () => {
    const shop = await runApp();
    await shop.ask('/charge', 'Customer number?');
    await shop.ask('024 41', '!');
    await shop.ask('0244123456', 'Amount?');
    shop.type('back');
    shop.type('0244123457');
    shop.type('50,00');
    await shop.ask('12.50', 'Charge GHS 12.50?');
    expect(shop.screen()).not.toContain('Paid by?');
    expect(shop.screen()).not.toContain('Reference?');
    expect(shop.screen()).toContain('024 412 3457');
  });

  it('to a number that shows no network asks for the network and says why', async () => {
    const shop = await runApp();
    await shop.ask('/charge 0511234567 50', 'Paid by?');
    expect(shop.screen()).toContain('This number does not show its network. Please pick it.');
    await shop.ask('Telecel Cash', 'Charge GHS 50.00?');
    expect(shop.screen()).toMatch(/Network: +Telecel Cash/);
  });

  it('after More asks for network and reference as well, with a way back', async () => {
    const shop = await runApp();
    await shop.ask('/charge 0244123456', /\(GHS 10\.00, GHS 20\.00,.* more, back, cancel\)/);
    // Neither the fifth amount nor the first with this currency.
    shop.type('GHS');
    shop.type('more');
    await shop.ask('5', 'Paid by?');
    await shop.ask('2', 'Reference?');
    await shop.ask('back', /(Paid by\?[\s\S]*){2}/);
    shop.type('Telecel Cash');
    await shop.ask('Invoice 17', 'Charge GHS 5.00?');
    expect(shop.screen()).toMatch(/Network: +Telecel Cash/);
    expect(shop.screen()).toContain('Invoice 17');
  });

  it('with a network and checkout typed keeps both while it asks for the amount, also after Back', async () => {
    const shop = await runApp();
    await shop.ask('/charge 0264123456 telecel checkout', 'Amount?');
    await shop.ask('back', 'Customer number?');
    shop.type('0264123457');
    await shop.ask('50', 'Charge GHS 50.00?');
    expect(shop.screen()).toMatch(/Network: +Checkout link, Telecel Cash/);
  });

  it('by card asks which card, and its link is shown', async () => {
    const shop = await runApp();
    await shop.ask('/charge 0244123456 50 card', 'Card?');
    await shop.ask('visa', 'Charge GHS 50.00?');
    await shop.ask('yes', /Open the checkout page: https:/);
  });
});

describe('the terminal', () => {
  it.each(['exit', 'quit', '/exit', 'QUIT'])(
    'is left with %s, as at the end of the input',
    async (word) => {
      const shop = await runApp();
      shop.type(word);
      shop.type('/whoami');
      await shop.app.inputEnded;
      expect(shop.screen()).toContain(`> ${word}\n`);
      expect(shop.screen()).not.toContain('terminal:local');
    },
  );
});

describe('the words of a payment card', () => {
  it('work behind its number, and without one on the newest card that has them', async () => {
    const shop = await charge('0244123406');
    await shop.shows(/\(check now 1, .*details 1\)/);
    await shop.charge('0244123456 70');
    await shop.shows('GHS 70.00 from');
    await shop.shows(/receipt 2, details 2\)/);
    await shop.ask('check now', 'GHS 50.00: still pending');
    await shop.ask('details 1', /> details 1\n⏳ TEST · GHS 50\.00 pending/);
    await shop.ask('DETAILS 2', /> DETAILS 2\n✅ TEST · GHS 70\.00 completed/);
    await shop.ask('check now 2', /> check now 2\nTEST · I did not understand that/);
    await shop.ask('details 3', /> details 3\nTEST · I did not understand that/);
  });

  it('are an answer while a form is open', async () => {
    const shop = await charge('0244123456');
    await shop.shows(/receipt 1, details 1\)/);
    await shop.ask('/sms 0244123456', 'Text?');
    await shop.ask('receipt 1', '| receipt 1');
    expect(shop.screen()).not.toContain('Receipt SMS');
  });
});

// It ends with where the cursor stands, in the third column.
const PROMPT = new RegExp(`> ${String.fromCharCode(27)}\\[3G$`);

describe('a real terminal', () => {
  it('has a prompt, below what arrives while somebody types', async () => {
    const shop = await runApp({}, { isTyped: true });
    await shop.shows(PROMPT);
    await shop.charge('0244123456 50');
    await shop.shows(/: completed/);
    await shop.shows(PROMPT);
    shop.type('/exit');
    await shop.app.inputEnded;
  });
});

describe('other commands in the terminal', () => {
  it('look accounts up', async () => {
    const shop = await runApp();
    await shop.ask('/lookup 0244123456', /Name: +[A-Z]/);
    await shop.ask('/lookup 0244123408', 'There is no account for this number');
    await shop.ask('/lookup', 'Customer number?');
    shop.type('0244123456');
    await shop.ask('skip', 'Status:');
  });

  it('check a payment, known or not', async () => {
    const shop = await charge('0244123456');
    await shop.shows(': completed');
    await shop.ask('details', /Transaction: +[0-9A-Z]/);
    const id = /Transaction: +([0-9A-Z]{12,20})/.exec(shop.screen())?.[1];
    await shop.ask(`/status ${id?.toLowerCase()}`, 'the payment service says "completed"');
    await shop.ask('/status 0123456789AB', 'I have no payment with this id');
    await shop.ask('/status ?!', 'That is not a transaction id');
  });

  it('send an SMS after a preview', async () => {
    const shop = await runApp({ SMS_SENDER_ID: 'SHOP' });
    shop.type('/sms 0244123456, 0201234567 Your order is ready – come by');
    await shop.shows('Send this SMS to 2 people?');
    await shop.shows('–');
    expect(shop.screen()).toContain('Costs 2 SMS (1 for each person).');
    await shop.ask('yes', ': 2 of 2 sent');
    await shop.ask('details', /Sent.*024 412 3456, 020 123 4567 · \S+/);
  });

  it('offer an SMS to the numbers that are right and name the ones left out', async () => {
    const shop = await runApp({ SMS_SENDER_ID: 'SHOP' });
    await shop.ask('/sms 0244123456,77,0201234567,02441234 Hello', 'Send this SMS to 2 people?');
    await shop.shows('Left out, not mobile numbers: "77", "02441234".');
    await shop.shows('[1] Send 2 SMS');
    await shop.ask('yes', ': 2 of 2 sent');
  });

  it('take the text of an SMS form as text, even when it begins with a number', async () => {
    const shop = await runApp({ SMS_SENDER_ID: 'SHOP' });
    await shop.ask('/sms 0244123456', 'Text?');
    await shop.ask('0201234567 is our new number', 'Send this SMS to 1 person?');
    await shop.shows('| 0201234567 is our new number');
  });

  it('bring a sender and the templates of the example, so that all can be tried', async () => {
    const shop = await charge('0244123456');
    await shop.shows(': completed');
    await shop.ask('receipt', 'Receipt SMS: sent');
    shop.type('/sms @ready 0244123456');
    await shop.shows('| Your order is ready. We are open until 6 pm. Sandbox Shop');
    await shop.charge('0244123406 60');
    await shop.shows('reminder 2');
    await shop.ask('reminder', 'Reminder SMS: sent');
  });

  it('the templates are those of templates.example.yml', async () => {
    const example = await readFile('templates.example.yml', 'utf8');
    expect(parse(EXAMPLE_TEMPLATES)).toEqual(parse(example));
  });

  it('show balances that move', async () => {
    const shop = await charge('0244123456');
    await shop.shows(': completed');
    await shop.ask('/balance', /Collection: +GHS [\d,]+\.\d\d/);
  });

  it('explain themselves', async () => {
    const shop = await runApp();
    await shop.ask('/help', '/charge 0244123456 50 · ask a customer to pay');
    await shop.ask('/help charge', '/charge 0244123456 50 GHS');
    await shop.ask('/whoami', 'terminal:local');
    await shop.ask('/frobnicate', 'I did not understand that');
    await shop.ask('hello', 'Hello ama');
    await shop.ask('/chrage', 'Did you mean /charge?');
  });

  it('are refused where the access file does not grant them', async () => {
    const shop = await runApp(
      {},
      { access: 'roles: {sales: {commands: [lookup]}}\nmembers: {sales: [terminal:local]}\n' },
    );
    await shop.ask('/charge 0244123456 50', 'You cannot charge yet');
    await shop.shows('terminal:local');
    await shop.ask('/lookup 0244123456', 'Name:');
  });
});
