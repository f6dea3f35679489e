import { expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Inbound } from '../../../src/commands/inbound.ts';
import { HttpInFlight } from '../../support/http-in-flight.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startedBot } from './started-bot.ts';

const say = (title: string): Card => ({ title, parts: [] });

const setUp = async () => {
  const clock = new ManualClock();
  const http = new HttpInFlight();
  const flood = { chatBurst: 1, groupPerMinute: 20, allPerSecond: 30 };
  const started = await startedBot({
    clock,
    mode: 'webhook',
    simulator: { now: () => clock.now(), flood },
  });
  const { telegram } = started;
  const people = ['Ama', 'Yaw', 'Esi'].map((name) => telegram.person(name));
  const group = telegram.group('Sales', people);
  const pass = async (ms: number): Promise<void> => {
    const untilMs = clock.now() + ms;
    for (;;) {
      await http.quiet();
      const next = Math.min(untilMs, clock.nextWakeMs ?? untilMs);
      await clock.advance(Math.max(0, next - clock.now()));
      if (next === untilMs) return http.quiet();
    }
  };
  const said = () => group.fromBot.map(({ text }) => text);
  return { ...started, clock, people, group, pass, said };
};

it('answers in a group wait for their turn and come in the order in which they were given', async () => {
  const { inbound, people, group, pass, said, telegram } = await setUp();
  inbound.onCommand = ({ surface }, _, words) => surface.say(say(words));
  const words = Array.from({ length: 10 }, (_, n) => `answer ${n}`);
  for (const [at, each] of words.entries()) people[at % 3]?.type(group, `/say ${each}`);
  await pass(15_000);
  expect(said()).toEqual(words);
  expect(telegram.ledger.filter(({ status }) => status === 429)).toEqual([]);
});

it('an answer that waits holds up neither the next command nor a press', async () => {
  const { inbound, people, group, pass } = await setUp();
  const handled: string[] = [];
  inbound.onCommand = async ({ surface }, name) => {
    await surface.say(say('slow'));
    handled.push(name);
  };
  for (let n = 0; n < 5; n++) people[0]?.type(group, `/c${n}`);
  await pass(0);
  expect(handled).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
  expect(group.fromBot).toHaveLength(1);
  await pass(10_000);
});

it('an end goes before the answers that wait, and an edit that tells little after them', async () => {
  const { bot, inbound, people, group, pass, said } = await setUp();
  inbound.onCommand = ({ surface }, _, words) => surface.say(say(words));
  const conversation = { platform: 'telegram', channel: group.id };
  const card = await bot.post({ conversation, card: say('card'), key: 'c', mayStand: false });
  if (card.kind !== 'delivered') throw new Error(card.kind);
  for (let n = 0; n < 3; n++) people[n]?.type(group, `/say answer ${n}`);
  await pass(0);
  const end = { conversation, card: say('end'), key: 'e', mayStand: false } as const;
  const edited = () => bot.edit(card.ref, say('card, pending'), 'pending');
  const waits = await edited();
  const ends = await bot.post(end);
  if (waits.kind !== 'rateLimited' || ends.kind !== 'rateLimited') throw new Error('no wait');
  expect(ends.retryAfterMs).toBeLessThanOrEqual(1_200);
  await pass(ends.retryAfterMs);
  // Telegram counts in its own time: asked at the moment that was named.
  expect([said()[1] === 'end' || (await bot.post(end)).kind === 'delivered']).toEqual([true]);
  await pass(10_000);
  expect(said()).toEqual(['card', 'end', 'answer 0', 'answer 1', 'answer 2']);
});

const QUESTION: Card = {
  ...say('Charge?'),
  buttons: [{ kind: 'press', label: 'Charge', verb: 'charge', id: '1', style: 'primary' }],
};

it('a question goes before the ends and the answers that wait, and the group sees typing until then', async () => {
  const { bot, inbound, people, group, pass, said, telegram } = await setUp();
  inbound.onCommand = ({ surface }, name, words) =>
    surface.say(name === 'charge' ? QUESTION : say(words));
  const conversation = { platform: 'telegram', channel: group.id };
  const end = (key: string) => ({ conversation, card: say(key), key, mayStand: false });
  for (let at = 0; at < 20; at++)
    for (let tries = 0; tries < 3; tries++) {
      const delivery = await bot.post(end(`end ${at}`));
      if (delivery.kind === 'delivered') break;
      await pass(delivery.kind === 'rateLimited' ? delivery.retryAfterMs : 0);
    }
  expect(said()).toHaveLength(20);
  people[0]?.type(group, '/say answer');
  await pass(0);
  const waits = await bot.post(end('the end'));
  if (waits.kind !== 'rateLimited') throw new Error('no wait');
  people[1]?.type(group, '/charge');
  await pass(waits.retryAfterMs);
  for (let tries = 0; tries < 3 && !said().includes('the end'); tries++) {
    const delivery = await bot.post(end('the end'));
    await pass(delivery.kind === 'rateLimited' ? delivery.retryAfterMs : 0);
  }
  await pass(10_000);
  expect(said().slice(20)).toEqual(['Charge?', 'the end', 'answer']);
  // One action for all that wait, as long as it is shown.
  const typing = telegram.calls('sendChatAction').length;
  expect(typing).toBeGreaterThan(4);
  expect(typing).toBeLessThan(20);
});

