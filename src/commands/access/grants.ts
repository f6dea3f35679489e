import type { Suspension } from '../../core/records/stored-values.ts';
import { defined } from '../../core/runtime/defined.ts';
import { compareMoney, formatMoney, type Money } from '../../core/values/money.ts';
import type { Rights } from '../command-rights.ts';
import type { Role } from './access-file.ts';
import type { GivableRole } from './access-request-cards.ts';
import type { Withheld } from './role-membership.ts';

/** What one person may do, here and now. */
export type Grants = {
  /** Names of the roles held, for `/whoami`. */
  readonly roles: readonly string[];
  /** Whether a command is granted, by its name without slash. */
  may(command: string): boolean;
  /** Above it an approver must confirm as well; absent: no limit. */
  readonly maxCharge?: Money;
  /** Absent: no limit. */
  readonly dailyLimit?: Money;
  /** The roles that grant charges, each with what all its holders may charge in a day together; absent there: no limit. */
  readonly charging: readonly { readonly role: string; readonly dailyTotal?: Money }[];
  /** The limits of charges by file; absent: those of charges one by one. */
  readonly ofFiles?: ChargeLimits;
  /** The limits of what is given back; absent: those of charges one by one. */
  readonly ofRefunds?: ChargeLimits;
  /** SMS parts in a day; absent: no limit. */
  readonly dailySms?: number;
  /** May approve what others request. */
  readonly approve: boolean;
  /** The channel where their charges are approved; absent: where they were typed. */
  readonly approvalsIn?: string;
  /** May suspend people and take that back. */
  readonly admin: boolean;
  /** May see whole numbers and names of customers where they are shortened. */
  readonly reveal: boolean;
  /** Present: the person is suspended, and nothing is granted. */
  readonly suspended?: Suspension;
  /** A role that would be held through a channel or a group, and why it is not. */
  readonly withheld?: Withheld;
};

export type ChargeLimits = Pick<Grants, 'maxCharge' | 'dailyLimit' | 'charging' | 'approvalsIn'>;

/** The grants with other limits in the place of those of charges one by one. */
export const limitedBy =
  (of: 'ofFiles' | 'ofRefunds') =>
  (grants: Grants): Grants => {
    const limits = grants[of];
    if (limits === undefined) return grants;
    const { maxCharge: _, dailyLimit: __, approvalsIn: ___, ...rest } = grants;
    return { ...rest, ...limits };
  };

export const grantsOfFiles = limitedBy('ofFiles');

/** What a local platform's user may do without an access file: that person started the program. */
export const EVERYTHING: Grants = {
  roles: ['everything'],
  may: () => true,
  charging: [{ role: 'everything' }],
  approve: true,
  admin: true,
  reveal: true,
};

/** The union of what roles grant, for a person on a platform. */
export const grantsFrom = (roles: readonly Role[], platform: string, rights: Rights): Grants => {
  const grants = ({ commands, admin }: Role, command: string): boolean => {
    const right = rights.get(command);
    if (right === 'administrators') return admin;
    return right === 'holders' || commands === '*' || commands.has(command);
  };
  const limitsOf = (command: string): ChargeLimits => {
    const charging = roles.filter((role) => grants(role, command));
    const most = (of: (role: Role) => Money | undefined) =>
      mostGenerous(charging.map(of), compareMoney);
    const places = charging.flatMap(({ approvals }) => approvals);
    return {
      charging: charging.map(({ name: role, dailyTotal }) => ({
        role,
        ...defined({ dailyTotal }),
      })),
      ...defined({
        maxCharge: most((role) => role.maxCharge),
        dailyLimit: most((role) => role.dailyLimit),
        approvalsIn: places.find((place) => place.platform === platform)?.id,
      }),
    };
  };
  const smsLimits = roles.filter((role) => grants(role, 'sms')).map(({ dailySms }) => dailySms);
  return {
    roles: roles.map((role) => role.name),
    may: (command) =>
      rights.get(command) === 'everyone' || roles.some((role) => grants(role, command)),
    ...limitsOf('charge'),
    ofFiles: limitsOf('bulk'),
    ofRefunds: limitsOf('refund'),
    approve: roles.some((role) => role.approve),
    admin: roles.some((role) => role.admin),
    reveal: roles.some((role) => role.reveal),
    ...defined({ dailySms: mostGenerous(smsLimits, (one, other) => one - other) }),
  };
};

/** The holder of such a role could give all others, so it comes from the file alone. */
export const isGivable = ({ admin, commands }: Role): boolean => !admin && commands !== '*';

export const givable = (roles: readonly Role[], rights: Rights): GivableRole[] =>
  roles.filter(isGivable).map((role) => ({
    name: role.name,
    grants: deedsText(grantsFrom([role], '', rights), rights),
  }));

/** What matters most, in some words: `charge up to GHS 500.00, approve and more`. */
const deedsText = ({ may, maxCharge, approve }: Grants, rights: Rights): string => {
  const limit = maxCharge === undefined ? '' : ` up to ${formatMoney(maxCharge)}`;
  const others = [...rights]
    .filter(
      ([command, right]) =>
        command !== 'charge' && right !== 'holders' && right !== 'everyone' && may(command),
    )
    .map(([command]) => command);
  const deeds = [
    ...(may('charge') ? [`charge${limit}`] : []),
    ...(approve ? ['approve'] : []),
    ...others,
  ];
  return `${deeds.slice(0, 2).join(', ') || 'nothing'}${deeds.length > 2 ? ' and more' : ''}`;
};

/** No limit beats any limit. All amounts of a file are in one currency. */
const mostGenerous = <Limit>(
  limits: readonly (Limit | undefined)[],
  compare: (one: Limit, other: Limit) => number,
): Limit | undefined => {
  const known = limits.filter((limit) => limit !== undefined);
  return known.length < limits.length ? undefined : known.sort(compare).at(-1);
};
