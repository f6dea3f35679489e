import fc from 'fast-check';
import { expect, it } from 'vitest';
import { platforms } from '../../src/bots/all-platforms.ts';
import { readAccessFile } from '../../src/commands/access/access-file.ts';
import { roleKey } from '../../src/commands/access/access-request-cards.ts';
import { grantsFrom, isGivable } from '../../src/commands/access/grants.ts';
import { RIGHTS } from '../../src/commands/all-commands.ts';
import { chatGrants } from '../../src/core/records/access-grants.ts';
import { startOfDayMs } from '../../src/core/values/calendar-day.ts';
import { shortIdFrom } from '../../src/core/values/transaction-id.ts';
import { shop } from '../support/a-payment.ts';
import { check } from '../support/check.ts';
import { openDesk } from '../support/desk.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStore } from '../support/open-store.ts';

const BOSSES = ['U0BOSS1', 'U0BOSS2'] as const;
const STAFF = ['U0ESI', 'U0YAW'] as const;
const OPERATORS = { platform: 'slack', channel: 'C0OPS' };
const ROOT = 'U0ROOT';
const ZONE = 'Africa/Accra';
const DAY_MS = 24 * 3_600_000;

const boss = fc.constantFrom(...BOSSES);
const staff = fc.constantFrom(...STAFF);
/** What happens to rights, in any order: by the first administrator, whom nothing happens to, unless it says by whom. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('give' as const),
    by: boss,
    to: staff,
    role: fc.constantFrom('sales', 'sales', 'owner', 'all'),
  }),
  fc.record({ kind: fc.constant('take back' as const), to: staff }),
  fc.record({ kind: fc.constantFrom('suspend', 'reinstate'), who: fc.oneof(boss, staff) } as const),
  fc.record({ kind: fc.constantFrom('leave the file', 'come back'), who: boss } as const),
);

const person = (id: string) => ({ platform: 'slack', id, name: id });

it('a role given in a chat counts while its giver may give it, in any order of giving, stopping, removing and taking back', {
  tags: ['T71'],
}, async () => {
  const orders = fc.array(step, { minLength: 4, maxLength: 25 });
  const property = fc.asyncProperty(orders, async (steps) => {
    const inFile = new Set<string>([ROOT, ...BOSSES]);
    const rolesNow = () => {
      const text = `
roles: { sales: { commands: [charge] }, owner: { commands: "*", admin: true }, all: { commands: "*" } }
members: { owner: [${[...inFile].map((id) => `slack:${id}`).join(', ')}] }
`;
      const read = readAccessFile(text, { currency: 'GHS', platforms, rights: RIGHTS });
      if (!read.ok) throw new Error(read.problems.join());
      return read.roles;
    };
    const clock = new ManualClock();
    const store = await openStore();
    const desk = openDesk(store, clock, undefined, undefined, undefined, {
      operators: [OPERATORS],
      access: {
        grantsOf: async ({ id }, given = []) =>
          grantsFrom(
            rolesNow().filter(
              (role) =>
                (given.includes(role.name) && isGivable(role)) ||
                role.members.some((member) => member.id === id),
            ),
            'slack',
            RIGHTS,
          ),
        givableRoles: () =>
          rolesNow()
            .filter(isGivable)
            .map(({ name }) => ({ name, grants: '' })),
      },
    });
    const stopped = new Set<string>();
    /** By whom they hold a role. */
    const given = new Map<string, string>();
    const press = (who: string, verb: string, id: string, where = OPERATORS) =>
      desk.press(
        person(who),
        { title: '', parts: [], buttons: [{ kind: 'press', label: verb, verb, id }] },
        verb,
        where,
      );
    const mayGive = (id: string) => inFile.has(id) && !stopped.has(id);
    const mayNow = (id: string): boolean => {
      const giver = given.get(id);
      return giver !== undefined && mayGive(giver) && !stopped.has(id);
    };
    for (const each of steps) {
      switch (each.kind) {
        case 'give': {
          clock.jump(DAY_MS);
          const has = mayNow(each.to);
          await press(each.to, 'ask-access', 'charge', shop);
          const request = shortIdFrom(`slack:${each.to} ${startOfDayMs(clock.now(), ZONE)}`);
          await press(each.by, 'give-role', `${request}.${roleKey(each.role)}`);
          const isGiven = !has && !stopped.has(each.to) && mayGive(each.by);
          if (isGiven && each.role === 'sales') given.set(each.to, each.by);
          break;
        }
        case 'take back': {
          const grants = chatGrants.read(await store.get('setting', chatGrants.id)) ?? [];
          for (const { id, to } of grants)
            if (to.id === each.to) await press(ROOT, 'take-back', id);
          given.delete(each.to);
          break;
        }
        case 'suspend':
          await desk.type(person(ROOT), 'suspend', each.who);
          stopped.add(each.who);
          break;
        case 'reinstate':
          await desk.type(person(ROOT), 'reinstate', each.who);
          stopped.delete(each.who);
          break;
        case 'leave the file':
          inFile.delete(each.who);
          break;
        default:
          inFile.add(each.who);
      }
      for (const id of STAFF) {
        const [answer] = await desk.type(person(id), 'charge', '', undefined, shop);
        expect(answer === undefined || !/cannot charge|stopped/.test(answer.title), id).toBe(
          mayNow(id),
        );
      }
    }
  });
  await check(property, 60);
});
