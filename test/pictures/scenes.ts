import type { Card } from '../../src/commands/cards/card.ts';
import { greetingCard } from '../../src/commands/help.ts';
import { bulk, fileEnd, smsFile } from './file-scenes.ts';
import { CUT_OFF, ENDINGS, MIXED, SALES, type Sale } from './sales.ts';
import {
  aside,
  card,
  inStudio,
  type Picture,
  pictureOf,
  reply,
  type Shown,
  typed,
} from './scene.ts';
import { ama, first, kofi, yaw } from './studio.ts';

const firstMinute = (): Promise<Picture[]> =>
  inStudio(async (studio) => {
    const words = '0244123456 50';
    const { question, cards, told } = await studio.charge(words, { status: 'completed' });
    const line = typed('Ama', `/charge ${words}`);
    return [
      {
        name: 'first-minute-asked',
        alt: `Ama types /charge ${words} and is asked whether to charge the customer whom the look-up named.`,
        messages: [line, aside(question)],
      },
      {
        name: 'first-minute-waiting',
        alt: 'The payment card is pending until the customer approves on the phone.',
        messages: [card(lastOf(cards, 'pending'))],
      },
      {
        name: 'first-minute-paid',
        alt: 'The card is completed, and the result is posted under it with a mention of Ama.',
        messages: [card(lastOf(cards, 'completed')), ...told.map(reply)],
      },
      {
        name: 'first-minute-terminal',
        alt: 'The same in the terminal: the command, the question, yes, the card with each state, and the result.',
        messages: [
          line,
          aside(question),
          typed('Ama', 'yes'),
          ...cards.map((each, at): Shown => (at === 0 ? card(each) : { said: each, isEdit: true })),
          ...told.map(reply),
        ],
        isTerminal: true,
      },
    ];
  });

const endings = (): Promise<Picture[]> =>
  Promise.all(
    ENDINGS.map(([state, ending, alt]) =>
      inStudio(async (studio) => {
        const { cards, told } = await studio.charge('0244123456 50 Invoice 17', ending);
        const name = `card-${state.replace(' ', '-')}`;
        const messages = [card(lastOf(cards, state)), ...told.map(reply)];
        return { name, alt, messages };
      }),
    ),
  );

const details = (): Promise<Picture> =>
  inStudio(async (studio) => {
    const { cards } = await studio.charge('0244123456 50 Invoice 17', { status: 'completed' });
    const shown = await studio.press(kofi, lastOf(cards, 'completed'), 'Details');
    return {
      name: 'details',
      alt: 'Details tells the presser alone when, by whom and how it was paid.',
      messages: shown.map(aside),
    };
  });

const givenBack = (): Promise<Picture> =>
  inStudio(async (studio) => {
    const { desk } = studio;
    const { cards } = await studio.charge('0244123456 50 Invoice 17', { status: 'completed' });
    const shown = await studio.press(kofi, lastOf(cards, 'completed'), 'Details');
    await studio.press(kofi, first(shown, 'the details'), 'Given back');
    const written = await desk.submit(kofi, { amount: '20', reason: 'Wrong size' });
    await studio.wait(2);
    return {
      name: 'given-back',
      alt: 'Cash that was given back: what the person who wrote it down reads, and the card after it.',
      messages: [...written.map(aside), card(first(desk.edited.slice(-1), 'the card'))],
    };
  });

const checkout = (): Promise<Picture> =>
  inStudio(async (studio) => {
    const { desk } = studio;
    const checkoutUrl = 'https://checkout.example.com/pay/1M7Y381Y37GXF6SS';
    const { cards } = await studio.charge('0244123456 50 visa', {
      payment: { kind: 'accepted', checkoutUrl, answer: { code: '202', message: 'received' } },
    });
    const asked = lastOf(cards, 'pending');
    const said = await studio.press(ama, asked, 'QR');
    const [file] = await Promise.all(desk.files.map(pictureOf));
    return {
      name: 'checkout',
      alt: 'A charge by bank card: its card with the link, and the QR code to scan at the counter.',
      messages: [
        card(asked),
        ...said.map(aside),
        ...(file ? [{ ...aside({ title: file.altText, parts: [] }), file }] : []),
      ],
    };
  });

