import type { Modal } from '../support/slack/block-kit.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import type { Person } from '../support/slack/person.ts';
import { messageText, type ShownMessage } from '../support/slack/shown-message.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { customerNumber, type Day, shopOfTheDay } from './day.ts';
import type { Effort } from './effort.ts';

/** A day in the channel #sales of Slack. */
export const slackDay = async (): Promise<Day> => {
  const { slack, ama, kojo, esi } = await openSlackShop({
    people: ['ama', 'kojo', 'esi'],
    channels: ['sales', 'ops'],
    ...(await shopOfTheDay()),
  });

  const read = (effort: Effort, message: ShownMessage): void =>
    effort.reads(messageText(message, (id) => id));
  const type = (effort: Effort, person: Person, line: string) => {
    const [command = '', ...words] = effort.types(line).split(' ');
    return person.slash('sales', command, words.join(' '));
  };
  const press = async (effort: Effort, person: Person, message: ShownMessage, label: string) => {
    read(effort, message);
    await person.press(message, effort.taps(label));
  };
  const pressAsked = async (effort: Effort, label: string) =>
    press(effort, ama, await ama.ephemeral(new RegExp(`${label}\\?`)), label);
  const card = (text: string) => slack.message('sales', new RegExp(text));
  const fill = async (effort: Effort, amount: string) => {
    const modal = await ama.modal();
    effort.reads(labelsOf(modal.view));
    await ama.submit(modal, { Amount: effort.fills(amount) });
    effort.taps('Continue');
  };
  const told = async (effort: Effort, text: string) => read(effort, await card(text));

  return {
    chat: 'Slack',
    tasks: {
      charge: async (effort) => {
        await type(effort, ama, '/charge 0244123456 50');
        await pressAsked(effort, 'Charge GHS 50.00');
        await told(effort, 'GHS 50.00 from .*: completed');
      },
      correct: async (effort) => {
        await ama.slash('sales', '/charge', '0244123457 5o');
        await press(effort, ama, await ama.ephemeral(/Please check/), 'Correct it');
        await fill(effort, '51');
        await ama.ephemeral(/Charge GHS 51\.00\?/);
      },
      again: async (effort) => {
        await press(effort, ama, await card('GHS 50.00 completed'), 'Charge again');
        await fill(effort, '52');
        await pressAsked(effort, 'Charge GHS 52.00');
        await told(effort, 'GHS 52.00 from .*: completed');
      },
      retry: async (effort) => {
        await chargeInSlack(ama, 'sales', '0244123401 53');
        await press(effort, ama, await card('GHS 53.00 failed'), 'Ask again');
        await pressAsked(effort, 'Charge GHS 53.00');
      },
      noPrompt: async (effort) => {
        await chargeInSlack(ama, 'sales', '0244123406 54');
        await press(effort, ama, await card('GHS 54.00 pending'), 'Check now');
        read(effort, await ama.ephemeral(/still pending/));
      },
      whoPaid: async (effort) => {
        await ama.openHome();
        effort.taps('Home');
        read(effort, await ama.home(/Today[\s\S]*completed/));
      },
      balance: async (effort) => {
        await type(effort, ama, '/balance');
        read(effort, await ama.ephemeral(/Payout/));
      },
      receipt: async (effort) => {
        await press(effort, ama, await card('GHS 50.00 completed'), 'Receipt');
        await told(effort, 'Receipt SMS: sent');
      },
      approve: async (effort) => {
        await chargeInSlack(ama, 'sales', '0244123458 700');
        await press(effort, kojo, await card('GHS 700.00.*'), 'Approve GHS 700.00');
        await told(effort, 'GHS 700.00 from .*: completed');
      },
      find: async (effort) => {
        await type(effort, ama, '/payments adwoa');
        await press(effort, ama, await ama.ephemeral(/Payments for/), '1');
        read(effort, await ama.ephemeral(/completed · today/));
      },
      firstDay: async (effort) => {
        await type(effort, esi, '/charge 0244123456 50');
        await press(effort, esi, await esi.ephemeral(/cannot charge yet/), 'Ask for access');
        await press(effort, kojo, await slack.message('ops', /esi/), 'Give sales');
      },
    },
    lasting: async () => {
      const all = (await slack.messages('sales')).filter(({ author }) => author === undefined);
      const inThreads = all.filter(({ thread }) => thread !== undefined).length;
      return { messages: all.length - inThreads, inThreads };
    },
    charge: async (customers) => {
      for (let at = 0; at < customers; at++) {
        await chargeInSlack(ama, 'sales', `${customerNumber(at)} ${100 + at}.00`);
      }
      for (let at = 0; at < customers; at++) await card(`GHS ${100 + at}.00 from .*: completed`);
    },
  };
};

/** What stands beside the fields of a form. */
const labelsOf = ({ blocks }: Modal): string =>
  blocks
    .flatMap((block) => (block.type === 'input' ? [block.label.text, block.hint?.text ?? ''] : []))
    .join(' ');
