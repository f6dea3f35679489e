import type { Card } from '../../../src/commands/cards/card.ts';
import type { ShownMessage } from '../../support/slack/shown-message.ts';
import type { Rig } from './bot-rig.ts';

export const confirmation: Card = {
  title: 'Charge GHS 50.00?',
  parts: [{ kind: 'facts', facts: [{ label: 'Customer', value: 'Ama Mensah' }] }],
  buttons: [
    { kind: 'press', label: 'Charge GHS 50.00', verb: 'charge.go', id: 'd1', style: 'primary' },
    { kind: 'press', label: 'Cancel', verb: 'charge.no', id: 'd1' },
    { kind: 'link', label: 'Receipt', url: 'https://example.com/r/1' },
  ],
};

export const done: Card = { title: 'Requested', parts: [] };

/** Ama types a command that is answered with the confirmation. */
export const confirmationShown = ({ inbound, ama }: Rig): Promise<ShownMessage> => {
  inbound.onCommand = ({ surface }) => surface.say(confirmation);
  return ama.ask('sales', '/charge', /Charge/);
};
