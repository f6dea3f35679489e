import { type Card, plainCard } from '../../commands/cards/card.ts';

const refusal = (title: string, text: string): Card =>
  plainCard(title, `Nothing was done. ${text}`, 'warning');

export const ONE_FILE = refusal('One file at a time', 'Send each file in a message of its own.');
export const OTHER_WORKSPACE = refusal(
  'Not from another workspace',
  'I work only for members of this workspace.',
);
export const SHARED_CHANNEL = refusal(
  'Not in a channel shared with another company',
  'The other company would read my answers. Use a channel of your own, or a direct message.',
);
