import type { Suspensions } from '../../core/guards/suspensions.ts';
import { NO_RULES, type ToldRules } from '../../core/records/notify-rules.ts';
import type { Suspension } from '../../core/records/settings.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { defined } from '../../core/runtime/defined.ts';
import { EX_CONFIG, StartError } from '../../core/runtime/errors.ts';
import { type FileText, pollFile, readFileText } from '../../core/runtime/poll-file.ts';
import { compareMoney, formatMoney, type Money } from '../../core/values/money.ts';
import { notRight } from '../../core/values/yaml-text.ts';
import type { Rights } from '../command-rights.ts';
import type { Caller } from '../inbound.ts';
import {
  type AccessRules,
  type Member,
  type Reading,
  type Role,
  readAccessFile,
} from './access-file.ts';
import type { GivableRole } from './access-request-cards.ts';
import { type MembershipQuestions, membershipAnswers } from './membership-answers.ts';
import {
  membershipOf,
  type PlatformDirectory,
  type Unanswered,
  type Withheld,
} from './role-membership.ts';

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

/** With the limits of charges by file in the place of those one by one. */
export const grantsOfFiles = (grants: Grants): Grants => {
  if (grants.ofFiles === undefined) return grants;
  const { maxCharge: _, dailyLimit: __, approvalsIn: ___, ...rest } = grants;
  return { ...rest, ...grants.ofFiles };
};

/** What is wrong with the access file, one line each; empty: it is right again. */
export type OnTrouble = (problems: readonly string[]) => void;

/** What a local platform's user may do without an access file: that person started the program. */
const EVERYTHING: Grants = {
  roles: ['everything'],
  may: () => true,
  charging: [{ role: 'everything' }],
  approve: true,
  admin: true,
  reveal: true,
};

type Options = Reading &
  MembershipQuestions & {
    readonly file: string;
    /** Told when a change leaves the old rules in force, and when a later one is taken. */
    readonly onTrouble?: OnTrouble;
    /** Told once other rules are in force. */
    readonly onChange?: () => void;
    readonly clock: Clock;
  };

/** The access file, read again when it changes. What it does not grant is denied. */
export class Access {
  readonly #options: Options;
  readonly #membershipsOf: (caller: Caller) => PlatformDirectory;
  #isBroken = false;
  /** Undefined: there is no access file. */
  #rules: AccessRules | undefined;
  readonly #stopWatching: () => Promise<void>;

  private constructor(options: Options, known: FileText) {
    this.#options = options;
    this.#membershipsOf = membershipAnswers(options);
    const { file, clock, log } = options;
    this.#rules = this.#rulesAtStart(known);
    if (this.#rules === undefined)
      log.warn({ file }, 'there is no access file: only the terminal chat may do anything');
    const onChange = (now: FileText) => this.#change(now);
    this.#stopWatching = pollFile({ file, known, clock, onChange });
  }

  /** @throws {StartError} when there is a file and it cannot be read or has mistakes. */
  static async open(options: Options): Promise<Access> {
    return new Access(options, await readFileText(options.file));
  }

  /**
   * Evaluated at each call, by ids alone. Never rejects: membership that cannot be looked up grants nothing.
   * @param given names of roles that the caller holds beside the file; a name that is no role of it grants nothing
   */
  async grantsOf(caller: Caller, given: readonly string[] = []): Promise<Grants> {
    const roles = this.#rules?.roles;
    const { rights } = this.#options;
    if (roles === undefined)
      return this.#isLocal(caller) ? EVERYTHING : grantsFrom([], caller.platform, rights);
    const platform = this.#membershipsOf(caller);
    const memberships = await Promise.all(
      roles.map((role) => membershipOf(role, caller, platform)),
    );
    const held = roles.filter(
      (role, index) =>
        memberships[index]?.kind === 'held' || (given.includes(role.name) && isGivable(role)),
    );
    const withheld = memberships.find((membership) => membership.kind === 'withheld')?.why;
    return { ...grantsFrom(held, caller.platform, rights), ...defined({ withheld }) };
  }

  /** Whether the platform calls a person less than a full member, or why it does not say. */
  isGuest(caller: Caller): Promise<boolean | Unanswered> {
    return this.#membershipsOf(caller).isGuest();
  }

  #isLocal({ platform }: Caller): boolean {
    return this.#options.platforms.some(({ name, isLocal }) => name === platform && isLocal);
  }

