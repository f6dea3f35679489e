import { z } from 'zod';
import type { CardExamination, Sample } from '../platform.ts';
import { cardToMessage } from './card-to-blocks.ts';
import { formToModal } from './form-to-modal.ts';

/** `blocks.validate`, as Slack documents it: what is wrong, by JSON pointer. */
const verdict = z.object({
  ok: z.boolean(),
  error: z.string().default('without a reason'),
  errors: z
    .array(z.object({ pointer: z.string().default(''), message: z.string().default('') }))
    .default([]),
});
/** Anything else is no word about the sample. */
const REFUSED = ['invalid_blocks', 'invalid_message', 'invalid_view'];

const MOST_SAMPLE_TRIES = 3;
const SAMPLE_WAIT_SECONDS = 10;

/** Asks Slack about each sample, one after the other; the first that stays without an answer ends it. */
export const examineCards = async (
  address: string,
  samples: readonly Sample[],
  examination: CardExamination,
): Promise<void> => {
  for (const [at, sample] of samples.entries()) {
    const said = await ask(address, sample, examination);
    if (said?.ok === true) examination.note(`Slack takes ${sample.name}.`);
    else if (said !== undefined && REFUSED.includes(said.error)) {
      const why = said.errors.map(({ pointer, message }) => `${pointer} ${message}`.trim());
      examination.wrong(
        `Slack refuses ${sample.name} (${[said.error, ...why].join('; ')}).`,
        'Please report it. Until then people see its words alone.',
      );
    } else {
      if (said !== undefined)
        examination.wrong(`Slack answers ${said.error}.`, 'Run this again later.');
      return examination.note(`Unknown: whether Slack takes the other ${samples.length - at}.`);
    }
  }
};

/** Undefined: no usable answer, which is noted. */
const ask = async (
  address: string,
  sample: Sample,
  { ask, clock }: CardExamination,
): Promise<z.output<typeof verdict> | undefined> => {
  for (let tries = 1; ; tries += 1) {
    const body = new URLSearchParams(payloadOf(sample));
    const reply = await ask('SLACK_API_URL', verdict, address, { method: 'POST', body });
    if (reply?.said.error !== 'ratelimited' || tries >= MOST_SAMPLE_TRIES) return reply?.said;
    const seconds = Number(reply.headers.get('retry-after')) || SAMPLE_WAIT_SECONDS;
    await clock.sleep(seconds * 1_000);
  }
};

const NOWHERE = { platform: 'slack', workspace: 'T0', channel: 'C0' } as const;

/** A message has no text there: Slack refuses it beside the blocks (node-slack-sdk#2659). */
const payloadOf = (sample: Sample): Record<string, string> =>
  'card' in sample
    ? { message: JSON.stringify({ blocks: cardToMessage(sample.card).blocks }) }
    : {
        view: JSON.stringify(
          formToModal(sample.form, sample.answers ?? {}, NOWHERE, sample.annotations),
        ),
      };
