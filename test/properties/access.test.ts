import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { platforms } from '../../src/bots/all-platforms.ts';
import { readAccessFile } from '../../src/commands/access/access-file.ts';
import { RIGHTS } from '../../src/commands/all-commands.ts';
import { grantable } from '../../src/commands/command-rights.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';

/** Ids as platforms write them, and whom each names. */
const MEMBERS = [
  ['slack:U024BE7LH', 'person'],
  ['slack:W012A3CDE', 'person'],
  ['slack:C0SALES', 'place'],
  ['slack:D0SALES', 'place'],
  ['slack:S0614TZR7', 'group'],
  ['telegram:123456789', 'person'],
  ['telegram:-1001234567890', 'place'],
  ['terminal:ama', 'person'],
] as const;

const name = fc.constantFrom('sales', 'finance', 'Kasse 1', 'boss', 'constructor', 'toString', '7');
const role = fc.record(
  {
    commands: fc.oneof(fc.constant('*' as const), fc.subarray([...grantable(RIGHTS)])),
    maxCharge: fc.constantFrom('500 GHS', '1,200.50', 'GHS 5', '10 cedis', 500, 12.5),
    dailyLimit: fc.constantFrom('5000 GHS', 5000),
    approve: fc.boolean(),
  },
  { requiredKeys: [] },
);
const file = fc.dictionary(name, role, { minKeys: 1, maxKeys: 4 }).chain((roles) =>
  fc.record({
    roles: fc.constant(roles),
    members: fc.dictionary(
      fc.constantFrom(...Object.keys(roles)),
      fc.oneof(fc.subarray(MEMBERS.map(([id]) => id)), fc.constant(null)),
    ),
  }),
);
/** The same in the ways in which people and programs write YAML. */
const written = fc
  .tuple(file, fc.constantFrom('block', 'flow', 'json'))
  .map(([content, style]) => ({
    content,
    text:
      style === 'json'
        ? JSON.stringify(content)
        : stringify(content, style === 'flow' ? { collectionStyle: 'flow' } : {}),
  }));

/** Minor units of the amounts above. */
const LIMITS: Readonly<Record<string, number>> = {
  '500 GHS': 50_000,
  '1,200.50': 120_050,
  'GHS 5': 500,
  '10 cedis': 1_000,
  500: 50_000,
  12.5: 1_250,
  '5000 GHS': 500_000,
  5000: 500_000,
};
const limitOf = (written: string | number | undefined) =>
  written === undefined ? {} : { amountMinor: LIMITS[written], currency: 'GHS' };

