import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import type { SimMessage } from '../support/telegram/message.ts';
import type { Person } from '../support/telegram/person.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { customerNumber, type Day, shopOfTheDay } from './day.ts';
import type { Effort } from './effort.ts';

/** A day in a group of Telegram. */
export const telegramDay = async (clock = new FastClock()): Promise<Day> => {
  const { telegram, ama, kojo, esi, sales, ops } = await openTelegramShop({
    people: { ama: 'Ama', kojo: 'Kojo', esi: 'Esi' },
    chats: ({ telegram, ama, kojo, esi }) => ({
      sales: telegram.group('Sales', [ama, kojo, esi]),
      ops: telegram.group('Operators', [kojo]),
    }),
    ...(await shopOfTheDay()),
    clock,
  });

  const press = (effort: Effort, person: Person, message: SimMessage, label: string) => {
    effort.reads(message.text);
    return person.press(message, effort.taps(label));
  };
  const seen = (text: string) => sales.waitFor(new RegExp(text));
  const asked = (amount: string) => seen(`Charge GHS ${amount}\\?`);
  const pressAsked = async (effort: Effort, amount: string) =>
    press(effort, ama, await asked(amount), `Charge GHS ${amount}`);
  const told = async (effort: Effort, text: string) => effort.reads((await seen(text)).text);
  const start = async (number: string, amount: string) => {
    await chargeInTelegram(ama, sales, `${number} ${amount}`);
  };
  const answer = async (effort: Effort, amount: string) => {
    const question = await seen('Amount\\?');
    effort.reads(question.text);
    ama.type(sales, effort.types(amount), { replyTo: question });
  };
  const privately = async (effort: Effort, pressed: ReturnType<Person['press']>) =>
    effort.reads(await refusalOf(pressed, telegram.privateChat(ama)));

  return {
    chat: 'Telegram',
    tasks: {
      charge: async (effort) => {
        ama.type(sales, effort.types('/charge 0244123456 50'));
        await pressAsked(effort, '50.00');
        await told(effort, 'GHS 50.00 from .*: completed');
      },
      correct: async (effort) => {
        ama.type(sales, '/charge 0244123457 5o');
        press(effort, ama, await seen('Please check'), 'Correct it');
        await answer(effort, '51');
        await asked('51.00');
      },
      again: async (effort) => {
        press(effort, ama, await seen('GHS 50.00 completed'), 'Charge again');
        await answer(effort, '52');
        await pressAsked(effort, '52.00');
        await told(effort, 'GHS 52.00 from .*: completed');
      },
      retry: async (effort) => {
        await start('0244123401', '53');
        press(effort, ama, await seen('GHS 53.00 failed'), 'Ask again');
        await pressAsked(effort, '53.00');
      },
      noPrompt: async (effort) => {
        await start('0244123406', '54');
        await privately(effort, press(effort, ama, await seen('GHS 54.00 pending'), 'Check now'));
      },
      whoPaid: async (effort) => {
        ama.type(sales, effort.types('/payments today'));
        await told(effort, 'Payments, ');
      },
      balance: async (effort) => {
        ama.type(sales, effort.types('/balance'));
        effort.reads((await telegram.privateChat(ama).waitFor(/Payout/)).text);
      },
      receipt: async (effort) => {
        press(effort, ama, await seen('GHS 50.00 completed'), 'Receipt');
        await told(effort, 'Receipt SMS: sent');
      },
      approve: async (effort) => {
        await start('0244123458', '700');
        press(effort, kojo, await seen('Ama asks to charge GHS 700.00'), 'Approve GHS 700.00');
        await told(effort, 'GHS 700.00 from .*: completed');
      },
      find: async (effort) => {
        const own = telegram.privateChat(ama);
        ama.type(own, effort.types('/payments adwoa'));
        press(effort, ama, await own.waitFor(/Payments for/), '1');
        effort.reads((await own.waitFor(/completed · today/)).text);
      },
      firstDay: async (effort) => {
        esi.type(sales, effort.types('/charge 0244123456 50'));
        press(effort, esi, await seen('cannot charge yet'), 'Ask for access');
        press(
          effort,
          kojo,
          await ops.waitFor(/Esi/),
          'Give sales: charge up to GHS 500.00, lookup and more',
        );
        await eventually(() => telegram.privateChat(esi).transcript());
      },
    },
    lasting: async () => ({ messages: sales.fromBot.length, inThreads: 0 }),
    charge: async (customers) => {
      for (let at = 0; at < customers; at++) await start(customerNumber(at), String(100 + at));
      for (let at = 0; at < customers; at++) await seen(`GHS ${100 + at}.00 from .*: completed`);
    },
  };
};
