import type { OutgoingFile } from '../../commands/cards/outgoing-file.ts';
import type { FileDelivery } from '../../commands/inbound.ts';
import { failureOf, failureText, remedyFor } from './failure.ts';
import { channelPace } from './outbound.ts';
import { waitingOut } from './rate-limit.ts';
import type { SlackParts } from './sdk.ts';
import { shareFile } from './share-file.ts';

/** To a person's direct channel. Never rejects. */
export const sendFile = async (
  parts: SlackParts,
  userId: string,
  file: OutgoingFile,
): Promise<FileDelivery> => {
  const { clients, pacer, clock, log } = parts;
  try {
    const channel = await waitingOut(clock, () => clients.directChannelOf(userId));
    pacer.spend([channelPace(channel)]);
    await shareFile(parts, channel, file);
    return { ok: true };
  } catch (error) {
    const failure = failureOf(error);
    log.warn({ failure: failureText(failure) }, 'a file was not shared in Slack');
    return { ok: false, remedy: failure.kind === 'said no' ? adviceOn(failure.code) : LATER };
  }
};

const LATER = 'Slack did not take the file. Look into our private chat, then try again.';

const adviceOn = (code: string): string => {
  if (code === 'missing_scope')
    return 'I may not send files yet. An administrator has to give me files:write in Slack.';
  return remedyFor(code) === 'file'
    ? 'Your workspace does not let me send this file. Ask a workspace administrator.'
    : LATER;
};
