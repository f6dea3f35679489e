/**
 * `npm run schemas`: JSON schemas of what the platforms take, made from the types that their libraries publish. The
 * compiler is the generator's own, because it needs one that is written in JavaScript.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createGenerator } from 'ts-json-schema-generator';
import { METHODS } from './methods.ts';
import type { Json, Platform, Schemas } from './request-complaints.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Below node_modules, where the libraries are found from. */
const WORKSHOP = join(ROOT, 'node_modules/.cache/paythread-schemas');

/** The schemas of all properties of a type that is called `Requests`. */
const schemasOf = (source: string): Omit<Schemas, 'madeFrom'> => {
  const path = join(WORKSHOP, 'requests.ts');
  writeFileSync(path, source);
  const options = { strict: true, module: 'nodenext', skipLibCheck: true, types: [] };
  const tsconfig = join(WORKSHOP, 'tsconfig.json');
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions: options, files: [path] }));
  const generator = createGenerator({ path, tsconfig, skipTypeCheck: true, jsDoc: 'none' });
  const { definitions = {} } = generator.createSchema('Requests') as unknown as {
    definitions: Record<string, Json>;
  };
  const { Requests, ...others } = definitions;
  return { requests: Requests?.properties as Record<string, Json>, definitions: others };
};

const capital = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;

/** What the SDK calls the arguments of `chat.postMessage`: `ChatPostMessageArguments`. */
const slackSource = (methods: readonly string[]): string =>
  [
    "import type * as Slack from '@slack/web-api';",
    "import type { KnownBlock } from '@slack/types';",
    'export type Requests = {',
    ...methods.map((method) =>
      method === 'response_url'
        ? // The SDK has no type for it: https://docs.slack.dev/interactivity/handling-user-interaction
          "response_url: { text: string; blocks?: KnownBlock[]; thread_ts?: string; response_type?: 'ephemeral' | 'in_channel'; replace_original?: boolean; delete_original?: boolean };"
        : `'${method}': Slack.${method.split('.').map(capital).join('')}Arguments;`,
    ),
    '};',
  ].join('\n');

/** grammY's types have functions, of which the generator reads no parameters: each becomes its parameter. */
const telegramSource = (methods: readonly string[]): string => {
  cpSync(join(ROOT, 'node_modules/@grammyjs/types'), join(WORKSHOP, 'types'), { recursive: true });
  const path = join(WORKSHOP, 'types/methods.d.ts');
  const types = readFileSync(path, 'utf8')
    .replace(/^ {4}(\w+)\(args\??: (\{[\s\S]*?^ {4}\})\): .*;$/gm, '    $1: $2;')
    .replace(/^ {4}(\w+)\(\): .*;$/gm, '    $1: {};');
  writeFileSync(path, types);
  const names = methods.map((method) => `'${method}'`).join(' | ');
  return `import type { ApiMethods } from './types/mod.js';\nexport type Requests = Pick<ApiMethods<unknown>, ${names}>;`;
};

/** Definitions in a form whose complaints are about the part that was meant. */
class Plainer {
  readonly #definitions: Readonly<Record<string, Json>>;
  readonly #done = new Map<string, Json>();

  constructor(definitions: Readonly<Record<string, Json>>) {
    this.#definitions = definitions;
  }

  named(name: string): Json {
    const known = this.#done.get(name);
    if (known !== undefined) return known;
    const raw = this.#definitions[name] ?? {};
    // A block may hold blocks.
    this.#done.set(name, raw);
    const plain = this.of(raw) as Json;
    this.#done.set(name, plain);
    return plain;
  }

