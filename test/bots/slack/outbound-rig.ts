import type { OutgoingMessage } from '../../../src/bots/bot.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Conversation, Delivery, MessageRef } from '../../../src/core/values/conversation.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startRig } from './bot-rig.ts';

export const card: Card = {
  title: 'Payment pending',
  parts: [{ kind: 'facts', facts: [{ label: 'Amount', value: 'GHS 50.00' }] }],
  buttons: [{ kind: 'press', label: 'Check now', verb: 'status.check', id: 'p1' }],
};

/** A bot whose pace is in the test's hand, and how it posts. */
export const outboundRig = async () => {
  const clock = new ManualClock();
  const rig = await startRig('http', { pacerClock: clock });
  const conversation = async (channel: string, thread?: string): Promise<Conversation> => ({
    platform: 'slack',
    workspace: rig.slack.teamId,
    channel: await rig.slack.channelId(channel),
    ...(thread === undefined ? {} : { thread }),
  });
  const post = async (message: Partial<OutgoingMessage> = {}): Promise<Delivery> =>
    rig.bot.post({
      conversation: await conversation('sales'),
      card,
      key: 'card of p1',
      mayStand: false,
      ...message,
    });
  return { ...rig, clock, conversation, post };
};

export const refOf = (delivery: Delivery): MessageRef => {
  if (delivery.kind !== 'delivered') throw new Error(JSON.stringify(delivery));
  return delivery.ref;
};
