import { setTimeout as sleep } from 'node:timers/promises';
import { asBlocks } from '../../support/slack/block-kit.ts';
import { blocksToText } from '../../support/slack/blocks-to-text.ts';
import type { Done } from '../../support/slack/delivery.ts';
import type { Person } from '../../support/slack/person.ts';
import type { ShownMessage } from '../../support/slack/shown-message.ts';
import { type SlackWorkspace, startSlackWorkspace } from '../../support/slack/workspace.ts';
import type { Dice } from './dice.ts';
import type { Keyboard } from './seller.ts';
import type { Said, Shop } from './shop.ts';

const PEOPLE = ['ama', 'kojo', 'efua', 'yaw', 'esi', 'kofi', 'abena', 'kwame'];
const CHANNELS = ['north', 'south', 'east', 'west'];
/** Slack bears 50 edits a minute in a whole workspace; a charge takes one or two. */
const REST_MS = 14_000;
/** Its emulator bears 5,000 calls an hour; a charge takes about eight. */
const LONG_STORM_SECONDS = 1_000;
const LONG_STORM_REST_MS = 60_000;
/** Slack sends an event again that was not answered, three times. */
const RETRY_PAUSES_MS = [500, 1_500, 3_000];

/** People on Slack, two in a channel, reached over HTTP. */
export const openSlackShop = async (
  publicUrl: string,
  dice: Dice,
  seconds: number,
): Promise<Shop> => {
  const slack = await startSlackWorkspace({
    transport: 'http',
    people: PEOPLE,
    channels: CHANNELS.map((name) => ({ name })),
  });
  slack.eventsUrl = `${publicUrl}/slack/events`;
  const keyboards = PEOPLE.map((name, at) => {
    const channel = CHANNELS[at % CHANNELS.length] ?? '';
    return new SlackKeyboard(slack.person(name), channel, dice.fork());
  });
  return {
    settings: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      SLACK_API_URL: slack.apiUrl,
    },
    members: PEOPLE.map((name) => `slack:${slack.person(name).id}`),
    keyboards,
    restMs: seconds < LONG_STORM_SECONDS ? REST_MS : LONG_STORM_REST_MS,
    said: async () => (await Promise.all(CHANNELS.map((name) => saidIn(slack, name)))).flat(),
    stop: () => slack.stop(),
  };
};

/** From Slack's book of calls: reading the channels again and again would use up what its emulator gives in an hour. */
const saidIn = async (slack: SlackWorkspace, place: string): Promise<Said[]> => {
  const channel = await slack.channelId(place);
  const said = new Map<string, Said>();
  for (const { method, args, answer } of slack.calls()) {
    if (answer?.ok !== true || answer['channel'] !== channel) continue;
    const id = String(answer['ts']);
    const text = blocksToText(asBlocks(args['blocks']), (userId) => userId);
    const known = said.get(id);
    if (method === 'chat.update' && known !== undefined) said.set(id, { ...known, text });
    if (method !== 'chat.postMessage') continue;
    const thread = args['thread_ts'];
    const under = thread === undefined ? {} : { under: String(thread) };
    // This Slack counts in whole seconds: it was said by then.
    const atMs = Math.trunc(Number(id)) * 1000 + 999;
    said.set(id, { platform: 'slack', place, id, ...under, text, atMs });
  }
  return [...said.values()];
};

class SlackKeyboard implements Keyboard {
  readonly platform = 'slack';
  readonly place: string;
  readonly #person: Person;
  readonly #dice: Dice;
  #question: ShownMessage | undefined;
  /** Everything of the last charge that could be delivered again. */
  #lastDone: Done | undefined;

  constructor(person: Person, channel: string, dice: Dice) {
    this.#person = person;
    this.place = channel;
    this.#dice = dice;
  }

  /** As a slash command or as a mention: the one is never sent again, the other is. */
  async type(words: string): Promise<void> {
    // What is private vanishes when Slack is opened anew, so all there is belongs to this charge.
    this.#person.reload();
    this.#question = undefined;
    const [command = '', ...rest] = words.split(' ');
    if (this.#dice.chance(0.5))
      this.#lastDone = await this.#person.slash(this.place, command, rest.join(' '));
    else
      this.#lastDone = await insisted(
        await this.#person.mention(this.place, words.replace('/', '')),
      );
  }

  question(amount: string): string | undefined {
    const isAboutIt = (text: string) =>
      text.includes(`GHS ${amount}`) || /Already confirmed|[Cc]ancelled/.test(text);
    // What answers a press that was delivered again is about an earlier charge.
    const isOfNow = ({ answers = this.#question?.ts }: ShownMessage) =>
      answers === this.#question?.ts;
    const shown = this.#person.ephemerals(isOfNow).filter(isAboutIt);
    if (shown.length > 0) return shown.join('\n');
    // The payment card says all.
    return this.#question === undefined ? undefined : 'The question was taken away.';
  }

  press(amount: string): Promise<void> {
    return this.#pressed(amount, `Charge GHS ${amount}`);
  }

  async pressTwice(amount: string): Promise<void> {
    await Promise.all([this.press(amount), this.press(amount)]);
  }

  async pressBoth(amount: string): Promise<void> {
    await Promise.all([this.#pressed(amount, 'Cancel'), this.press(amount)]);
  }

  redeliverSomething(): void {
    // Whether it is answered is nobody's concern.
    void this.#lastDone?.again().catch(() => {});
  }

  async #pressed(amount: string, label: string): Promise<void> {
    const question = await this.#shown(amount);
    if (question !== undefined) this.#lastDone = await this.#person.press(question, label);
  }

  /** As it was first shown: a screen may lag behind. */
  async #shown(amount: string): Promise<ShownMessage | undefined> {
    this.#question ??= await this.#person
      .ephemeral(new RegExp(`Charge GHS ${amount.replace('.', '\\.')}\\?`))
      // Something else was said instead of the question.
      .catch(() => undefined);
    return this.#question;
  }
}

const insisted = async (first: Done): Promise<Done> => {
  let done = first;
  for (const pauseMs of RETRY_PAUSES_MS) {
    if (done.ok) break;
    await sleep(pauseMs);
    done = await done.again();
  }
  return done;
};
