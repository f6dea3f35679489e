/** Who may use a command: holders of a role that grants it, administrators, holders of any role, or everyone. */
export type Right = 'granted' | 'administrators' | 'holders' | 'everyone';

/** Who may use each command, by its name. The table is in `all-commands.ts`. */
export type Rights = ReadonlyMap<string, Right>;

/** What a role may be granted under `commands:`. No list of a role grants a command for administrators, not even "*". */
export const grantable = (rights: Rights): readonly string[] =>
  [...rights.keys()].filter((name) => rights.get(name) !== 'administrators');

export const isUsable = (
  { name, right }: { readonly name: string; readonly right: Right },
  grants: { may(command: string): boolean },
): boolean => right === 'everyone' || grants.may(name);
