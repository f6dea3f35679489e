import { expect, it } from 'vitest';
import { openSlackShop } from '../support/slack-shop.ts';

it('an app whose commands have a prefix hears them, and spells each so wherever it names one', async () => {
  const { slack, ama, payments } = await openSlackShop({
    people: ['ama'],
    env: { SLACK_COMMAND_PREFIX: 'pay-' },
  });
  const type = (name: string, words = '') =>
    ama.slash('sales', `/pay-${name}`, words, { unknownToo: true });
  await type('charge', '0244123456 50');
  await ama.press(await ama.ephemeral(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
  await slack.message('sales', /: completed/);
  expect(payments()).toHaveLength(1);
  // A list, a form, a mention with the name of old, a word that is no command, a home, a problem in a form.
  await type('help');
  await ama.press(await ama.ephemeral(/\/pay-charge 0244123456 50/), 'More');
  await ama.ephemeral(/See how one is written:[\s\S]*\/pay-help charge/);
  await type('help', 'pay-status');
  await ama.ephemeral(/\/pay-status 01/);
  await type('lookup');
  const form = await ama.modal();
  expect(await ama.submit(form, { number: 'nobody' })).toMatchObject({ kind: 'errors' });
  await ama.mention('sales', 'whoami');
  await ama.ephemeral(/pay-charge/);
  await ama.mention('sales', 'chrage 0244123456 5');
  await ama.ephemeral(/Did you mean \/pay-charge/);
  await ama.openHome();
  const sent = JSON.stringify(slack.calls().map(({ args }) => args));
  expect(sent).not.toMatch(
    /(?<![\w./-])\/(?:charge|bulk|lookup|(?:pay)?status|sms|balance|(?:pay)?help|whoami)\b/,
  );
});

it('a person who is mentioned is stopped by the id that Slack puts in, whatever others call themselves', {
  tags: ['T86'],
}, async () => {
  const { ama, kojo } = await openSlackShop({ people: ['ama', 'kojo'] });
  await ama.ask('sales', '/suspend @kojo lost the phone', /is stopped[\s\S]*lost the phone/);
  await kojo.ask('sales', '/whoami', /stopped|suspended/i);
});

it('what was typed in a direct message opens in the form again, also where it is too long for a button', async () => {
  const { slack, ama } = await openSlackShop({ people: ['ama'], env: { SMS_SENDER_ID: 'SHOP' } });
  const numbers = Array.from({ length: 200 }, (_, at) => `0244123${100 + at}`).join(', ');
  await ama.directMessage(`sms ${numbers}`);
  await ama.press(await ama.direct(/Open the form/), 'Open the form');
  await ama.submit(await ama.modal(), { Text: 'Your order is ready' });
  await ama.direct(/Send this SMS to 200 people\?/);
  expect(slack.acks.every(({ ok }) => ok)).toBe(true);
});
