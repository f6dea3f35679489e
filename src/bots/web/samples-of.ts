import type { Command } from '../../commands/command.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { buttonValue } from '../button-value.ts';
import type { Sample } from '../platform.ts';
import { PEOPLE } from './people.ts';
import type { Practice } from './practice.ts';
import { buttonsOf } from './web-bot.ts';

const { esi: OWNER } = PEOPLE;
const LOOK = 'slack';
const NAP_MS = 50;
const MOST_NAPS = 100;

/** What commands answer and ask. Made from the commands, so a new one needs no entry here. */
export const samplesOf = async (practice: Practice, clock: Clock): Promise<readonly Sample[]> => {
  const { bot, commands, prompts, answerPrompt } = practice;
  const samples = new Map<string, Sample>();
  const add = (sample: Sample) => samples.set(JSON.stringify(sample), sample);
  const messages = () => bot.room.seenBy(OWNER.id, LOOK);
  const collect = () => {
    for (const { said } of messages())
      if (!('by' in said)) add({ name: `the card "${said.title}"`, card: said });
    const open = bot.formBefore(OWNER);
    if (open === undefined) return;
    const { form, answers, annotations } = open;
    add({ name: `the form "${form.title}", filled in`, form, answers, annotations });
    bot.closeForm(OWNER);
  };
  const pressed = new Set<string>();
  const unpressed = () =>
    messages()
      .flatMap((message) => buttonsOf(message).map((button) => ({ id: message.id, button })))
      .find(({ button }) => !pressed.has(button.verb));
  const pressAll = async () => {
    for (let next = unpressed(); next !== undefined; next = unpressed()) {
      pressed.add(next.button.verb);
      await bot.press(OWNER, LOOK, next.id, buttonValue(next.button));
      collect();
    }
  };
  const until = async (isSo: () => boolean) => {
    for (let naps = 0; naps < MOST_NAPS && !isSo(); naps += 1) await clock.sleep(NAP_MS);
  };

  for (const { form, forms = [] } of commands)
    for (const each of [...(form === undefined ? [] : [form]), ...forms.map(({ form }) => form)])
      add({ name: `the form "${each.title}"`, form: each });
  const play = async ({ name, examples }: Command) => {
    for (const words of new Set(['', ...examples])) {
      await bot.type(OWNER, LOOK, `/${name} ${words}`);
      collect();
    }
    await pressAll();
  };
  // The first is a charge: its payment ends before /notify chooses that no outcome is told.
  const [first, ...others] = commands;
  if (first !== undefined) await play(first);
  await until(() => prompts().length > 0 && unpressed() !== undefined);
  collect();
  await pressAll();
  const replies = () => messages().filter(({ under }) => under !== undefined).length;
  const before = replies();
  for (const { id } of prompts()) await answerPrompt(id, 'approved');
  await until(() => replies() > before);
  collect();
  for (const each of others) await play(each);
  return [...samples.values()];
};
