import type { IncomingFile } from '../../commands/inbound.ts';
import { incomingFile } from '../incoming-file.ts';
import type { BotParts } from '../platform.ts';
import { downloadBytes } from '../quick-fetch.ts';
import type { FileSaid } from './read-event.ts';
import { isGovSlack, isSlackHost } from './response-url.ts';
import type { SlackSettings } from './settings.ts';

type SlackFileParts = SlackSettings & Pick<BotParts, 'clock' | 'log'>;

/**
 * A file that was shared with the bot. Its address comes with the event and is asked with the bot's token, so it has to
 * be of Slack: elsewhere the token would be given away.
 */
export const receivedFile = ({ name, size, url }: FileSaid, parts: SlackFileParts): IncomingFile =>
  incomingFile(
    {
      name,
      size,
      download: async (mostBytes, signal) => {
        if (url === undefined || !mayHaveToken(url, parts.apiUrl))
          throw new Error('The address of a file is not of Slack.');
        const headers = { authorization: `Bearer ${parts.botToken}` };
        return downloadBytes(url, mostBytes, signal, headers);
      },
      // Neither the address nor the token is in its message.
      safeError: (error) => (error instanceof Error ? error.message : 'no answer'),
    },
    parts,
  );

/** The host of `SLACK_API_URL`, and those of Slack; those of GovSlack where `SLACK_API_URL` is there. */
export const mayHaveToken = (url: string, apiUrl: string): boolean => {
  if (!URL.canParse(url)) return false;
  const [given, api] = [new URL(url), new URL(apiUrl)];
  const isOther = isGovSlack(given) && !isGovSlack(api);
  return given.origin === api.origin || (isSlackHost(given) && !isOther);
};