  /** The roles that can be given in a chat, in the order of the file; empty without a file. */
  givableRoles(): readonly GivableRole[] {
    return givable(this.#rules?.roles ?? [], this.#options.rights);
  }

  toldRules(): ToldRules {
    return this.#rules ?? NO_RULES;
  }

  /** The entries of a platform under the roles that may approve. */
  approvers(platform: string): readonly Member[] {
    const members = (this.#rules?.roles ?? [])
      .filter(({ approve }) => approve)
      .flatMap((role) => role.members)
      .filter((member) => member.platform === platform);
    return [...new Map(members.map((member) => [member.id, member])).values()];
  }

  /** The people among them, those in user groups included, as far as the platform tells them. */
  async approverIds(platform: string): Promise<readonly string[]> {
    const { membersOf } = this.#options;
    const ids = this.approvers(platform).map(async ({ kind, id }): Promise<readonly string[]> => {
      if (kind !== 'group') return kind === 'person' ? [id] : [];
      return [...(await membersOf(platform, id).catch(() => []))];
    });
    return (await Promise.all(ids)).flat();
  }

  /** The conversations of a platform to which the file gives a role. */
  places(platform: string): readonly string[] {
    return this.#ids(platform, ['place']);
  }

  /** The people and conversations of a platform to which the file gives a role. */
  named(platform: string): readonly string[] {
    return this.#ids(platform, ['person', 'place']);
  }

  #ids(platform: string, kinds: readonly Member['kind'][]): readonly string[] {
    const members = (this.#rules?.roles ?? []).flatMap((role) => role.members);
    const named = members.filter((each) => each.platform === platform && kinds.includes(each.kind));
    return [...new Set(named.map(({ id }) => id))];
  }

  async stop(): Promise<void> {
    await this.#stopWatching();
  }

  #rulesAtStart(found: FileText): AccessRules | undefined {
    const { file } = this.#options;
    if (found.kind === 'missing') return undefined;
    if (found.kind === 'unreadable')
      throw new StartError(`The access file ${file} cannot be read (${found.code}).`, EX_CONFIG);
    const read = readAccessFile(found.text, this.#options);
    if (!read.ok) throw notRight(`access file ${file}`, read.problems);
    return read;
  }

  #change(found: FileText): void {
    const { file, log, onTrouble, onChange } = this.#options;
    if (found.kind === 'missing') {
      this.#rules = undefined;
      onChange?.();
      log.warn({ file }, 'the access file is gone: only the terminal chat may do anything');
      return;
    }
    const read =
      found.kind === 'text'
        ? readAccessFile(found.text, this.#options)
        : { ok: false as const, problems: [`it cannot be read (${found.code})`] };
    if (!read.ok) {
      log.error({ file, problems: read.problems }, 'the access file is not right; the rules stay');
      this.#isBroken = true;
      onTrouble?.(read.problems);
      return;
    }
    this.#rules = read;
    onChange?.();
    log.info({ file, roles: read.roles.length }, 'the access file has changed and is in force');
    if (this.#isBroken) onTrouble?.([]);
    this.#isBroken = false;
  }
}

/** The grants of the access file; none for a suspended person. Rejects when the store cannot be read, so nothing is granted. */
export const withSuspensions = (
  access: Pick<Access, 'grantsOf'>,
  suspensions: Suspensions,
): Pick<Access, 'grantsOf'> => ({
  grantsOf: async (caller) => {
    const [grants, suspended] = await Promise.all([
      access.grantsOf(caller),
      suspensions.find(`${caller.platform}:${caller.id}`),
    ]);
    return suspended === undefined
      ? grants
      : {
          roles: grants.roles,
          may: () => false,
          charging: [],
          approve: false,
          admin: false,
          reveal: false,
          suspended,
        };
  },
});

/** The union of what roles grant, for a person on a platform. */
export const grantsFrom = (roles: readonly Role[], platform: string, rights: Rights): Grants => {
  const grants = ({ commands, admin }: Role, command: string): boolean =>
    rights.get(command) === 'administrators' ? admin : commands === '*' || commands.has(command);
  const limitsOf = (command: string): ChargeLimits => {
    const charging = roles.filter((role) => grants(role, command));
    const places = charging.flatMap(({ approvals }) => approvals);
    return {
      charging: charging.map(({ name, dailyTotal }) => ({
        role: name,
        ...defined({ dailyTotal }),
      })),
      ...defined({
        maxCharge: mostGenerous(charging.map((role) => role.maxCharge)),
        dailyLimit: mostGenerous(charging.map((role) => role.dailyLimit)),
        approvalsIn: places.find((place) => place.platform === platform)?.id,
      }),
    };
  };
  return {
    roles: roles.map((role) => role.name),
    may: (command) =>
      rights.get(command) === 'everyone' || roles.some((role) => grants(role, command)),
    ...limitsOf('charge'),
    ofFiles: limitsOf('bulk'),
    approve: roles.some((role) => role.approve),
    admin: roles.some((role) => role.admin),
    reveal: roles.some((role) => role.reveal),
    ...defined({
      dailySms: mostParts(roles.filter((role) => grants(role, 'sms'))),
    }),
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
  const others = [...rights.keys()].filter(
    (command) => command !== 'charge' && rights.get(command) !== 'everyone' && may(command),
  );
  const deeds = [
    ...(may('charge') ? [`charge${limit}`] : []),
    ...(approve ? ['approve'] : []),
    ...others,
  ];
  return `${deeds.slice(0, 2).join(', ') || 'nothing'}${deeds.length > 2 ? ' and more' : ''}`;
};

/** No limit beats any limit. All limits of a file are in one currency. */
const mostGenerous = (limits: readonly (Money | undefined)[]): Money | undefined => {
  let most: Money | undefined;
  for (const limit of limits) {
    if (limit === undefined) return undefined;
    if (most === undefined || compareMoney(limit, most) > 0) most = limit;
  }
  return most;
};

const mostParts = (roles: readonly Role[]): number | undefined => {
  const limits = roles.map(({ dailySms }) => dailySms ?? Number.POSITIVE_INFINITY);
  const most = Math.max(0, ...limits);
  return limits.length === 0 || most === Number.POSITIVE_INFINITY ? undefined : most;
};