it('an answer that waits holds up no question', async () => {
  const { inbound, people, group, pass, said } = await setUp();
  inbound.onCommand = ({ surface }, name, words) =>
    surface.say(name === 'charge' ? QUESTION : say(words));
  // More than a group takes of them in a minute.
  for (let n = 0; n < 12; n++) people[n % 3]?.type(group, `/say answer ${n}`);
  await pass(20_000);
  expect(said()).toHaveLength(10);
  people[0]?.type(group, '/charge');
  await pass(1_500);
  expect(said().at(-1)).toBe('Charge?');
});

it('a person without any grant has one answer a minute in a group, and each has an own one', async () => {
  const { inbound, people, group, pass, said } = await setUp();
  inbound.onCommand = ({ surface, caller }: Inbound) =>
    (surface.sparing ?? surface).say(say(`for ${caller.name}`));
  const typed = Array.from({ length: 40 }, () => people[1]?.type(group, '/help'));
  people[2]?.type(group, '/help');
  await pass(30_000);
  expect(said().toSorted()).toEqual(['for Esi', 'for Yaw']);
  expect(typed.filter((each) => each?.reaction !== undefined)).toHaveLength(39);
  await pass(31_000);
  people[1]?.type(group, '/help');
  await pass(5_000);
  expect(said().filter((text) => text === 'for Yaw')).toHaveLength(2);
});

it('presses of people without any grant take no place in the group, whatever answers them', {
  tags: ['T67'],
}, async () => {
  const { bot, inbound, people, group, pass, said, telegram } = await setUp();
  const button = { kind: 'press', label: 'New charge', verb: 'new', id: '1' } as const;
  const conversation = { platform: 'telegram', channel: group.id };
  const card = { ...say('card'), buttons: [button] };
  await bot.post({ conversation, card, key: 'c', mayStand: false });
  const [shown] = group.fromBot;
  if (shown === undefined) throw new Error('no card');
  const answers = ['say', 'whisper', 'replace', 'answerPress'] as const;
  let answer = 0;
  inbound.onPress = ({ surface }) => {
    const way = answers[answer++ % answers.length] ?? 'say';
    return (surface.sparing ?? surface)[way](say('You cannot do this yet'), 'over');
  };
  const presses = Array.from({ length: 12 }, () => people[1]?.press(shown, 'New charge'));
  await pass(30_000);
  expect(presses.map((press) => press?.answer)).toEqual(
    presses.map(() => 'You cannot do this yet'),
  );
  expect(said()).toEqual(['card']);
  expect(telegram.ledger.filter(({ method }) => /edit|send/i.test(method))).toHaveLength(1);
});

it('says in one line, when there is room, that answers were given up', async () => {
  const { inbound, people, group, pass, said } = await setUp();
  inbound.onCommand = ({ surface }, _, words) => surface.say(say(words));
  for (let n = 0; n < 60; n++) people[n % 3]?.type(group, `/say answer ${n}`);
  await pass(300_000);
  const lines = said().filter((text) => /^I could not answer everything here/.test(text));
  expect([lines.length, said().length < 60]).toEqual([1, true]);
});

it.each(['replace', 'answerPress', 'close', 'after'] as const)(
  'an edit by %s that was given up is told in that line as well, and logged',
  async (way) => {
    const { bot, inbound, people, group, pass, said, telegram, logged } = await setUp();
    const conversation = { platform: 'telegram', channel: group.id };
    await bot.post({ conversation, card: QUESTION, key: 'q', mayStand: false });
    const [question] = group.fromBot;
    if (question === undefined) throw new Error('no question');
    const ref = { conversation, message: String(question.id) };
    const over = say('Cancelled');
    inbound.onPress = async ({ surface }) => {
      if (way === 'close') await surface.questions?.close(ref, over);
      else if (way === 'after') await surface.questions?.after(ref, over).say(over);
      else await surface[way](over, 'over');
    };
    await pass(2_000);
    telegram.failNext('editMessageText', { kind: 'rateLimit', retryAfterSeconds: 90 });
    people[0]?.press(question, 'Charge');
    await pass(80_000);
    expect(logged()).toContain('did not reach Telegram');
    await pass(60_000);
    expect(said()).toEqual(['Charge?', expect.stringMatching(/^I could not answer everything/)]);
  },
);
