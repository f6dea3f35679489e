import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { platforms } from '../bots/all-platforms.ts';
import type { Merchant } from '../core/records/merchants.ts';
import { defined } from '../core/runtime/defined.ts';
import { exampleIds, type IdKind, parsePlatformId } from '../core/values/platform.ts';
import {
  expected,
  expectedNot,
  expectedSecret,
  mistakeAt,
  mustBeNames,
  objectError,
  readYaml,
  type YamlReading,
} from '../core/values/yaml-text.ts';
import { senderId } from './payment-variables.ts';
import { readSecretFile } from './setting-files.ts';

/** With what one merchant is known to the payment service. */
export type Account = {
  /** Absent: the only one, or that of payments from before there were several. */
  readonly merchant?: string;
  readonly clientKey: string;
  readonly secretKey: string;
  readonly serviceId: number;
  readonly nickname: string;
};

export type MerchantEntry = { readonly merchant: Merchant; readonly account: Account };

const idOf = (kinds: readonly IdKind[], example: string) =>
  z.string(expected(`an id such as ${example}`)).transform((text, context): string => {
    const id = parsePlatformId(platforms, text);
    if (id !== undefined && kinds.includes(id.kind)) return `${id.platform}:${id.id}`;
    context.addIssue(expectedNot(`an id such as ${example}`, text));
    return z.NEVER;
  });

const [PLACE = ''] = exampleIds(platforms, 'place');
const [PERSON = ''] = exampleIds(platforms, 'person');
const place = idOf(['place', 'person'], PLACE);
const person = idOf(['person'], PERSON);

const KEY_FILE = 'the path of a file with the key alone, such as /etc/paythread/osu-key';

const secretIn = (handedIn: readonly string[], mustHaveNoColon = false) =>
  z.string(expectedSecret(KEY_FILE)).transform((path, context): string => {
    const file = readSecretFile(path, handedIn);
    const hint = !file.ok && file.command !== undefined ? ` Type: ${file.command}` : '';
    if (!file.ok) context.addIssue(`It ${file.what}.${hint}`);
    else if (/\p{Cc}/u.test(file.text)) context.addIssue('The key has more than one line.');
    else if (mustHaveNoColon && file.text.includes(':')) context.addIssue('The key has a colon.');
    else return file.text;
    return z.NEVER;
  });

/** The message of a map with these keys. A value of another kind may be a key without a space behind its colon. */
const mapError = (known: string) => ({
  error: (issue: z.core.$ZodRawIssue): string =>
    issue.code === 'unrecognized_keys' ? objectError(known)(issue) : expectedSecret(known).error,
});

/** Without a space behind its colon a key is part of a name. */
const KEY_IN_NAME = /((?:key|secret)\w*)[:=][^\s"]*[^\s":]/gi;

const entrySchema = (handedIn: readonly string[]) =>
  z.strictObject(
    {
      nickname: z
        .string(expected('the name that the payer sees'))
        .regex(/^[^\p{Cc}]+$/u, expected('a name on one line')),
      serviceId: z.int(expected('the service id as a whole number')).min(0, expected('0 or more')),
      // HTTP Basic puts a colon between the two keys.
      clientKeyFile: secretIn(handedIn, true),
      secretKeyFile: secretIn(handedIn),
      senderIds: z.array(senderId, expected('a list of sender ids')).default([]),
      conversations: z
        .array(place, expected(`a list such as [${PLACE}]`))
        .min(1, `A merchant needs a conversation, such as conversations: [${PLACE}].`),
      members: z.array(person, expected(`a list such as [${PERSON}]`)).default([]),
    },
    mapError(
      'nickname, serviceId, clientKeyFile, secretKeyFile, senderIds, conversations and members',
    ),
  );

const fileSchema = (handedIn: readonly string[]) =>
  z.strictObject(
    {
      merchants: z
        .record(
          z.string(),
          entrySchema(handedIn),
          expectedSecret('names of merchants and their settings'),
        )
        .superRefine((merchants, context) => {
          const names = Object.keys(merchants);
          if (names.length === 0)
            context.addIssue(
              'There is no merchant in it. Write a name, and its settings below it.',
            );
          mustBeNames(names, context);
          const owners = new Map<string, string>();
          for (const [name, { conversations }] of Object.entries(merchants))
            for (const each of new Set(conversations)) {
              const owner = owners.get(each);
              if (owner !== undefined)
                context.addIssue(
                  mistakeAt([name, 'conversations'], `${each} is a conversation of ${owner} too.`),
                );
              owners.set(each, name);
            }
        }),
    },
    mapError('merchants'),
  );

/** What a text says of merchants, with the keys from the files that it names; or its mistakes, without any key. */
export const readMerchants = (
  text: string,
  handedIn: readonly string[],
): YamlReading<readonly MerchantEntry[]> => {
  const read = readYaml(text, fileSchema(handedIn));
  if (!read.ok)
    return { ok: false, problems: read.problems.map((each) => each.replace(KEY_IN_NAME, '$1')) };
  const value = Object.entries(read.value.merchants).map(
    ([name, { clientKeyFile, secretKeyFile, serviceId, nickname, members, ...entry }]) => ({
      merchant: {
        name,
        nickname,
        ...entry,
        ...defined({ members: members.length === 0 ? undefined : members }),
      },
      account: {
        merchant: name,
        clientKey: clientKeyFile,
        secretKey: secretKeyFile,
        serviceId,
        nickname,
      },
    }),
  );
  return { ok: true, value };
};

/** The merchants in a file, none without one; or what is wrong with it. The path is shown with the setting. */
export const readMerchantsFile = (
  file: string | undefined,
  handedIn: readonly string[],
): YamlReading<readonly MerchantEntry[]> => {
  if (file === undefined) return { ok: true, value: [] };
  try {
    return readMerchants(readFileSync(file, 'utf8'), handedIn);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'it is not there' : `it cannot be read (${code})`;
    return { ok: false, problems: [why] };
  }
};
