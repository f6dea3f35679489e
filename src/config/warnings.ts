import { platforms } from '../bots/all-platforms.ts';
import { AddressSet } from '../core/http/address-range.ts';
import { isSafe, isSafeDatabase } from './formats.ts';
import type { Given } from './problems.ts';
import { fileVariables } from './setting-files.ts';
import type { Variables } from './variable.ts';
import { type Name, names, type Values, variables } from './variables.ts';

const PLATFORM_PREFIXES = platforms
  .filter(({ token }) => token !== undefined)
  .map(({ name }) => name.toUpperCase());

const OUR_PREFIXES = new RegExp(
  `^(${['PAYMENTS', ...PLATFORM_PREFIXES, 'STATUS_CHECK'].join('|')})_`,
);

/** Settings that look like a slip: each a sentence for the log. */
export const warningsFrom = (
  values: Values,
  given: Given,
  allNames: readonly string[],
  sandbox: boolean,
): string[] => {
  const unknown = allNames.filter(
    (name) => OUR_PREFIXES.test(name) && !(name in variables) && !fileVariables.has(name),
  );
  const unsafe = names.filter((name) => {
    const { mayBeHttp, default: held } = variables[name];
    const address = given[name] ?? held;
    return mayBeHttp === true && address !== undefined && !isSafe(address);
  });
  const { DATABASE_URL: database } = values;
  return [
    ...unknown.map((name) => `${name} is set, but there is no such setting. Is it misspelt?`),
    ...unsafe.map((name) => `${name} is not https: what travels there can be read on the way.`),
    ...(database === undefined || isSafeDatabase(database)
      ? []
      : [
          'DATABASE_URL names another host without TLS: what travels there can be read on the way. Add sslmode=verify-full to it.',
        ]),
    ...(sandbox && given.PAYMENTS_SECRET_KEY !== undefined
      ? ['PAYMENTS_SECRET_KEY is set, but payments go to the sandbox: no money moves.']
      : []),
    ...(sandbox && values.CALLBACK_ALLOW && !new AddressSet(values.CALLBACK_ALLOW).has('127.0.0.1')
      ? ['CALLBACK_ALLOW leaves out this machine: callbacks of the sandbox are turned away.']
      : []),
    ...platforms.flatMap(({ title, variables: own }) => unlikeTokens(given, title, own)),
  ];
};

const unlikeTokens = (given: Given, title: string, own: Variables): string[] =>
  Object.entries(own).flatMap(([name, { prefix = '' }]) =>
    (given[name as Name] ?? prefix).startsWith(prefix)
      ? []
      : [`${name} does not begin with ${prefix}, as ${title}'s tokens do.`],
  );