  of(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((each) => this.of(each));
    if (typeof node !== 'object' || node === null) return node;
    const schema: Json = Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, this.of(value)]),
    );
    return Array.isArray(schema.anyOf) ? this.#choice(schema.anyOf) : schema;
  }

  /** The SDK also takes a block of any type; here only those that it knows. */
  #choice(anyOf: readonly Json[]): Json {
    const choices = anyOf.filter(({ $ref }) => $ref !== '#/definitions/Block').flatMap(this.#each);
    const [only] = choices;
    if (choices.length === 1 && only !== undefined) return only;
    const types = choices.map((choice) => propertiesOf(this.#resolved(choice)).type?.const);
    if (types.every((type) => typeof type === 'string') && new Set(types).size === types.length)
      return { type: 'object', required: ['type'], discriminator: BY_TYPE, oneOf: choices };
    return choices.every(isClosed) ? merged(choices) : { anyOf: choices };
  }

  readonly #each = (choice: Json): readonly Json[] => {
    const { discriminator, oneOf } = this.#resolved(choice);
    return discriminator === undefined ? [choice] : (oneOf as Json[]);
  };

  #resolved(choice: Json): Json {
    const name = /^#\/definitions\/(.+)/.exec(String(choice.$ref))?.[1];
    return name === undefined ? choice : this.named(decodeURIComponent(name));
  }
}

const BY_TYPE = { propertyName: 'type' };

const propertiesOf = ({ properties = {} }: Json): Readonly<Record<string, Json>> =>
  properties as Record<string, Json>;

const isClosed = ({ additionalProperties }: Json): boolean => additionalProperties === false;

/**
 * One object for all combinations of arguments, of which `chat.postMessage` has 24: compiling them takes half a second,
 * and a complaint about one names all. That text or blocks are there is asked in block-kit.ts.
 */
const merged = (choices: readonly Json[]): Json => {
  const names = [...new Set(choices.flatMap((choice) => Object.keys(propertiesOf(choice))))];
  const schemaOf = (name: string): unknown => {
    const forms = choices.flatMap((choice) => propertiesOf(choice)[name] ?? []);
    const different = [...new Set(forms.map((form) => JSON.stringify(form)))];
    return different.length === 1 ? forms[0] : { anyOf: different.map((form) => JSON.parse(form)) };
  };
  const required = (choices[0]?.required ?? []) as string[];
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(name)])),
    required: required.filter((name) =>
      choices.every((choice) => (choice.required as string[] | undefined)?.includes(name)),
    ),
  };
};

const write = (
  platform: Platform,
  packages: readonly string[],
  made: Omit<Schemas, 'madeFrom'>,
) => {
  const plainer = new Plainer(made.definitions);
  const lines = (of: Readonly<Record<string, Json>>, plain: (name: string) => unknown): string =>
    Object.keys(of)
      .map((name) => `${JSON.stringify(name)}: ${JSON.stringify(plain(name))}`)
      .join(',\n');
  const requests = lines(made.requests, (name) => plainer.of(made.requests[name]));
  const definitions = lines(made.definitions, (name) => plainer.named(name));
  const madeFrom = Object.fromEntries(packages.map((name) => [name, versionOf(name)]));
  const text = `{"madeFrom": ${JSON.stringify(madeFrom)},\n"requests": {\n${requests}\n},\n"definitions": {\n${definitions}\n}}\n`;
  writeFileSync(join(import.meta.dirname, `${platform}.json`), text);
};

const versionOf = (name: string): string => {
  const path = join(ROOT, 'node_modules', name, 'package.json');
  return (createRequire(import.meta.url)(path) as { version: string }).version;
};

mkdirSync(WORKSHOP, { recursive: true });
// Two types of the SDK are called `Channel`, and those of conversations alone need the second.
const isOfConversations = (method: string): boolean => method.startsWith('conversations.');
const conversations = schemasOf(slackSource(METHODS.slack.filter(isOfConversations)));
const others = schemasOf(slackSource(METHODS.slack.filter((each) => !isOfConversations(each))));
write('slack', ['@slack/types', '@slack/web-api'], {
  requests: { ...others.requests, ...conversations.requests },
  definitions: { ...conversations.definitions, ...others.definitions },
});
write('telegram', ['@grammyjs/types'], schemasOf(telegramSource(METHODS.telegram)));
