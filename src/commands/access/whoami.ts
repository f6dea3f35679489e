import { formatMoney } from '../../core/values/money.ts';
import type { Fact } from '../cards/card.ts';
import type { Command, Context } from '../command.ts';
import type { Grants } from './access.ts';
import { idsOf, withheldText } from './denial.ts';

/** `/whoami`: the caller's ids, to be granted in the access file, and what is granted. */
export const whoamiCommand = (names: () => readonly string[]): Command => ({
  name: 'whoami',
  summary: 'See your id and what you may do',
  deed: 'see your id',
  usage: '',
  examples: [''],
  run: async (_words, { caller, grants, surface }: Context) => {
    const facts = [{ label: 'Name', value: caller.name }, ...grantFacts(grants, names())];
    await surface.say({
      title: 'Who you are here',
      parts: [
        { kind: 'facts', facts },
        ...(grants.withheld === undefined
          ? []
          : [{ kind: 'text', text: withheldText(grants.withheld) } as const]),
        { kind: 'facts', facts: idsOf(caller) },
      ],
    });
  },
});

/** What a person may do, of the commands in `names`. */
export const grantFacts = (grants: Grants, names: readonly string[]): Fact[] => {
  const may = names.filter((name) => grants.may(name));
  const facts: Fact[] = [
    { label: 'Roles', value: grants.roles.join(', ') || 'none' },
    {
      label: 'May use',
      value: may.map((name) => `/${name}`).join(', ') || '/help and /whoami only',
      namesCommands: true,
    },
  ];
  if (grants.maxCharge !== undefined)
    facts.push({ label: 'One charge up to', value: formatMoney(grants.maxCharge) });
  if (grants.dailyLimit !== undefined)
    facts.push({ label: 'In a day up to', value: formatMoney(grants.dailyLimit) });
  const total = grants.charging.find(({ dailyTotal }) => dailyTotal !== undefined)?.dailyTotal;
  if (total !== undefined)
    facts.push({ label: 'All with your role, in a day up to', value: formatMoney(total) });
  if (grants.dailySms !== undefined)
    facts.push({ label: 'SMS in a day', value: String(grants.dailySms) });
  if (grants.approve) facts.push({ label: 'May approve', value: 'charges that others ask for' });
  if (grants.reveal)
    facts.push({ label: 'May show', value: 'full numbers and names of customers' });
  if (grants.admin)
    facts.push({ label: 'Administrator', value: 'may use /suspend and /reinstate' });
  if (grants.suspended !== undefined)
    facts.push({
      label: 'Stopped',
      value: `by ${grants.suspended.by.name}, so no command works`,
    });
  return facts;
};