const approval = (): Promise<Picture[]> =>
  inStudio(async (studio) => {
    const question = await studio.type(ama, 'charge', '0244123456 500 Invoice 17');
    const waiting = await studio.press(ama, question, 'Charge');
    await studio.wait(2);
    const asked = first(
      studio.desk.posted.map(({ card }) => card),
      'an approval',
    );
    const approved = await studio.press(kofi, asked, 'Approve');
    return [
      {
        name: 'approval-waiting',
        alt: "A charge above Ama's limit waits for an approver.",
        messages: waiting.map(aside),
      },
      {
        name: 'approval',
        alt: 'The approvers are asked, with the terms and until when.',
        messages: [card(asked)],
      },
      {
        name: 'approval-approved',
        alt: 'The question to the approvers after the press.',
        messages: approved.map(card),
      },
    ];
  });

/** What one command answers. `heldYesterday`: the balance to compare with. */
const answer = (
  name: string,
  alt: string,
  {
    by = kofi,
    command,
    words = '',
    sales = SALES,
    heldYesterday,
  }: {
    by?: typeof ama;
    command: string;
    words?: string;
    sales?: readonly Sale[];
    heldYesterday?: string;
  },
): Promise<Picture> =>
  inStudio(async (studio) => {
    if (heldYesterday !== undefined) await studio.heldYesterday(heldYesterday);
    for (const [typed, ending] of sales) await studio.charge(typed, ending);
    const shown = await studio.desk.type(by, command, words);
    const [file] = await Promise.all(studio.desk.files.map(pictureOf));
    return {
      name,
      alt,
      messages: [
        typed(by.name, `/${command} ${words}`.trim()),
        ...shown.map((said) => ({ ...aside(said), ...(file && { file }) })),
      ],
    };
  });

const sms = (): Promise<Picture> =>
  inStudio(async (studio) => {
    const words = '0244123456,0201112233 Your order is ready.';
    // The balance is asked for after the start.
    await studio.wait(1);
    const preview = await studio.type(kofi, 'sms', words);
    return {
      name: 'sms',
      alt: 'An SMS is shown with its recipients and its price before it is sent.',
      messages: [typed('Kofi', `/sms ${words}`), aside(preview)],
    };
  });

const forms = (): Promise<Picture[]> =>
  Promise.all(
    (
      [
        ['form-charge', 'charge', '', 'The form of a charge.'],
        ['form-sms', 'sms', '', 'The form of an SMS.'],
        ['form-lookup', 'lookup', '', 'The form of a look-up.'],
      ] as const
    ).map(([name, command, words, alt]) =>
      inStudio(async (studio) => {
        await studio.desk.type(kofi, command, words);
        return { name, alt, form: studio.form };
      }),
    ),
  );

const corrections = (): Promise<Picture[]> =>
  inStudio(async (studio) => {
    const line = '024412345 50 Invoice 17';
    const problem = await studio.type(ama, 'charge', line);
    const asked: Picture = {
      name: 'not-understood',
      alt: 'A command that was not understood says what is wrong, and offers to correct it.',
      messages: [typed('Ama', `/charge ${line}`), aside(problem)],
    };
    await studio.press(ama, problem, 'Correct it');
    return [
      asked,
      {
        name: 'form-correct',
        alt: 'Correct it opens the form with everything that was understood.',
        form: studio.form,
      },
    ];
  });

const access = (): Promise<Picture> =>
  inStudio(async (studio) => {
    const refusal = await studio.type(yaw, 'charge', '0244123456 50');
    const asked = await studio.press(yaw, refusal, 'Ask for access');
    await studio.wait(2);
    const told = studio.desk.posted.map(({ card }) => card);
    return {
      name: 'access',
      alt: 'Ask for access: what the person reads, and what the operators get, with a button for each role.',
      messages: [...asked.map(aside), card(first(told, 'a request for access'))],
    };
  });

