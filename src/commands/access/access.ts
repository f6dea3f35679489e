import type { Suspensions } from '../../core/guards/suspensions.ts';
import { NO_RULES, type ToldRules } from '../../core/records/notify-rules.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { defined } from '../../core/runtime/defined.ts';
import { EX_CONFIG, StartError } from '../../core/runtime/errors.ts';
import { type FileText, pollFile, readFileText } from '../../core/runtime/poll-file.ts';
import { notRight } from '../../core/values/yaml-text.ts';
import type { Caller } from '../inbound.ts';
import { type AccessRules, type Member, readAccessFile, type Vocabulary } from './access-file.ts';
import type { GivableRole } from './access-request-cards.ts';
import { EVERYTHING, type Grants, givable, grantsFrom, isGivable } from './grants.ts';
import { type MembershipQuestions, membershipAnswers } from './membership-answers.ts';
import { membershipOf, type PlatformDirectory, type Unanswered } from './role-membership.ts';

/** What is wrong with the access file, one line each; empty: it is right again. */
export type OnTrouble = (problems: readonly string[]) => void;

type Options = Vocabulary &
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
  /** Ends the look at the file. */
  readonly stop: () => Promise<void>;

  private constructor(options: Options, known: FileText) {
    this.#options = options;
    this.#membershipsOf = membershipAnswers(options);
    const { file, clock, log } = options;
    this.#rules = this.#rulesAtStart(known);
    if (this.#rules === undefined)
      log.warn({ file }, 'there is no access file: only the terminal chat may do anything');
    const onChange = (now: FileText) => this.#change(now);
    this.stop = pollFile({ file, known, clock, onChange });
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
    const { rights, platforms } = this.#options;
    if (roles === undefined) {
      const own = platforms.find(({ name }) => name === caller.platform);
      return own?.isLocal === true ? EVERYTHING : grantsFrom([], caller.platform, rights);
    }
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

  /** The roles that can be given in a chat, in the order of the file; empty without a file. */
  givableRoles(): readonly GivableRole[] {
    return givable(this.#rules?.roles ?? [], this.#options.rights);
  }

  /** In the order of the file; undefined without a file. */
  roleNames(): readonly string[] | undefined {
    return this.#rules?.roles.map(({ name }) => name);
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

  /** The ids of a platform to which the file gives a role: of people, of conversations, of groups. */
  named(platform: string, kinds: readonly Member['kind'][]): readonly string[] {
    const members = (this.#rules?.roles ?? []).flatMap((role) => role.members);
    const named = members.filter((each) => each.platform === platform && kinds.includes(each.kind));
    return [...new Set(named.map(({ id }) => id))];
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
