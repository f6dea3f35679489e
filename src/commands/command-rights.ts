/** Who may use a command: holders of a role that grants it, administrators, or everyone. */
type Right = 'granted' | 'administrators' | 'everyone';

/** Every command and who may use it, in the order of help and menus; `all-commands.ts` holds a record for each. */
const RIGHTS = {
  charge: 'granted',
  lookup: 'granted',
  status: 'granted',
  sms: 'granted',
  balance: 'granted',
  payments: 'granted',
  audit: 'granted',
  suspend: 'administrators',
  reinstate: 'administrators',
  help: 'everyone',
  whoami: 'everyone',
} as const satisfies Readonly<Record<string, Right>>;

export type CommandName = keyof typeof RIGHTS;

export const COMMAND_NAMES = Object.keys(RIGHTS) as readonly CommandName[];

/** Granted before they exist, so that one access file serves this version and the next. */
const PLANNED = ['report', 'export', 'customer', 'close', 'bulk'];

const RIGHT_TO: ReadonlyMap<string, Right> = new Map(Object.entries(RIGHTS));

/** Whether a role need not grant a command. */
export const isOpenToAll = (name: string): boolean => RIGHT_TO.get(name) === 'everyone';

/** Whether no list of a role grants a command, not even "*". */
export const isForAdministrators = (name: string): boolean =>
  RIGHT_TO.get(name) === 'administrators';

/** Whether a command may be used by the holder of these grants. */
export const isUsable = (
  { name }: { readonly name: string },
  grants: { may(command: string): boolean },
): boolean => isOpenToAll(name) || grants.may(name);

/** What a role may be granted under `commands:`. */
export const GRANTABLE: readonly string[] = [
  ...COMMAND_NAMES.filter((name) => !isForAdministrators(name)),
  ...PLANNED,
];