const home = (): Promise<Picture> =>
  inStudio(async (studio) => {
    await studio.charge('0244123456 50 Invoice 17', { status: 'completed' });
    await studio.charge('0244123452 75', { status: 'pending' });
    await studio.charge('0244123453 30', CUT_OFF);
    const question = await studio.type(ama, 'charge', '0244123451 500');
    await studio.press(ama, question, 'Charge');
    const conversation = { platform: 'slack', channel: kofi.id };
    const { cards } = await studio.desk.engine.home({ ...kofi, conversation }, async () => true);
    return {
      name: 'home',
      alt: "An owner's Home tab in Slack: what waits for approval, what waits for the customer, today, and the balances.",
      home: cards,
    };
  });

const digest = (): Promise<Picture> =>
  inStudio(async (studio) => {
    await studio.charge('0244123456 50 Invoice 17', { status: 'completed' });
    await studio.charge('0244123451 120', { status: 'completed' });
    await studio.charge('0244123452 75', { status: 'failed', word: 'NOT_ENOUGH_FUNDS' });
    await studio.charge('0244123453 30', CUT_OFF);
    const before = studio.desk.posted.length;
    studio.clock.jump(18 * 3_600_000 - (studio.clock.now() % (24 * 3_600_000)));
    await studio.wait(3);
    const told = studio.desk.posted
      .slice(before)
      .filter(({ key }) => key.startsWith('digest'))
      .map((message) => message.card);
    return {
      name: 'digest',
      alt: "The day's summary: what was paid, against the week before, why most failed, and what needs a person.",
      messages: [card(first(told, 'the summary of the day'))],
    };
  });

/** Everything that is drawn. */
export const playScenes = async (): Promise<readonly Picture[]> => {
  const all = await Promise.all([
    firstMinute(),
    endings(),
    details(),
    givenBack(),
    checkout(),
    fileEnd(),
    answer('today', 'What the shop took today so far, by person, beside the same weekday.', {
      command: 'today',
      sales: MIXED,
    }),
    approval(),
    answer('payments', 'The payments of today: totals first, then a line for each.', {
      command: 'payments',
      sales: MIXED,
    }),
    answer(
      'report',
      'What the payments of today add up to, who sold them, and the picture of it.',
      {
        command: 'report',
        words: 'by person',
      },
    ),
    answer('customer', "A customer's payments, totals and last outcome.", {
      command: 'customer',
      words: '0244123456',
    }),
    answer('lookup', 'The name and state of an account.', {
      command: 'lookup',
      words: '0244123456',
    }),
    answer('close', "A day's end that balances, before it is closed.", {
      command: 'close',
      heldYesterday: '10069.50',
    }),
    answer(
      'close-differs',
      "A day's end that does not balance, and the payments that may say why.",
      {
        command: 'close',
        sales: MIXED,
        heldYesterday: '10000.00',
      },
    ),
    digest(),
    answer('balance', 'The balances of the merchant.', { command: 'balance' }),
    answer('whoami', "The caller's ids and roles.", { command: 'whoami' }),
    answer('help', 'The commands that the caller may use.', { command: 'help' }),
    answer('no-rights', 'A person without rights reads that and can ask for access.', {
      by: yaw,
      command: 'charge',
      words: '0244123456 50',
    }),
    access(),
    home(),
    sms(),
    bulk(),
    smsFile(),
    forms(),
    corrections(),
    {
      name: 'greeting',
      alt: 'What the bot says where it is invited.',
      messages: [card(greetingCard)],
    },
  ]);
  return all.flat();
};

const lastOf = (cards: readonly Card[], state: string): Card => {
  const found = cards.findLast(({ title }) => title.includes(state));
  if (found === undefined)
    throw new Error(`no card is ${state}: ${cards.map(({ title }) => title).join(', ')}`);
  return found;
};
