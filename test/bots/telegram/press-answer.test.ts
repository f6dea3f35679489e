import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Inbound } from '../../../src/commands/inbound.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startedBot } from './started-bot.ts';

const REFUSAL: Card = {
  title: 'Only Ama can press this',
  tone: 'warning',
  parts: [{ kind: 'text', text: 'Press the button.', alone: 'Ask her.' }],
  buttons: [{ kind: 'press', label: 'Ask for access', verb: 'ask', id: '1' }],
};

const setUp = async (onPress: (inbound: Inbound) => Promise<void>) => {
  const clock = new ManualClock();
  const started = await startedBot({ clock, simulator: { now: () => clock.now(), flood: false } });
  const { telegram, inbound } = started;
  const ama = telegram.person('Ama Mensah');
  const kofi = telegram.person('Kofi');
  const group = telegram.group('Sales', [ama, kofi]);
  const buttons = [{ kind: 'press', label: 'Charge', verb: 'charge', id: 'd1' }] as const;
  inbound.onCommand = (event) => event.surface.say({ title: 'Charge?', parts: [], buttons });
  inbound.onPress = onPress;
  const question = await ama.ask(group, '/charge 0244123456 50', /Charge\?/);
  // A group bears one message a second.
  await clock.advance(2_000);
  return { ...started, clock, ama, kofi, group, question };
};

const answersTo = ({ telegram }: Awaited<ReturnType<typeof setUp>>) =>
  telegram.calls('answerCallbackQuery').map(({ params, status }) => ({ ...params, status }));

describe('a refused press in Telegram', () => {
  it('is answered once in the press itself, as an alert without buttons, and nothing is posted', async () => {
    const shop = await setUp((event) => event.surface.answerPress(REFUSAL));
    const own = shop.telegram.privateChat(shop.kofi);
    const press = shop.kofi.press(shop.question, 'Charge');
    await eventually(() => expect(press.answer).toBe('Only Ama can press this\nAsk her.'));
    await shop.bot.stop();
    expect(press.isAlert).toBe(true);
    expect(answersTo(shop)).toHaveLength(1);
    expect(shop.group.fromBot).toEqual([shop.question]);
    expect(own.fromBot).toEqual([]);
    expect(shop.question.buttons).toHaveLength(1);
  });

  it('says whole sentences of at most 200 characters', async () => {
    const text = `${'One more word. '.repeat(20)}`;
    const shop = await setUp((event) =>
      event.surface.answerPress({ title: 'Too late', parts: [{ kind: 'text', text }] }),
    );
    const press = shop.kofi.press(shop.question, 'Charge');
    await eventually(() => expect(press.answer).toMatch(/^Too late\nOne more word\..*word\.$/));
    expect(press.answer?.length).toBeLessThanOrEqual(200);
  });

  it('takes the buttons away as well when nothing can be pressed there any more', async () => {
    const shop = await setUp((event) => event.surface.answerPress(REFUSAL, 'over'));
    const press = shop.ama.press(shop.question, 'Charge');
    await eventually(() => expect(shop.question.text).toMatch(/Only Ama can press this/));
    expect(press.isAlert).toBe(true);
    expect(shop.group.fromBot).toEqual([shop.question]);
  });

  it('is told in the private chat and never in the group when Telegram takes no answer any more', {
    tags: ['F19'],
  }, async () => {
    const shop = await setUp((event) => event.surface.answerPress(REFUSAL));
    const own = shop.telegram.privateChat(shop.kofi);
    const description =
      'Bad Request: query is too old and response timeout expired or query ID is invalid';
    shop.telegram.failNext('answerCallbackQuery', { kind: 'refuse', code: 400, description });
    shop.kofi.press(shop.question, 'Charge');
    const told = await own.waitFor(/Only Ama can press this/);
    expect(told.buttons).toEqual([]);
    expect(shop.group.fromBot).toEqual([shop.question]);
  });
});

