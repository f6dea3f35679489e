import type { Clock } from '../core/clock.ts';
import { assertNever, EX_CONFIG, StartError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { compareMoney, type Money } from '../core/money.ts';
import { type FileText, readFileText, watchFile } from '../core/watched-file.ts';
import { readAccessFile } from './access-file.ts';
import type { Member, Role } from './access-schema.ts';
import type { Caller } from './inbound.ts';

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
  /** May approve what others request. */
  readonly approve: boolean;
};

/** Who is in a group of a platform, such as a Slack user group. */
export type MembersOf = (platform: string, groupId: string) => Promise<ReadonlySet<string>>;

const OPEN_TO_EVERYONE: ReadonlySet<string> = new Set(['help', 'whoami']);

/** Without an access file there is only the terminal, and whoever holds it started the program. */
const EVERYTHING: Grants = { roles: ['everything'], may: () => true, approve: true };

type Options = {
  readonly file: string;
  /** Of amounts in the file that name none. */
  readonly currency: string;
  readonly membersOf: MembersOf;
  readonly log: Log;
  readonly clock: Clock;
};

/** The access file, kept up to date. Nobody may do anything that it does not grant. */
export class Access {
  readonly #options: Options;
  readonly #unknownGroups = new Set<string>();
  /** Undefined: there is no access file. */
  #roles: readonly Role[] | undefined;
  readonly #stopWatching: () => Promise<void>;

  private constructor(options: Options, known: FileText) {
    this.#options = options;
    const { file, clock, log } = options;
    this.#roles = this.#rolesAtStart(known);
    if (this.#roles === undefined)
      log.warn({ file }, 'there is no access file: only the terminal chat may do anything');
    const onChange = (now: FileText) => this.#change(now);
    this.#stopWatching = watchFile({ file, known, clock, onChange });
  }

  /** @throws {StartError} when there is a file and it cannot be read or has mistakes. */
  static async open(options: Options): Promise<Access> {
    return new Access(options, await readFileText(options.file));
  }

  /** Decided anew each time, by ids alone. Never rejects: what cannot be found out is not granted. */
  async grantsOf(caller: Caller): Promise<Grants> {
    const roles = this.#roles;
    if (roles === undefined) return caller.platform === 'terminal' ? EVERYTHING : grantsFrom([]);
    const held = await Promise.all(roles.map((role) => this.#holds(caller, role)));
    return grantsFrom(roles.filter((_, index) => held[index]));
  }

  /** Stops looking at the file. */
  async stop(): Promise<void> {
    await this.#stopWatching();
  }

  #rolesAtStart(found: FileText): readonly Role[] | undefined {
    const { file, currency } = this.#options;
    if (found.kind === 'missing') return undefined;
    if (found.kind === 'unreadable')
      throw new StartError(`The access file ${file} cannot be read (${found.code}).`, EX_CONFIG);
    const read = readAccessFile(found.text, currency);
    if (!read.ok)
      throw new StartError(
        `The access file ${file} is not right:\n${read.problems.map((line) => `  ${line}`).join('\n')}`,
        EX_CONFIG,
      );
    return read.roles;
  }

  #change(found: FileText): void {
    const { file, currency, log } = this.#options;
    switch (found.kind) {
      case 'missing':
        this.#roles = undefined;
        log.warn({ file }, 'the access file is gone: only the terminal chat may do anything');
        return;
      case 'unreadable':
        log.error({ file, code: found.code }, 'the access file cannot be read; the rules stay');
        return;
      case 'text': {
        const read = readAccessFile(found.text, currency);
        if (!read.ok) {
          log.error(
            { file, problems: read.problems },
            'the access file is not right; the rules stay',
          );
          return;
        }
        this.#roles = read.roles;
        log.info({ file, roles: read.roles.length }, 'the access file has changed and is in force');
        return;
      }
      default:
        assertNever(found);
    }
  }

  async #holds(caller: Caller, role: Role): Promise<boolean> {
    const members = role.members.filter((member) => member.platform === caller.platform);
    if (members.some((member) => names(member, caller))) return true;
    const groups = members.filter((member) => member.kind === 'group');
    const inGroups = await Promise.all(groups.map((group) => this.#isIn(group, caller)));
    return inGroups.includes(true);
  }

  async #isIn({ platform, id }: Member, caller: Caller): Promise<boolean> {
    const { membersOf, log } = this.#options;
    const key = `${platform}:${id}`;
    try {
      const isMember = (await membersOf(platform, id)).has(caller.id);
      this.#unknownGroups.delete(key);
      return isMember;
    } catch (error) {
      // Once, and again only after it worked in between: every command of everybody asks.
      if (!this.#unknownGroups.has(key))
        log.error({ err: error, group: key }, 'nobody is granted what a group may do: no answer');
      this.#unknownGroups.add(key);
      return false;
    }
  }
}

const names = ({ kind, id }: Member, caller: Caller): boolean =>
  (kind === 'person' && id === caller.id) ||
  (kind === 'place' && id === caller.conversation.channel);

const grantsFrom = (roles: readonly Role[]): Grants => {
  const charging = roles.filter((role) => grants(role, 'charge'));
  const maxCharge = mostGenerous(charging.map((role) => role.maxCharge));
  const dailyLimit = mostGenerous(charging.map((role) => role.dailyLimit));
  return {
    roles: roles.map((role) => role.name),
    may: (command) => OPEN_TO_EVERYONE.has(command) || roles.some((role) => grants(role, command)),
    approve: roles.some((role) => role.approve),
    ...(maxCharge === undefined ? {} : { maxCharge }),
    ...(dailyLimit === undefined ? {} : { dailyLimit }),
  };
};

const grants = ({ commands }: Role, command: string): boolean =>
  commands === '*' || commands.has(command);

/** No limit beats any limit. All limits of a file are in one currency. */
const mostGenerous = (limits: readonly (Money | undefined)[]): Money | undefined => {
  let most: Money | undefined;
  for (const limit of limits) {
    if (limit === undefined) return undefined;
    if (most === undefined || compareMoney(limit, most) > 0) most = limit;
  }
  return most;
};
