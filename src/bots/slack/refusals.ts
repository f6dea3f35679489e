import type { Card } from '../../commands/cards/card.ts';

const refusal = (title: string, text: string): Card => ({
  title,
  tone: 'warning',
  parts: [{ kind: 'text', text: `Nothing was done. ${text}` }],
});
export const ONE_FILE = refusal('One file at a time', 'Send each file in a message of its own.');
export const OTHER_WORKSPACE = refusal(
  'Not from another workspace',
  'I work only for members of this workspace.',
);
export const SHARED_CHANNEL = refusal(
  'Not in a channel shared with another company',
  'The other company would read my answers. Use a channel of your own, or a direct message.',
);
