import type { Card } from '../cards/card.ts';
import type { Command, Context } from '../command.ts';
import { isUsable } from '../command-rights.ts';
import { type DenialNeeds, denial } from './denial.ts';
import type { Grants } from './grants.ts';

/** Whether the access file gives a person nothing here, or what it gives is stopped. */
export const hasNoRights = ({ roles, suspended }: Grants): boolean =>
  roles.length === 0 || suspended !== undefined;

/** What a person without rights is told they cannot do, when they typed no command. */
const ANYTHING = { name: 'anything', deed: 'use Paythread' } as const;

/** Undefined: the person may use it. What is no command is answered to people with any right. */
export const denialOfCommand = (
  needs: DenialNeeds,
  command: Command | undefined,
  context: Context,
): Card | undefined => {
  const { grants } = context;
  const mayUse = command === undefined ? !hasNoRights(grants) : isUsable(command, grants);
  return mayUse ? undefined : denialOf(needs, context, command);
};

/** Of a button or its form: what checks access itself is denied to suspended people alone. */
export const denialOfButton = (
  needs: DenialNeeds,
  { checksAccessItself }: { readonly checksAccessItself?: true },
  command: Command,
  context: Context,
): Card | undefined => {
  const { grants } = context;
  const mayUse = checksAccessItself === true || isUsable(command, grants);
  return mayUse && grants.suspended === undefined ? undefined : denialOf(needs, context, command);
};

export const denialOf = (
  needs: DenialNeeds,
  context: Context,
  command: Pick<Command, 'name' | 'deed'> = ANYTHING,
): Card => denial(needs, context, { what: command.name, deed: command.deed });
