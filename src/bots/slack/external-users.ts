import { logRefusal } from '../../commands/access/denial.ts';
import type { Card } from '../../commands/cards/card.ts';
import type { Inbound } from '../../commands/inbound.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import type { Log } from '../../core/runtime/log.ts';

/** Slack's own account. It posts what a person scheduled earlier, so that person's rights cannot be asked now. */
export const SLACKBOT = 'USLACKBOT';

const card = (title: string, text: string): Card => ({
  title,
  tone: 'warning',
  parts: [{ kind: 'text', text: `Nothing was done. ${text}` }],
});

const OTHER_WORKSPACE = card(
  'Not from another workspace',
  'I work only for members of this workspace.',
);

const SHARED_CHANNEL = card(
  'Not in a channel shared with another company',
  'The other company would read my answers. Use a channel of your own, or a direct message.',
);

const MOST_EVENTS = 1_000;

/** Says why nothing is done, once for each event however often it is delivered. */
export class Refusals {
  readonly #told = new BoundedMap<string, true>(MOST_EVENTS);
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Channels shared with other companies bring in people whom this workspace never admitted. */
  otherWorkspace(inbound: Inbound): Promise<void> {
    return this.#say(inbound, OTHER_WORKSPACE, 'anything, from another workspace');
  }

  /** The writer may be a member; the other company would read the customer's name and the amount. */
  sharedChannel(inbound: Inbound): Promise<void> {
    return this.#say(inbound, SHARED_CHANNEL, 'a mention in a shared channel');
  }

  async #say(inbound: Inbound, why: Card, what: string): Promise<void> {
    const { eventId, surface } = inbound;
    if (this.#told.has(eventId)) return;
    this.#told.set(eventId, true);
    logRefusal(this.#log, inbound, what);
    await surface.say(why);
  }
}
