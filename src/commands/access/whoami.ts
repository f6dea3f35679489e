import { formatMoney } from '../../core/values/money.ts';
import { cardOf, type Fact, part } from '../cards/card.ts';
import type { Command, CommandRecord, Context } from '../command.ts';
import { idsOf, WITHHELD } from './denial.ts';
import type { Grants } from './grants.ts';

/** `/whoami`: the caller's ids, to be granted in the access file, and what is granted. */
export const whoamiCommand = (commands: () => readonly Command[]): CommandRecord => ({
  summary: 'See your id and what you may do',
  deed: 'see your id',
  usage: '',
  examples: [''],
  run: async (_words, { caller, grants, surface }: Context) => {
    const { withheld } = grants;
    const names = commands().map(({ name }) => name);
    await surface.say(
      cardOf(`You: ${caller.name} · ${rolesText(grants)}`, [
        part.facts(...grantFacts(grants, names)),
        withheld === undefined ? undefined : part.text(WITHHELD[withheld]),
        part.facts(...idsOf(caller)),
      ]),
    );
  },
});

export const rolesText = ({ roles }: Pick<Grants, 'roles'>): string =>
  roles.length === 0 ? 'no role' : roles.join(', ');

/** What a person may do, of the commands in `names`. */
export const grantFacts = (grants: Grants, names: readonly string[]): Fact[] => {
  const { maxCharge, dailyLimit, charging, dailySms, suspended } = grants;
  const may = names.filter((name) => grants.may(name)).map((name) => `/${name}`);
  const total = charging.find(({ dailyTotal }) => dailyTotal !== undefined)?.dailyTotal;
  const stopped = suspended && `by ${suspended.by.name}, so no command works`;
  const limits: readonly (readonly [label: string, value: string | false | undefined])[] = [
    ['One charge up to', maxCharge && formatMoney(maxCharge)],
    ['In a day up to', dailyLimit && formatMoney(dailyLimit)],
    ['All with your role, in a day up to', total && formatMoney(total)],
    ['SMS in a day', dailySms?.toString()],
    ['May approve', grants.approve && 'charges that others ask for'],
    ['May write down', grants.may('refund') && 'what was given back'],
    ['May show', grants.reveal && 'full numbers and names of customers'],
    ['Administrator', grants.admin && 'may use /access, /notify, /suspend and /reinstate'],
    ['Stopped', stopped],
  ];
  return [
    {
      label: 'May use',
      value: may.join(', ') || '/help and /whoami only',
      namesCommands: true,
    },
    ...limits.flatMap(([label, value]) => (value ? [{ label, value }] : [])),
  ];
};
