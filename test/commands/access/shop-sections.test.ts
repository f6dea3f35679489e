import { describe, expect, it } from 'vitest';
import { platforms } from '../../../src/bots/all-platforms.ts';
import { readAccessFile } from '../../../src/commands/access/access-file.ts';
import { RIGHTS } from '../../../src/commands/all-commands.ts';
import { branchOf } from '../../../src/core/records/branches.ts';
import { ama, aPayment } from '../../support/a-payment.ts';

const read = (sections: string) =>
  readAccessFile(`roles: {}\n${sections}`, { currency: 'GHS', platforms, rights: RIGHTS });
const rules = (sections: string) => {
  const found = read(sections);
  if (!found.ok) throw new Error(found.problems.join('\n'));
  return found;
};
const problems = (sections: string): readonly string[] => {
  const found = read(sections);
  return found.ok ? [] : found.problems;
};

/** As the contract has it. */
const CONTRACT = `
branches:
  Osu: { conversations: [slack:C0OSU], members: [telegram:123456789] }
notify:
  slack:C0SALES: problems                       # all (default): every outcome is told under its card
  slack:C0FINANCE: { completed: from 500 GHS, failed: all, branch: Osu }   # also told here
`;

describe('branches and notify of the access file', () => {
  it('are read as the contract writes them', () => {
    expect(rules(CONTRACT)).toMatchObject({
      branches: [{ name: 'Osu', conversations: ['slack:C0OSU'], members: ['telegram:123456789'] }],
      notify: [
        { place: { platform: 'slack', channel: 'C0SALES' }, level: 'problems' },
        {
          place: { platform: 'slack', channel: 'C0FINANCE' },
          mirror: {
            states: { completed: { amountMinor: 50_000, currency: 'GHS' }, failed: 'all' },
            branch: 'Osu',
          },
        },
      ],
    });
  });

  it('may be missing or empty', () => {
    for (const sections of ['', 'notify:\nbranches:\n', 'notify: {}\n'])
      expect(rules(sections)).toMatchObject({ branches: [], notify: [] });
  });

  it('take the private chat with a person as a conversation, and not-sent payments and a requester as a rule', () => {
    expect(rules('notify:\n  telegram:5: { not sent: all, person: slack:U0AMA }\n').notify).toEqual(
      [
        {
          place: { platform: 'telegram', channel: '5' },
          mirror: { states: { 'not sent': 'all' }, person: 'slack:U0AMA' },
        },
      ],
    );
  });

  it.each([
    ['notify:\n  slack:C0A: sometimes\n', 'line 3, notify.slack:C0A: Expected all, problems, none'],
    ['notify:\n  sales: all\n', 'line 3, notify.sales: "sales" is not a conversation such as'],
    ['notify:\n  slack:S0GROUP: all\n', '"slack:S0GROUP" is not a conversation such as'],
    ['notify:\n  slack:C0A: {}\n', 'Name a state, such as completed: all.'],
    ['notify:\n  slack:C0A: { branch: Osu }\nbranches: { Osu: {} }\n', 'Name a state'],
    [
      'notify:\n  slack:C0A: { complete: all }\n',
      'There is nothing called "complete" here, only pending,',
    ],
    [
      'notify:\n  slack:C0A: { completed: 500 }\n',
      'slack:C0A.completed: Expected all, or an amount such as from 500 GHS.',
    ],
    [
      'notify:\n  slack:C0A: { completed: above 500 }\n',
      'Expected all, or an amount such as from 500 GHS.',
    ],
    ['notify:\n  slack:C0A: { completed: from much }\n', 'line 3, notify.slack:C0A.completed: '],
    [
      'notify:\n  slack:C0A: { failed: all, branch: Tema }\n',
      'There is no branch "Tema" under branches.',
    ],
    ['notify:\n  slack:C0A: { failed: all, person: Ama }\n', '"Ama" is not a person such as'],
    [
      'branches:\n  Osu: { places: [] }\n',
      'There is nothing called "places" here, only conversations and members.',
    ],
    ['branches:\n  Osu: { conversations: [osu] }\n', '"osu" is not a conversation such as'],
    ['branches:\n  Osu: { members: [slack:C0OSU] }\n', '"slack:C0OSU" is not a person such as'],
    [
      'branches:\n  Osu: { members: [slack:U0A] }\n  Tema: { members: [slack:U0A] }\n',
      'line 4, branches.Tema: Tema and Osu both have the person slack:U0A.',
    ],
    ['branches: [Osu]\n', 'line 2, branches: Expected names of branches'],
  ])('name a mistake with its place: %j', (sections, message) => {
    expect(problems(sections).join('\n')).toContain(message);
  });
});

describe('the branch of a payment', () => {
  const branches = [
    { name: 'Osu', conversations: ['slack:C0OSU'], members: ['slack:U0KOJO'] },
    { name: 'Tema', conversations: ['slack:C0TEMA'], members: ['slack:U0AMA'] },
  ];
  const inChannel = (channel: string, id = ama.id) =>
    aPayment({ conversation: { platform: 'slack', channel }, requester: { ...ama, id } });

  it("is its conversation's, else its requester's, else none", () => {
    expect(branchOf(branches, inChannel('C0OSU'))).toBe('Osu');
    expect(branchOf(branches, inChannel('C0ELSE'))).toBe('Tema');
    expect(branchOf(branches, inChannel('C0ELSE', 'U0X'))).toBeUndefined();
    expect(
      branchOf(branches, { ...inChannel('C0ELSE'), requester: { ...ama, platform: 'telegram' } }),
    ).toBeUndefined();
  });
});
