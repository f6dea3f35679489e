import { runApp } from '../support/run-app.ts';
import type { Day } from './day.ts';
import { Effort } from './effort.ts';

/** A day in the terminal, where a press is a number and Enter. There is one person, who may do everything. */
export const terminalDay = async (): Promise<Day> => {
  const shop = await runApp();
  let read = 0;
  /** Waits for a text that is new. */
  const shows = async (pattern: RegExp) => {
    await shop.shows(new RegExp(`^[\\s\\S]{${read}}[\\s\\S]*?(?:${pattern.source})`));
    read = shop.screen().length;
  };
  const type = (effort: Effort, line: string) => {
    read = shop.screen().length;
    shop.type(effort.types(line));
  };
  const charge = async (effort: Effort, line: string, word: RegExp) => {
    type(effort, line);
    await shows(/\[1\] Charge/);
    type(effort, 'yes');
    await shows(word);
  };

  return {
    chat: 'Terminal',
    tasks: {
      charge: (effort) => charge(effort, '/charge 0244123456 50', /: completed/),
      correct: async (effort) => {
        shop.type('/charge 0244123457 5o');
        await shows(/\[1\] Correct it/);
        type(effort, '1');
        await shows(/Amount\?/);
        type(effort, '51');
        await shows(/Charge GHS 51\.00\?/);
        shop.type('no');
      },
      again: async (effort) => {
        type(effort, 'charge again');
        await shows(/Amount\?/);
        type(effort, '52');
        await shows(/\[1\] Charge GHS 52/);
        type(effort, 'yes');
        await shows(/: completed/);
      },
      retry: async (effort) => {
        await charge(new Effort(), '/charge 0244123401 53', /: failed/);
        type(effort, 'ask again');
        await shows(/\[1\] Charge GHS 53/);
        type(effort, 'yes');
        await shows(/: failed/);
      },
      noPrompt: async (effort) => {
        await charge(new Effort(), '/charge 0244123406 54', /pending/);
        type(effort, 'check now');
        await shows(/still pending/);
      },
      whoPaid: async (effort) => {
        type(effort, '/payments today');
        await shows(/Payments, /);
      },
      balance: async (effort) => {
        type(effort, '/balance');
        await shows(/Payout/);
      },
      find: async (effort) => {
        type(effort, '/payments adwoa');
        await shows(/\[1\]/);
        type(effort, '1');
        await shows(/Transaction/);
      },
    },
    lasting: async () => ({ messages: 0, inThreads: 0 }),
    charge: async () => {},
  };
};
