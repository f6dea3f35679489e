import { beforeEach, describe, expect, it } from 'vitest';
import { platforms } from '../../../src/bots/all-platforms.ts';
import type { Access } from '../../../src/commands/access/access.ts';
import { readAccessFile } from '../../../src/commands/access/access-file.ts';
import { roleKey } from '../../../src/commands/access/access-request-cards.ts';
import { givable, grantsFrom, isGivable } from '../../../src/commands/access/grants.ts';
import { RIGHTS } from '../../../src/commands/all-commands.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { chatGrants } from '../../../src/core/records/access-grants.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { startOfDayMs } from '../../../src/core/values/calendar-day.ts';
import type { Conversation, Person } from '../../../src/core/values/conversation.ts';
import { shortIdFrom } from '../../../src/core/values/transaction-id.ts';
import { shop } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const person = (id: string, name: string): Person => ({ platform: 'slack', id, name });
const esi = person('U0ESI', 'Esi');
const kofi = person('U0KOFI', 'Kofi');
const yaw = person('U0YAW', 'Yaw');
const boss = person('U0BOSS', 'Adwoa');
const OPERATORS: Conversation = { platform: 'slack', channel: 'C0OPS' };
const DIRECT: Conversation = { platform: 'slack', channel: 'D0ESI' };
const ELSEWHERE: Conversation = { platform: 'slack', channel: 'C0OTHER' };
const FILE = `
roles:
  sales: { commands: [charge, lookup] }
  finance: { commands: [balance], approve: true }
  owner: { commands: "*", admin: true }
members:
  owner: [slack:U0BOSS, slack:U0KOFI]
  finance: [slack:U0YAW]
`;

let clock: ManualClock;
let store: Store;
/** The access file as it is now. */
let file: string;
/** The id of a person who is stopped. */
let stopped: string | undefined;
/** What the platform says of Esi. */
let isGuest: Awaited<ReturnType<Access['isGuest']>>;

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore();
  file = FILE;
  stopped = undefined;
  isGuest = false;
});

const rolesNow = () => {
  const read = readAccessFile(file, { currency: 'GHS', platforms, rights: RIGHTS });
  if (!read.ok) throw new Error(read.problems.join());
  return read.roles;
};

/** One instance over the store, with roles as the file has them. */
const open = (operators: readonly Conversation[] = [OPERATORS]): Desk =>
  openDesk(store, clock, undefined, undefined, undefined, {
    operators,
    access: {
      grantsOf: async ({ id }, given = []) => {
        const held = rolesNow().filter(
          (role) =>
            (given.includes(role.name) && isGivable(role)) ||
            role.members.some((member) => member.id === id),
        );
        const grants = grantsFrom(held, 'slack', RIGHTS);
        return id === stopped
          ? { ...grants, suspended: { of: `slack:${id}`, by: boss, atMs: 0 } }
          : grants;
      },
      isGuest: async () => isGuest,
      givableRoles: () => givable(rolesNow(), RIGHTS),
    },
  });

const titleOf = (cards: readonly Card[]) => cards[0]?.title;
/** The title that answers a press in the conversation of the operators. */
const answered = async (by: Person, card: Card | undefined, label: string, desk: Desk) =>
  titleOf(await desk.press(by, card, label, OPERATORS));
/** The title that answers a press on "Ask for access". */
const asks = async (who: Person, card: Card | undefined, desk: Desk) =>
  titleOf(await desk.press(who, card, 'Ask for access'));
/** A card that was never shown, with a button x. */
const forged = (verb: string, id: string): Card => ({
  ...{ title: '', parts: [] },
  buttons: [{ kind: 'press', label: 'x', verb, id }],
});
const labels = (card: Card | undefined) => card?.buttons?.map(({ label }) => label);
const tried = async (desk: Desk, who = esi, where = shop): Promise<Card | undefined> =>
  (await desk.type(who, 'charge', '0244123456 50', undefined, where))[0];

/** Whether a charge is asked about or refused there; nothing else may happen to it. */
const mayCharge = async (...how: Parameters<typeof tried>): Promise<boolean> => {
  const title = (await tried(...how))?.title;
  expect(['Charge GHS 50.00?', 'You cannot charge yet']).toContain(title);
  return title === 'Charge GHS 50.00?';
};

/** Runs the outbox until so many messages were posted. */
const told = async (desk: Desk, count: number): Promise<Card[]> => {
  await desk.runUntil(() => expect(desk.posted).toHaveLength(count));
  return desk.posted.map(({ card }) => card);
};

