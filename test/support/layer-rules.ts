import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** One source file, its path from the project's folder. */
export type Source = { readonly path: string; readonly text: string };

/** Reads all sources under a folder. */
export const sourcesIn = (folder: string): Source[] =>
  globSync(`${folder}/**/*.ts`)
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Which folder or file may import which; files of one layer may import each other. `own`: the layer's first group. */
const LAYERS: readonly { layer: RegExp; may: RegExp | ((own: string) => RegExp) }[] = [
  { layer: /^src\/core\//, may: /^src\/core\// },
  { layer: /^src\/commands\//, may: /^src\/(commands|core)\// },
  // What a platform is, as data, which the settings read.
  {
    layer: /^src\/bots\/([^/]+)\/(?:platform|settings)\.ts$/,
    may: (own) =>
      new RegExp(`^src/(bots/(platform\\.ts|${own}/)|config/(formats|variable)\\.ts|core/values/)`),
  },
  { layer: /^src\/bots\/all-platforms\.ts$/, may: /^src\/bots\/[^/]+\/platform\.ts$/ },
  {
    layer: /^src\/bots\/platform\.ts$/,
    may: /^src\/(bots\/bot\.ts|config\/variable\.ts|commands\/|core\/)/,
  },
  // What the browser runs. It shares types with the server, and nothing else.
  { layer: /^src\/bots\/web\/client\//, may: /^src\/bots\/web\/client\// },
  // The practice page draws each chat with the renderers of its platform: a copy would show what no platform shows.
  {
    layer: /^src\/bots\/web\//,
    may: /^src\/(bots\/(web\/|[^/]+\.ts$|slack\/(card-to-blocks|form-to-modal|command-names)\.ts$|telegram\/card-to-html\.ts$)|commands\/|core\/)/,
  },
  { layer: /^src\/bots\/[^/]+\.ts$/, may: /^src\/(bots\/[^/]+\.ts$|commands\/|core\/)/ },
  {
    layer: /^src\/bots\/([^/]+)\//,
    may: (own) => new RegExp(`^src/(bots/(${own}/|[^/]+\\.ts$)|commands/|core/)`),
  },
  // The payment service, simulated: it must not lean on the program it is there to test.
  { layer: /^src\/sandbox\//, may: /^src\/(sandbox|core)\// },
  { layer: /^src\/config\//, may: /^src\/(config\/|core\/|bots\/(all-platforms|platform)\.ts$)/ },
  // Asks the real services about the settings; it starts nothing, so it needs no bot.
  {
    layer: /^src\/cli\/doctor\//,
    may: /^src\/(cli\/(doctor\/|read-store\.ts$)|config\/|commands\/|core\/|bots\/(all-platforms|platform)\.ts$)/,
  },
  // What is between chats, service and store, without any of them.
  { layer: /^src\/app\/engine[^/]*\.ts$/, may: /^src\/(app\/engine[^/]*\.ts$|commands\/|core\/)/ },
  // Where everything is put together.
  {
    layer: /^src\/app\//,
    may: /^src\/(app|bots|commands|config|core|sandbox)\//,
  },
  // What a person at a shell runs.
  { layer: /^src\/cli\//, may: /^src\// },
];

/** The rooms of the core: each sees itself and those above it in this list. */
const CORE_ROOMS = [
  ...['runtime', 'values', 'cluster', 'gateway', 'records', 'store', 'work', 'notices', 'guards'],
  ...['balances'],
  ...['sms', 'payments', 'bulk', 'callbacks', 'privacy', 'recovery', 'telemetry', 'http'],
];

/** Who may import a package. A package that is missing here may be imported by nobody. */
const PACKAGES: readonly { name: RegExp; by: RegExp }[] = [
  { name: /^node:/, by: /^src\// },
  { name: /^zod$/, by: /^src\// },
  { name: /^@slack\/[^/]+$/, by: /^src\/bots\/slack\// },
  { name: /^@slack\/bolt\/dist\//, by: /^src\/bots\/slack\/bolt\.ts$/ },
  { name: /^grammy(\/|$)/, by: /^src\/bots\/telegram\// },
  { name: /^commander$/, by: /^src\/cli\/[^/]+\.ts$/ },
  { name: /^ky$/, by: /^src\/core\/gateway\// },
  {
    name: /^undici$/,
    by: /^src\/(core\/(gateway\/|runtime\/http-exchange\.ts$)|bots\/(slack\/|quick-fetch\.ts$))/,
  },
  { name: /^lowdb(\/|$)/, by: /^src\/(core\/store|sandbox)\// },
  { name: /^pg$/, by: /^src\/core\/store\/postgres\// },
  { name: /^pino$/, by: /^src\/core\/runtime\/log\.ts$/ },
  { name: /^(prom-client|@opentelemetry\/api)$/, by: /^src\/core\/telemetry\// },
  {
    name: /^libphonenumber-js\/max$/,
    by: /^src\/core\/(runtime\/phone-library|values\/customer-number)\.ts$/,
  },
  { name: /^libphonenumber-js\/max\/metadata$/, by: /^src\/core\/runtime\/phone-library\.ts$/ },
  { name: /^@resvg\/resvg-js$/, by: /^src\/commands\/report\/chart-png\.ts$/ },
  { name: /^qrcode-generator$/, by: /^src\/commands\/share\/qr-svg\.ts$/ },
  { name: /^sms-segments-calculator$/, by: /^src\/(commands|sandbox|core\/sms)\// },
  { name: /^yaml$/, by: /^src\/core\/values\/yaml-text\.ts$/ },
];

/** What only certain files may contain, and why. */
const WORDS: readonly { what: string; word: RegExp; only: RegExp }[] = [
  {
    what: 'the environment is read in one place',
    word: /\bprocess\.env\b|\bnode:process\b|\benv\b.*\bfrom 'process'/,
    only: /^src\/config\/config\.ts$/,
  },
  {
    what: 'time comes from a Clock',
    word: /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bset(Timeout|Interval)\(|\btimers\b/,
    only: /^src\/core\/runtime\/clock\.ts$/,
  },
  {
    what: 'patience with the network may come from AbortSignal.timeout, elsewhere time is a Clock',
    word: /\bAbortSignal\.timeout\b/,
    only: /^src\/(core\/gateway\/post-json|cli\/doctor\/network|sandbox\/callback-sender|bots\/slack\/response-url)\.ts$/,
  },
  {
    what: 'only the program itself ends the process and holds its streams',
    word: /\bprocess\.(exit|abort|stdin|stdout|stderr)\b/,
    only: /^src\/app\/program\.ts$/,
  },
  {
    what: 'secrets and signatures are compared in constant time',
    word: /(?<!typeof )\b(token|signature|secret|given|hmac|password|authorization|credentials)\s[!=]==\s(?!undefined|'')|(?<!typeof \w+ )[!=]==\s(token|signature|secret|given|hmac|password|authorization|credentials)\b/,
    only: /^$/,
  },
  {
    what: 'connections are opened where the address comes from the settings or from who was asked there',
    word: /(?<![#.\w])(fetch|request)\(|\bfrom 'node:(https|http2|tls|dns|dgram)|\b(createConnection|new WebSocket|new EventSource)\(/,
    only: /^src\/(cli\/doctor\/network|sandbox\/callback-sender|bots\/(quick-fetch|slack\/(send-file|socket)))\.ts$/,
  },
  {
    what: "a provider's fields are known to its folder, and to the simulation of it",
    word: /\b(response_(code|message)|trans_type|nw|msg_body|recipient_number|sms_balance)\b/,
    only: /^src\/(core\/gateway\/[^/]+\/|sandbox\/|app\/practice\.ts$)/,
  },
  {
    what: 'what spreadsheets open is written in one place, where no cell is a formula',
    word: /\bcsv\b|\.(tsv|xlsx?|ods)\b|tab-separated|spreadsheet/i,
    only: /^src\/(core\/values\/csv-line|commands\/(bulk|export)\/[^/]+|cli\/(export|commands))\.ts$/,
  },
  {
    what: 'Bolt is used file by file, because its index loads Express',
    word: /^import (?!type\b)[^;]*?from '@slack\/bolt'/m,
    only: /^src\/(?!bots\/slack\/)/,
  },
  {
    what: "a platform's bot and library are loaded when they are asked for",
    word: /^import (?!type\b)[^;]*?from '\.\/(?!settings\.ts)/m,
    only: /^src\/(?!bots\/[^/]+\/platform\.ts$)/,
  },
  {
    what: 'only the bots know a platform by name',
    word: /\b(slack|telegram)|Slack|Telegram|SLACK_|TELEGRAM_|(['"`])terminal\b/,
    only: /^src\/(?!core\/|commands\/|config\/|app\/|cli\/)/,
  },
];

const VAGUE_NAME = /(^|\/)(index|utils?|helpers?|types?|common|managers?|misc|shared)\.ts$/;

/** Every breach of the rules, as `path: what`. */
export const breaches = (sources: readonly Source[]): string[] =>
  sources.flatMap((source) => [
    ...importsOf(source.text).flatMap((name) => importBreach(source.path, name)),
    ...wordBreaches(source),
    ...(VAGUE_NAME.test(source.path) ? [`${source.path}: a name that says nothing`] : []),
    ...(isHomeless(source.path) ? [`${source.path}: stands in no room of the core`] : []),
  ]);

const isHomeless = (path: string): boolean => {
  const room = coreRoomOf(path);
  return room !== undefined && !CORE_ROOMS.includes(room);
};

const importsOf = (text: string): string[] => {
  const code = withoutComments(text);
  const statements = code.matchAll(/^\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]/gm);
  const bare = code.matchAll(/^\s*import\s*['"]([^'"]+)['"]/gm);
  const calls = code.matchAll(/\b(?:import|require)\s*\(\s*['"`]([^'"`]+)['"`]/g);
  return [...statements, ...bare, ...calls].map((match) => match[1] ?? '');
};

const importBreach = (path: string, name: string): string[] => {
  if (!name.startsWith('.')) {
    const rule = PACKAGES.find((each) => each.name.test(name));
    return rule?.by.test(path) ? [] : [`${path}: may not import ${name}`];
  }
  const target = normalize(join(dirname(path), name));
  const rule = LAYERS.find((each) => each.layer.test(path));
  if (rule === undefined) return [`${path}: belongs to no layer`];
  const may = rule.may instanceof RegExp ? rule.may : rule.may(rule.layer.exec(path)?.[1] ?? '');
  return may.test(target) && !isRoomBelow(path, target) && !isInsideProvider(path, target)
    ? []
    : [`${path}: may not import ${target}`];
};

const isRoomBelow = (path: string, target: string): boolean => {
  const [room, other] = [coreRoomOf(path), coreRoomOf(target)];
  if (room === undefined || other === undefined) return false;
  return CORE_ROOMS.indexOf(other) > CORE_ROOMS.indexOf(room);
};

/** A provider's folder is known to itself and to the one file that chooses a provider. */
const isInsideProvider = (path: string, target: string): boolean => {
  const [folder] = /^src\/core\/gateway\/[^/]+\//.exec(target) ?? [];
  return folder !== undefined && !path.startsWith(folder) && path !== PROVIDER_CHOICE;
};

const PROVIDER_CHOICE = 'src/core/gateway/provider.ts';

/** Undefined: outside the core; empty: a loose file in it. */
const coreRoomOf = (path: string): string | undefined =>
  /^src\/core\/(?:([^/]+)\/)?/.exec(path)?.map((part) => part ?? '')[1];

const wordBreaches = ({ path, text }: Source): string[] => {
  const code = withoutComments(text);
  return WORDS.flatMap(({ what, word, only }) => {
    const found = only.test(path) ? undefined : word.exec(code)?.[0];
    return found === undefined ? [] : [`${path}: "${found}", but ${what}`];
  });
};

/** Good enough for our own sources: a `//` inside a text is never preceded by a space. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
