import { Readable } from 'node:stream';
import { request } from 'undici';
import type { FileBlob, OutgoingFile } from '../../commands/cards/outgoing-file.ts';
import type { FileDelivery } from '../../commands/inbound.ts';
import { cut } from '../sanitise.ts';
import { isAbout, refusalCode, whyFailed } from './failure.ts';
import { limits } from './limits.ts';
import { channelPace, waitingOut } from './rate-limit.ts';
import { isSlacks } from './response-url.ts';
import type { SlackParts } from './sdk.ts';

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
    log.warn({ failure: whyFailed(error) }, 'a file was not shared in Slack');
    return { ok: false, remedy: adviceOn(error) };
  }
};

const adviceOn = (error: unknown): string => {
  if (refusalCode(error) === 'missing_scope')
    return 'I may not send files yet. An administrator has to give me files:write in Slack.';
  return isAbout(error, 'file')
    ? 'Your workspace does not let me send this file. Ask a workspace administrator.'
    : 'Slack did not take the file. Look into our private chat, then try again.';
};

/** From the last byte that was taken to Slack's answer. */
const TIMEOUT_MS = 60_000;

/**
 * Shares a file in a channel, whose turn has come, in three steps: https://docs.slack.dev/messaging/working-with-files. Rejects
 * as the last step does.
 */
export const shareFile = async (
  { clients, apiUrl, clock }: Pick<SlackParts, 'clients' | 'apiUrl' | 'clock'>,
  channel: string,
  { name, content, title, altText }: OutgoingFile,
): Promise<void> => {
  const { files } = clients.answers;
  const alt = cut(altText ?? '', limits.altText);
  const { upload_url: url = '', file_id: id = '' } = await waitingOut(clock, () =>
    files.getUploadURLExternal({
      filename: name,
      length: content.size,
      // Slack documents `alt_txt`; the SDK (8.2) knows it as `alt_text`.
      ...(alt === '' ? {} : { alt_text: alt, alt_txt: alt }),
    }),
  );
  if (!isSlacks(url, apiUrl)) throw new Error('the address for a file is not of Slack');
  await upload(url, content);
  await waitingOut(clock, () =>
    files.completeUploadExternal({ files: [{ id, title }], channel_id: channel }),
  );
};

/** The address alone gives the right to upload, so the token is not sent along. */
const upload = async (url: string, content: FileBlob): Promise<void> => {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': content.type, 'content-length': String(content.size) },
    body: Readable.fromWeb(content.stream()),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`Slack answered a file with HTTP ${statusCode}`);
};