/** The id of what Esi asked today. */
const chatRequest = () => shortIdFrom(`slack:U0ESI ${startOfDayMs(clock.now(), 'Africa/Accra')}`);

/** Esi asks where she typed; resolves with what the operators read. */
const asked = async (desk: Desk, where = shop): Promise<Card | undefined> => {
  await desk.press(esi, await tried(desk, esi, where), 'Ask for access', where);
  return (await told(desk, 1))[0];
};

/** Esi asked where she typed, and has sales now. */
const given = async (): Promise<Desk> => {
  const desk = open();
  await desk.press(boss, await asked(desk), 'Give sales', OPERATORS);
  return desk;
};

describe('Ask for access', () => {
  it('stands under a refused command, and asks the operators with a button a role', async () => {
    const desk = open();
    const refused = await tried(desk);
    expect(cardText(refused)).toBe(
      'You cannot charge yet | Ask for access. The answer comes here. | Your id: slack:U0ESI',
    );
    expect(labels(refused)).toEqual(['Ask for access']);
    expect(await asks(esi, refused, desk)).toBe('Asked for access');
    const [question] = await told(desk, 1);
    expect(desk.posted[0]?.conversation).toEqual(OPERATORS);
    expect(cardText(question)).toBe(
      'Esi asks for access | Asked by: Esi, Tried: /charge, Conversation: slack:C0SALES | A role works in that chat and in private.',
    );
    expect(labels(question)).toEqual([
      'Give sales: charge, lookup',
      'Give finance: approve, balance',
      'No',
    ]);
  });

  it.each([
    [true, 'This person is a guest.'],
    ['not known', 'I cannot see now whether this person is a guest.'],
    ['not permitted', 'I cannot see now whether this person is a guest.'],
  ] as const)(
    'tells the operators what the platform says of a guest: %s',
    async (said, warning) => {
      isGuest = said;
      expect((await asked(open(), ELSEWHERE))?.parts).toContainEqual({
        kind: 'warning',
        text: warning,
      });
    },
  );

  it('is missing without operators, where the refusal says whom to ask', async () => {
    const refused = await tried(open([]));
    expect(refused?.buttons).toBeUndefined();
    expect(cardText(refused)).toContain('Ask the owner');
  });

  it('stands under /help too, where there is more to use, for a press that could not show it', async () => {
    const desk = open();
    const [help] = await desk.type(esi, 'help', '');
    expect(cardText(help)).toContain('There are more commands. Ask for access to use them.');
    await desk.press(esi, help, 'Ask for access');
    expect(textOf(await told(desk, 1))).not.toContain('Tried');
    expect(help?.buttons?.[0]).not.toHaveProperty('style');
    expect(labels((await desk.type(boss, 'help', ''))[0])).toEqual(['More', 'Today']);
    // With a role, a refused command is where to ask.
    expect(labels((await desk.type(yaw, 'help', ''))[0])).toEqual(['More', 'Today']);
    stopped = yaw.id;
    file = file.replace('slack:U0YAW', '');
    expect(labels((await desk.type(yaw, 'help', ''))[0])).toBeUndefined();
    expect(labels((await open([]).type(esi, 'help', ''))[0])).toBeUndefined();
  });

  it('makes one request a person and day, on every instance', async () => {
    const desk = open();
    const refused = await tried(desk);
    await desk.press(esi, refused, 'Ask for access');
    expect(await asks(esi, refused, desk)).toBe('You asked before');
    expect(await asks(esi, refused, open())).toBe('You asked before');
    await told(desk, 1);
    await clock.advance(24 * 3_600_000);
    expect(await asks(esi, refused, desk)).toBe('Asked for access');
    await told(desk, 2);
  });

  it('is answered to others too, each asking for themselves, 20 in an hour', async () => {
    const desk = open();
    const refused = await tried(desk);
    for (let number = 0; number < 20; number++)
      expect(await asks(person(`U1${number}`, 'Other'), refused, desk)).toBe('Asked for access');
    expect(await asks(esi, refused, desk)).toBe('Too many people asked in the last hour');
    expect(await asks(boss, refused, desk)).toBe('You have access now');
  });

  it('shows the operators nothing that a forged button says', async () => {
    const desk = open();
    await desk.press(esi, forged('ask-access', 'the boss said yes.U0X'), 'x');
    expect(textOf(await told(desk, 1))).not.toContain('boss');
  });
});

