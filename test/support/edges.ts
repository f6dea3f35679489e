import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { customerAnswers } from './customer-answers.ts';
import { eventually } from './eventually.ts';
import { FastClock } from './fast-clock.ts';
import { freePort } from './free-port.ts';
import { type Env, type RunningApp, runApp } from './run-app.ts';
import { openSlack } from './slack-shop.ts';
import { sentFile } from './telegram/sent-file.ts';
import { startTelegram, telegramSettings } from './telegram-shop.ts';
import { isSharedStore } from './test-store.ts';

type EdgeName = 'Slack over HTTP' | 'Slack by socket' | 'Telegram' | 'the terminal';

/** Ways for one story to reach the whole program: the ways into Slack share the stores, because nothing behind them differs. */
export const EDGES: readonly EdgeName[] = [
  isSharedStore ? 'Slack over HTTP' : 'Slack by socket',
  'Telegram',
  'the terminal',
];

/** What people do at each edge in its own way. */
type Person = {
  type(line: string): unknown;
  sendFile(name: string, text: string): unknown;
  /** Presses a button of the newest message that reads like this. */
  press(text: RegExp, label: string): Promise<unknown>;
  sees(text: RegExp): Promise<unknown>;
  /** The newest file of that name that the bot sent. */
  file(name: RegExp): Promise<Buffer>;
};

/** A person who is in private with the bot, and may do everything. */
type Edge = Person & {
  readonly shop: RunningApp;
  /** The customer of this number answers on the phone. */
  customer(number: string, answer: 'approved' | 'declined' | 'no money'): Promise<void>;
  /** The program ends and begins again, at that moment where it is given; `meanwhile` is done in between. */
  restart(atMs?: number, meanwhile?: () => Promise<unknown>): Promise<void>;
};

/** What the program gets of an edge, and the person there, once it runs. */
type Setup = {
  /** Of the person, and of the chat with the bot, as settings write them. */
  readonly of: string;
  readonly place: string;
  readonly env: Env;
  readonly person: (shop: () => RunningApp) => Person;
};

/** The whole program at noon, beside a sandbox whose customers answer when they are told to, and a person at that edge. `env` is told the private conversation. */
export const openEdge = async (
  name: EdgeName,
  env: (place: string) => Env = () => ({}),
): Promise<Edge> => {
  let clock = new FastClock(25, new Date().setUTCHours(12, 0, 0, 0));
  const setup = await setups[name](() => clock.now());
  const access = `{roles: {all: {commands: '*', reveal: true}}, members: {all: ['${setup.of}']}}`;
  // Callbacks come to the same port after a restart.
  const here = { PAYMENTS_BASE_URL: 'sandbox', PORT: String(await freePort()) };
  const settings = { ...here, ...setup.env, ...env(setup.place) };
  const sandbox = { hasPrompts: true };
  let shop = await runApp(settings, { clock, access, sandbox });
  return {
    ...setup.person(() => shop),
    get shop() {
      return shop;
    },
    customer: (number, answer) => customerAnswers(shop, number, answer),
    restart: async (atMs = clock.now(), meanwhile) => {
      await shop.stop();
      await meanwhile?.();
      clock = new FastClock(25, atMs);
      shop = await runApp(settings, { clock, dir: shop.dir, sandbox });
    },
  };
};

const setUpSlack = async (transport: 'socket' | 'http'): Promise<Setup> => {
  const { slack, settings, efua } = await openSlack({ transport, people: ['efua'], channels: [] });
  const here = '@efua';
  return {
    of: `slack:${efua.id}`,
    place: `slack:${await slack.channelId(here)}`,
    env: settings,
    person: () => ({
      type: (line) => {
        const [command = '', ...words] = line.split(' ');
        return efua.slash(here, command, words.join(' '));
      },
      sendFile: (file, text) => efua.sendFile(here, file, text),
      press: async (text, label) => efua.press(await efua.direct(text), label),
      sees: (text) => efua.direct(text),
      file: async (file) => (await slack.file(here, file)).bytes,
    }),
  };
};

const setUpTelegram = async (now: () => number): Promise<Setup> => {
  const telegram = await startTelegram({ now });
  const efua = telegram.person('Efua Owusu', 1002);
  const own = telegram.privateChat(efua);
  return {
    of: 'telegram:1002',
    place: 'telegram:1002',
    env: telegramSettings(telegram),
    person: () => ({
      type: (line) => efua.type(own, line),
      sendFile: (file, text) => efua.sendDocument(own, file, text),
      press: async (text, label) => efua.press(await own.waitFor(text), label),
      sees: (text) => own.waitFor(text),
      file: (named) => sentFile(own, named),
    }),
  };
};

/** What stood on the screen before the last line is not seen any more, but can be pressed. */
const setUpTerminal = async (): Promise<Setup> => ({
  of: 'terminal:local',
  place: 'terminal:local',
  env: {},
  person: (shop) => {
    let seen: { of: RunningApp; until: number } | undefined;
    const type = (line: string) => {
      seen = { of: shop(), until: shop().screen().length };
      shop().type(line);
    };
    const sees = (text: RegExp, sinceStart = false) =>
      eventually(() => {
        const screen = shop().screen();
        const from = sinceStart || seen?.of !== shop() ? 0 : seen.until;
        if (!text.test(screen.slice(from)))
          throw new Error(`the terminal does not show ${text}:\n${screen}`);
      });
    const folder = () => join(shop().dir, 'data', 'files');
    return {
      type,
      sendFile: async (name, text) => {
        const path = join(shop().dir, name);
        await writeFile(path, text);
        type(`/bulk ${path}`);
      },
      press: async (text, label) => {
        await sees(text, true);
        type(label);
      },
      sees: (text) => sees(text),
      file: (named) =>
        eventually(async () => {
          const found = (await readdir(folder())).findLast((name) => named.test(name));
          if (found === undefined) throw new Error(`no file ${named} was saved`);
          return readFile(join(folder(), found));
        }),
    };
  },
});

const setups: Readonly<Record<EdgeName, (now: () => number) => Promise<Setup>>> = {
  'Slack over HTTP': () => setUpSlack('http'),
  'Slack by socket': () => setUpSlack('socket'),
  Telegram: setUpTelegram,
  'the terminal': setUpTerminal,
};
