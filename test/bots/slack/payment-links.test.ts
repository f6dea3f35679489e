import { describe, expect, it } from 'vitest';
import { cardToMessage } from '../../../src/bots/slack/card-to-blocks.ts';
import { withPaymentLinks } from '../../../src/bots/slack/payment-links.ts';
import { type CardPart, cardOf, idFact, part } from '../../../src/commands/cards/card.ts';
import { messageComplaints } from '../../support/slack/block-kit.ts';
import { startRig } from './bot-rig.ts';

const ID = '01JD2M4X9QK7T3VB';
const CARD = 'https://acme.slack.com/archives/C1/p1';
const linked = async (
  shown: CardPart,
  linkTo: (id: string) => Promise<string | undefined> = async () => CARD,
) => {
  const { text, blocks } = cardToMessage(cardOf('Payments', [shown]));
  const done = await withPaymentLinks(blocks, linkTo);
  expect(messageComplaints({ text, blocks: done })).toEqual([]);
  return JSON.stringify(done);
};
const LINK = `{"type":"link","url":"${CARD}","text":"${ID}","style":{"code":true}}`;

describe('a transaction id in Slack', () => {
  it.each([
    ['a list', part.list([{ text: 'GHS 50.00 completed', code: ID }])],
    ['a line', part.line('024 *** 3456', ID)],
    ['facts', part.facts(idFact('Transaction', ID))],
  ])('in %s is a link to the card of its payment', async (_, shown) => {
    expect(await linked(shown)).toContain(LINK);
  });

  it('stays words without an address, with an odd one, and when the store does not answer', async () => {
    const shown = part.line('024 *** 3456', ID);
    const plain = JSON.stringify(cardToMessage(cardOf('Payments', [shown])).blocks);
    expect(await linked(shown, async () => undefined)).toBe(plain);
    expect(await linked(shown, async () => 'javascript:alert(1)')).toBe(plain);
    expect(await linked(shown, () => Promise.reject(new Error('away')))).toBe(plain);
  });

  it('is looked for in what we wrote as an id, and nowhere else', async () => {
    const asked: string[] = [];
    const linkTo = async (id: string) => {
      asked.push(id);
      return CARD;
    };
    await linked(part.text(ID), linkTo);
    await linked(part.quote(ID), linkTo);
    await linked(part.facts(idFact('Your id', 'slack:U024BE7LH')), linkTo);
    expect(asked).toEqual([]);
    const items = Array.from({ length: 30 }, (_, at) => ({
      text: 'x',
      code: `${ID.slice(2)}${at + 10}`,
    }));
    await linked(part.list([...items, ...items]), linkTo);
    expect(asked).toHaveLength(20);
  });
});

it('the address of a message is asked for once, and again after no answer', async () => {
  const rig = await startRig('http');
  const channel = await rig.slack.channelId('sales');
  const message = await rig.slack.postAs('ama', 'sales', { text: 'hello' });
  const ref = { conversation: { platform: 'slack', channel }, message };
  rig.slack.fail('chat.getPermalink', { kind: 'http', status: 500 }, 1);
  expect(await rig.bot.linkTo(ref)).toBeUndefined();
  const links = await Promise.all([rig.bot.linkTo(ref), rig.bot.linkTo(ref)]);
  expect(links[0]).toContain('/archives/');
  expect(await rig.bot.linkTo(ref)).toBe(links[1]);
  expect(rig.slack.calls('chat.getPermalink')).toHaveLength(2);
});
