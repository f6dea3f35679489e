import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { inFastTime, startedBot } from './started-bot.ts';

const NOT_THERE = /^This button is no longer there/;

describe.each(['polling', 'webhook'] as const)('a pressed button, by %s', (mode) => {
  const setUp = async () => {
    const started = await startedBot({ mode, ...inFastTime() });
    const { telegram, inbound } = started;
    const ama = telegram.person('Ama Mensah');
    const kofi = telegram.person('Kofi');
    const group = telegram.group('Sales', [ama, kofi]);
    const buttons = [
      { kind: 'press', label: 'Charge GHS 50.00', verb: 'confirm', id: 'd1' },
      { kind: 'link', label: 'Open', url: 'https://pay.example.com' },
    ] as const;
    inbound.onCommand = (event) => event.surface.say({ title: 'Charge?', parts: [], buttons });
    const typed = ama.type(group, '/charge 0244123456 50');
    const question = await group.waitFor(/Charge\?/);
    await started.next();
    return { ...started, ama, kofi, group, typed, question };
  };

  it('brings verb and id, who pressed, and the command it belongs to', async () => {
    const { kofi, group, typed, question, next } = await setUp();
    kofi.press(question, 'Charge GHS 50.00');
    const event = await next();
    expect(event).toMatchObject({ kind: 'press', verb: 'confirm', id: 'd1' });
    expect(event.inbound.caller).toEqual({
      platform: 'telegram',
      id: kofi.id,
      name: 'Kofi',
      conversation: { platform: 'telegram', channel: group.id, replyTo: String(typed.id) },
    });
    expect(event.inbound.pressed).toEqual({
      ref: { conversation: event.inbound.caller.conversation, message: String(question.id) },
      canBecomeCard: true,
    });
  });

  it('counts although it can no longer be acknowledged', async () => {
    const { telegram, ama, question, next } = await setUp();
    const description =
      'Bad Request: query is too old and response timeout expired or query ID is invalid';
    telegram.failNext('answerCallbackQuery', { kind: 'refuse', code: 400, description });
    ama.press(question, 'Charge GHS 50.00');
    expect(await next()).toMatchObject({ kind: 'press' });
  });

  it('replaces its message', async () => {
    const { ama, group, question, inbound } = await setUp();
    inbound.onPress = (event) => event.surface.replace({ title: 'Done', parts: [] });
    ama.press(question, 'Charge GHS 50.00');
    expect(await group.waitFor(/Done/)).toBe(question);
    expect(question.buttons).toEqual([]);
  });

  it('answers anew where its message cannot be replaced', async () => {
    const { ama, group, question, inbound } = await setUp();
    inbound.onPress = async (event) => {
      group.deleteMessage(question);
      await event.surface.replace({ title: 'Done', parts: [] });
    };
    const anew = await ama.choose(group, question, 'Charge GHS 50.00', /Done/);
    expect(anew).not.toBe(question);
  });

  it('counts only where the message still has the button', { tags: ['T67'] }, async () => {
    const { ama, question, inbound } = await setUp();
    const typed = question.text;
    const voids = [
      ama.press(question, 'Charge GHS 50.00', { inaccessible: true }),
      ama.pressData(question, 'forged'),
      ama.pressData(question, 'confirm:d1:extra'),
    ];
    for (const press of voids)
      await eventually(() =>
        expect(press).toMatchObject({ answer: expect.stringMatching(NOT_THERE), isAlert: true }),
      );
    const presses = () => inbound.seen.filter(({ kind }) => kind === 'press');
    expect([presses(), question.text]).toEqual([[], typed]);
    inbound.onPress = (event) => event.surface.replace({ title: 'Done', parts: [] });
    ama.press(question, 'Charge GHS 50.00');
    await eventually(() => expect(question.text).toBe('Done'));
    const late = ama.press(question, 'Charge GHS 50.00', { version: 0 });
    await eventually(() => expect(late.answer).toMatch(NOT_THERE));
    expect(presses()).toHaveLength(1);
  });

  it('is handled once, however often it is delivered', { tags: ['F56'] }, async () => {
    const { telegram, ama, question, inbound, next } = await setUp();
    const press = ama.press(question, 'Charge GHS 50.00');
    await next();
    telegram.redeliver(press.updateId);
    ama.press(question, 'Charge GHS 50.00');
    await next();
    expect(inbound.seen.filter(({ kind }) => kind === 'press')).toHaveLength(2);
  });

  it('says that nothing is certain when it fails inside', async () => {
    const { ama, group, question, inbound } = await setUp();
    inbound.onPress = async () => {
      throw new Error('broken');
    };
    ama.press(question, 'Charge GHS 50.00');
    expect((await group.waitFor(/Something went wrong/)).text).toMatch(/may have worked/);
  });
});
