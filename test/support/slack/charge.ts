import { chargeLabel, chargeQuestion } from '../charge-label.ts';
import type { Person } from './person.ts';

/** Types `/charge` with these words, such as `0244123456 50`, and presses the button of the question. */
export const chargeInSlack = async (who: Person, channel: string, words: string): Promise<void> => {
  await who.slash(channel, '/charge', words);
  await who.press(await who.ephemeral(chargeQuestion(words)), chargeLabel(words));
};