describe('an access file', () => {
  it('grants exactly what it says', () =>
    check(
      fc.property(written, ({ content, text }) => {
        const read = readAccessFile(text, { currency: 'GHS', platforms, rights: RIGHTS });
        if (!read.ok) return expect.fail(read.problems.join('; '));
        expect(read.roles.map((each) => each.name).sort()).toEqual(
          Object.keys(content.roles).sort(),
        );
        for (const each of read.roles) {
          const said = content.roles[each.name];
          const granted = each.commands === '*' ? '*' : [...each.commands].sort();
          expect(granted).toEqual(
            said?.commands === '*' ? '*' : [...(said?.commands ?? [])].sort(),
          );
          expect(each.approve).toBe(said?.approve ?? false);
          expect(each.maxCharge ?? {}).toEqual(limitOf(said?.maxCharge));
          expect(each.dailyLimit ?? {}).toEqual(limitOf(said?.dailyLimit));
          const members = each.members.map(({ platform, kind, id }) => [`${platform}:${id}`, kind]);
          const named = Object.hasOwn(content.members, each.name) ? content.members[each.name] : [];
          expect(members).toEqual(
            MEMBERS.filter(([id]) => named?.includes(id)).map((member) => [...member]),
          );
        }
      }),
      1_000,
    ));

  it('with one mistake in it is refused as a whole, and says where', () => {
    const mistake = fc.constantFrom<(text: string) => string>(
      (text) => `${text}\nextra: 1\n`,
      (text) => text.replace(/^roles:/m, 'role:'),
      (text) => text.replace(/^members:/m, 'member:'),
      (text) => text.replace(/^roles:/m, 'roles:\n  x: { commands: [repay] }'),
      (text) => text.replace(/^roles:/m, 'roles:\n  x: { maxCharge: a lot }'),
      (text) => text.replace(/^roles:/m, 'roles:\n  x: { maxCharge: -5 }'),
      (text) => text.replace(/^roles:/m, 'roles:\n  x: { approve: yes }'),
      (text) => text.replace(/^roles:/m, 'roles:\n  x: { command: [charge] }'),
      (text) => text.replace(/^roles:/m, 'roles:\n  x: { maxCharge: 1 USD, dailyLimit: 2 EUR }'),
      (text) => text.replace(/^members:/m, 'members:\n  nobody: [slack:U024BE7LH]'),
      (text) => text.replace(/^roles:/m, 'roles:\n  x: {}\n  x: {}'),
      (text) => `${text}\n---\nroles: {}\n`,
      (text) => text.replace(/^roles:/m, 'roles: *all\nroles:'),
      (text) => `\t${text}`,
    );
    return check(
      fc.property(file, mistake, (content, wrong) => {
        const text = stringify({ roles: content.roles, members: content.members }).replace(
          /^(roles|members): \{\}$/m,
          '$1:',
        );
        const read = readAccessFile(wrong(text), { currency: 'GHS', platforms, rights: RIGHTS });
        expect(read.ok).toBe(false);
        if (!read.ok) expect(read.problems.every((problem) => problem.length > 0)).toBe(true);
      }),
      1_000,
    );
  });

  it('takes no id that is not written exactly as the platform writes it', () => {
    const id = fc.oneof(
      hostileText,
      fc.constantFrom('slack:u024be7lh', 'slack:U024BE7LH ', 'Slack:U024BE7LH', 'slack:*', '*'),
      fc.constantFrom(
        'telegram:0123',
        'telegram:1e9',
        'telegram:@boss',
        'slack:@ama',
        'slack:U1\n',
        ':U1',
      ),
    );
    const exact = /^(slack:[UWCGDS][A-Z0-9]+|telegram:-?[1-9]\d*|terminal:[\w.-]+)$/;
    return check(
      fc.property(id, (text) => {
        const content = { roles: { sales: { commands: '*' } }, members: { sales: [text] } };
        const read = readAccessFile(JSON.stringify(content), {
          currency: 'GHS',
          platforms,
          rights: RIGHTS,
        });
        expect(read.ok).toBe(exact.test(text) && !text.endsWith('\n'));
      }),
      1_000,
    );
  });

  it('is read or refused, whatever it holds, and grants no command that is not in its text', () => {
    const yaml = fc.oneof(
      hostileText,
      fc.json(),
      fc
        .array(
          fc.constantFrom(
            ...[
              'roles:',
              '  sales:',
              '    commands: [charge]',
              '    commands: "*"',
              '    approve: true',
            ],
            ...[
              'members:',
              '  sales: [slack:U1]',
              '  sales: &a [slack:U1]',
              '  finance: *a',
              '  <<: *a',
            ],
            ...[
              '? [roles]',
              '- x',
              '{',
              ']',
              '!!js/function x',
              '!!set {a}',
              '%YAML 1.1',
              '---',
              '...',
            ],
            ...[
              '  __proto__: {commands: ["*"]}',
              '  constructor: {commands: ["*"]}',
              '  null: {}',
              '  : {}',
            ],
            ...['a: &a [x,x]', 'b: &b [*a,*a]', '  1: {}', '  "1": {}', '# charge', '\t', '\u0000'],
          ),
          { maxLength: 9 },
        )
        .map((lines) => lines.join('\n')),
      fc
        .tuple(written, fc.nat(200), hostileText)
        .map(([{ text }, at, other]) => text.slice(0, at) + other + text.slice(at)),
    );
    return check(
      fc.property(yaml, (text) => {
        const read = readAccessFile(text, { currency: 'GHS', platforms, rights: RIGHTS });
        if (!read.ok) {
          expect(read.problems.length).toBeGreaterThan(0);
          return;
        }
        for (const { commands, members, approve } of read.roles) {
          const said = commands === '*' ? ['*'] : [...commands];
          for (const command of said) expect(text).toContain(command);
          if (approve) expect(text).toMatch(/approve/);
          for (const { id } of members) expect(text).toContain(id);
        }
      }),
      2_500,
    );
  });
});