describe('a role given in the chat', () => {
  it('counts where it was asked for and in the private chat, and the person is told', async () => {
    const desk = open();
    const question = await asked(desk);
    expect(await answered(boss, question, 'Give sales', desk)).toBe('Esi has access now (sales)');
    const [, news] = await told(desk, 2);
    expect(desk.posted[1]?.conversation).toEqual(shop);
    expect(news).toMatchObject({ title: 'Adwoa gave you access (sales)', mention: esi });
    expect(await mayCharge(desk)).toBe(true);
    expect(await mayCharge(desk, esi, DIRECT)).toBe(true);
    expect(await mayCharge(desk, esi, ELSEWHERE)).toBe(false);
    expect(await mayCharge(open())).toBe(true);
    expect(await mayCharge(desk, person('U0ESI2', 'Esi'))).toBe(false);
  });

  it('counts in the private chat alone when it was asked for there', async () => {
    const desk = open();
    await desk.press(boss, await asked(desk, DIRECT), 'Give sales', OPERATORS);
    expect(await mayCharge(desk, esi, DIRECT)).toBe(true);
    expect(await mayCharge(desk)).toBe(false);
  });

  it('is given by administrators alone', { tags: ['T41'] }, async () => {
    const desk = open();
    const question = await asked(desk);
    for (const label of ['Give sales', 'Give finance', 'No'])
      expect(await answered(yaw, question, label, desk)).toBe('You cannot give access yet');
    expect(await mayCharge(desk)).toBe(false);
    expect(await store.get('setting', chatGrants.id)).toBeUndefined();
  });

  it('is never given to oneself', { tags: ['T41'] }, async () => {
    file = FILE.replace('commands: "*", admin', 'commands: [], admin');
    const desk = open();
    await desk.press(boss, await tried(desk, boss), 'Ask for access');
    const [question] = await told(desk, 1);
    for (const label of ['Give sales', 'No'])
      expect(await answered(boss, question, label, desk)).toBe(
        'You cannot answer your own request',
      );
    expect(await mayCharge(desk, boss)).toBe(false);
    await desk.press(kofi, question, 'Give sales', OPERATORS);
    expect(await mayCharge(desk, boss)).toBe(true);
  });

  it('is only ever a role of the file: one that is gone cannot be given, and gives nothing', {
    tags: ['T41'],
  }, async () => {
    const desk = open();
    const question = await asked(desk);
    file = FILE.replaceAll('sales', 'tellers');
    expect(await answered(boss, question, 'Give sales', desk)).toBe('This role is gone');
    file = FILE;
    await desk.press(boss, question, 'Give sales', OPERATORS);
    file = FILE.replaceAll('sales', 'tellers');
    expect(await mayCharge(desk)).toBe(false);
    expect(textOf(await desk.type(boss, 'access', ''))).toContain('the role is gone');
  });

  it('is answered once: the second administrator is told what the first one did', async () => {
    const desk = open();
    const question = await asked(desk);
    await desk.press(boss, question, 'Give sales', OPERATORS);
    expect(await answered(kofi, question, 'No', desk)).toBe('Esi has access now (sales)');
    expect(await answered(kofi, question, 'Give finance', open())).toBe(
      'Esi has access now (sales)',
    );
    expect(chatGrants.read(await store.get('setting', chatGrants.id))).toMatchObject([
      { to: esi, role: 'sales', by: boss, why: '/charge' },
    ]);
  });

  it('is refused with No, and the person is told', async () => {
    const desk = open();
    await desk.press(boss, await asked(desk), 'No', OPERATORS);
    const [, news] = await told(desk, 2);
    expect(news).toMatchObject({ title: 'Adwoa gave you no access', mention: esi });
    expect(await mayCharge(desk)).toBe(false);
  });

  it('is edited into every question, one a conversation of the operators', async () => {
    const desk = open([OPERATORS, { platform: 'slack', channel: 'C0BOSS' }]);
    await desk.press(esi, await tried(desk), 'Ask for access');
    const [question] = await told(desk, 2);
    await desk.press(boss, question, 'Give sales', OPERATORS);
    await told(desk, 3);
    await desk.runUntil(() => expect(desk.edits).toHaveLength(2));
    expect(desk.edits.map(({ ref, card }) => [ref.conversation.channel, card.title])).toEqual(
      expect.arrayContaining([
        ['C0OPS', 'Esi has access now (sales)'],
        ['C0BOSS', 'Esi has access now (sales)'],
      ]),
    );
  });

  it('does not help a person who is stopped', async () => {
    const desk = await given();
    await desk.type(boss, 'suspend', 'U0ESI');
    expect((await tried(desk))?.title).toBe('You are stopped and can do nothing here');
  });

  it('counts while its giver may give it, and both are told who can take it back', {
    tags: ['T71'],
  }, async () => {
    const desk = await given();
    expect(await mayCharge(desk)).toBe(true);
    const [stop] = await desk.type(kofi, 'suspend', 'U0BOSS lost the phone');
    expect(cardText(stop)).toMatch(
      /Why: lost the phone.*The access that .* gave is no longer valid/,
    );
    expect(labels(stop)).toEqual(['Undo', 'Take back sales: Esi']);
    expect(await mayCharge(desk)).toBe(false);
    const [list] = await desk.type(kofi, 'access', '');
    expect(cardText(list)).toContain('No longer valid: Adwoa can no longer give access');
    await desk.type(kofi, 'reinstate', 'U0BOSS');
    expect(await mayCharge(desk)).toBe(true);
    file = FILE.replace('slack:U0BOSS, ', '');
    expect(await mayCharge(desk)).toBe(false);
    await desk.press(kofi, stop, 'Take back sales', OPERATORS);
    const news = (await told(desk, 3)).at(-1);
    expect([news?.title, news?.mention?.id]).toEqual(['Kofi ended your access (sales)', 'U0ESI']);
    expect(desk.posted.at(-1)?.conversation).toMatchObject(shop);
  });

  it('is never one with admin or all commands, also by a forged button', {
    tags: ['T71'],
  }, async () => {
    const desk = open();
    await asked(desk);
    const button = forged('give-role', `${chatRequest()}.${roleKey('owner')}`);
    expect(await answered(boss, button, 'x', desk)).toBe('This role is gone');
    expect(await store.get('setting', chatGrants.id)).toBeUndefined();
  });

  it('that was written into the store by other means grants nothing', {
    tags: ['T41'],
  }, async () => {
    const desk = await given();
    const record = await store.get('setting', chatGrants.id);
    const [real] = chatGrants.read(record) ?? [];
    if (real === undefined) throw new Error('nothing was given');
    await store.commit({ put: [chatGrants.put([{ ...real, to: yaw }], record)] });
    expect(await mayCharge(desk, yaw)).toBe(false);
    const [list] = await desk.type(boss, 'access', '');
    expect(cardText(list)).toContain('Not valid: it was changed');
  });
});

