import type { Card } from '../../commands/card.ts';
import type { Inbound } from '../../commands/inbound.ts';

/** Slack's own voice: it says what somebody told it to say later, and nobody can be asked whether they may. */
export const SLACKBOT = 'USLACKBOT';

const card = (title: string, text: string): Card => ({
  title,
  tone: 'warning',
  parts: [{ kind: 'text', text: `${text} Nothing was done.` }],
});

const OTHER_WORKSPACE = card(
  'Not from another workspace',
  'Paythread works only for members of the workspace where it is installed.',
);

const SHARED_CHANNEL = card(
  'Not in a channel shared with another company',
  'What Paythread writes here would be read there as well. Use a channel of your own, or a direct message.',
);

/** Channels shared with other companies bring in people whom nobody here has vetted. */
export const refuseStranger = ({ surface }: Inbound): Promise<void> => surface.say(OTHER_WORKSPACE);

/** Whoever types it may be one of us; the others would read the customer's name and the amount. */
export const refuseSharedChannel = ({ surface }: Inbound): Promise<void> =>
  surface.say(SHARED_CHANNEL);