describe('an answer that comes late in Telegram', () => {
  const late = async (seconds: number, how: 'answerPress' | 'whisper' = 'answerPress') => {
    const shop = await setUp(async (event) => {
      await shop.clock.sleep(seconds * 1_000);
      await event.surface[how](REFUSAL);
    });
    const own = shop.telegram.privateChat(shop.kofi, { started: false });
    const press = shop.kofi.press(shop.question, 'Charge');
    await eventually(() => expect(shop.inbound.seen.at(-1)?.kind).toBe('press'));
    await shop.clock.advance(seconds * 1_000);
    return { ...shop, own, press };
  };

  it('is an answer to the press, which stays open for it', async () => {
    const { press, group, question } = await late(8);
    await eventually(() => expect(press.answer).toMatch(/^Only Ama can press this/));
    expect(group.fromBot).toEqual([question]);
  });

  it.each(['answerPress', 'whisper'] as const)(
    'of %s is one line in the group, which names the person and not the answer, where the person cannot be written to',
    async (how) => {
      const { group, own, question } = await late(20, how);
      await group.waitFor(
        /^Kofi, I cannot write to you privately yet\.[\s\S]*https:\/\/t\.me\/[\s\S]*do this again/,
      );
      expect(group.fromBot).toHaveLength(2);
      expect(own.fromBot).toEqual([]);
      expect(question.buttons).toHaveLength(1);
    },
  );
});

describe('a press in Telegram that counts', () => {
  it('stops spinning when its message is edited, and is answered once', async () => {
    const shop = await setUp((event) => event.surface.replace({ title: 'Done', parts: [] }));
    const press = shop.ama.press(shop.question, 'Charge');
    await eventually(() => expect(shop.question.text).toMatch(/Done/));
    await shop.bot.stop();
    expect(press).toMatchObject({ answer: '', isAlert: false });
    expect(answersTo(shop)).toHaveLength(1);
  });

  it('stops spinning when its handler has ended without a word', async () => {
    const shop = await setUp(async () => {});
    const press = shop.ama.press(shop.question, 'Charge');
    await eventually(() => expect(press.answer).toBe(''));
  });

  it('stops spinning after ten seconds while it is still worked on', async () => {
    let finish = () => {};
    const shop = await setUp(() => new Promise((resolve) => (finish = resolve)));
    const press = shop.ama.press(shop.question, 'Charge');
    await eventually(() => expect(shop.inbound.seen.at(-1)?.kind).toBe('press'));
    await shop.clock.advance(9_999);
    expect(press.answer).toBeUndefined();
    await shop.clock.advance(1);
    await eventually(() => expect(press.answer).toBe(''));
    finish();
  });

  it('that shows something in private says so in the press, and posts nothing in the group', async () => {
    const shop = await setUp((event) => event.surface.whisper({ title: 'Secret', parts: [] }));
    const own = shop.telegram.privateChat(shop.kofi);
    const press = shop.kofi.press(shop.question, 'Charge');
    await own.waitFor(/Secret/);
    await eventually(() => expect(press).toMatchObject({ answer: 'Sent to you privately.' }));
    expect(press.isAlert).toBe(false);
    expect(shop.group.fromBot).toEqual([shop.question]);
  });

  it.each([
    ['did not answer', { kind: 'html', status: 502 }],
    ['is busy', { kind: 'rateLimit', retryAfterSeconds: 90 }],
  ] as const)(
    'does not tell a person to press Start where Telegram %s, and logs the loss',
    async (_what, fault) => {
      const shop = await setUp((event) => event.surface.whisper({ title: 'Secret', parts: [] }));
      const own = shop.telegram.privateChat(shop.kofi);
      shop.telegram.failNext('sendMessage', fault);
      const press = shop.kofi.press(shop.question, 'Charge');
      await eventually(() => expect(shop.logged()).toContain('did not reach Telegram'));
      await shop.clock.advance(10_000);
      await eventually(() => expect(press.answer).toBe(''));
      await shop.clock.advance(90_000);
      const isTold = fault.kind === 'rateLimit';
      if (isTold) await own.waitFor(/^I could not answer everything here/);
      expect([own.fromBot.length, shop.group.fromBot]).toEqual([isTold ? 1 : 0, [shop.question]]);
    },
  );

  it('says in the press how to open the private chat that is still closed', async () => {
    const shop = await setUp((event) => event.surface.whisper({ title: 'Secret', parts: [] }));
    const press = shop.kofi.press(shop.question, 'Charge');
    await eventually(() => expect(press.answer).toMatch(/Open a private chat with me/));
    expect(press.isAlert).toBe(true);
    expect(shop.group.fromBot).toEqual([shop.question]);
  });
});