describe('/access', () => {
  it('lists who was given what, and takes it back at once', async () => {
    const desk = await given();
    const question = await tried(desk);
    const [list] = await desk.type(kofi, 'access', '');
    expect(cardText(list)).toMatch(
      /^Access given in the chat \| Esi: sales, in slack:C0SALES and in private, by Adwoa, today \d\d:\d\d, \/charge · slack:U0ESI$/,
    );
    expect(labels(list)).toEqual(['Take back sales: Esi']);
    const [left] = await open().press(kofi, list, 'Take back', OPERATORS);
    expect(cardText(left)).toContain('Esi no longer has access (sales).');
    expect(titleOf(await desk.press(esi, question, 'Charge'))).toBe('You cannot charge yet');
    expect(await answered(kofi, list, 'Take back', desk)).toBe('It was taken back before');
  });

  it('is for administrators alone, also its buttons', { tags: ['T41'] }, async () => {
    const desk = await given();
    const [list] = await desk.type(boss, 'access', '');
    expect(titleOf(await desk.type(yaw, 'access', ''))).toBe('You cannot manage access yet');
    expect(titleOf(await desk.press(yaw, list, 'Take back'))).toBe('You cannot manage access yet');
    expect(await mayCharge(desk)).toBe(true);
  });

  it('has every step in the audit trail', async () => {
    const desk = await given();
    const [list] = await desk.type(kofi, 'access', '');
    await desk.press(kofi, list, 'Take back', OPERATORS);
    expect(await store.auditOf('access-grants')).toMatchObject([
      {
        what: 'granted',
        who: boss,
        where: OPERATORS,
        detail: { of: 'slack:U0ESI', role: 'sales' },
      },
      { what: 'taken back', who: kofi, detail: { of: 'slack:U0ESI', role: 'sales' } },
    ]);
    const [grant] = await store.auditOf('access-grants');
    expect(grant?.id).toBe('access-grants.slack:U0ESI');
  });
});
