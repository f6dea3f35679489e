import { chargeLabel, chargeQuestion } from '../charge-label.ts';
import type { Chat } from './chat.ts';
import type { SimMessage } from './message.ts';
import type { Person } from './person.ts';

/** Types `/charge` with these words, such as `0244123456 50`, and presses the button of the question, which becomes the card and is returned. */
export const chargeInTelegram = async (
  who: Person,
  chat: Chat,
  words: string,
): Promise<SimMessage> => {
  who.type(chat, `/charge ${words}`);
  const question = await chat.waitFor(chargeQuestion(words));
  who.press(question, chargeLabel(words));
  return question;
};
