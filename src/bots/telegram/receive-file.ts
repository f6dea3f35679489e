import type { Api } from 'grammy';
import type { IncomingFile } from '../../commands/inbound.ts';
import { incomingFile } from '../incoming-file.ts';
import type { BotParts } from '../platform.ts';
import { downloadBytes } from '../quick-fetch.ts';
import { safeError } from './failure.ts';
import type { Document } from './read-update.ts';
import type { TelegramSettings } from './settings.ts';

type TelegramFileParts = TelegramSettings & Pick<BotParts, 'clock' | 'log'> & { readonly api: Api };

/** A document that a person sent: https://core.telegram.org/bots/api#getfile */
export const receivedFile = (
  { id, name, size }: Document,
  { api, token, apiRoot, ...parts }: TelegramFileParts,
): IncomingFile =>
  incomingFile(
    {
      name,
      size,
      download: async (mostBytes, signal) => {
        const { file_path: path } = await api.getFile(id);
        if (path === undefined || !isWithin(path)) throw new Error('Telegram named no file.');
        return downloadBytes(`${apiRoot}/file/bot${token}/${path}`, mostBytes, signal);
      },
      // The token is in the address, which an error may name.
      safeError,
    },
    parts,
  );

/** A path such as `documents/file_0.csv`; another server of the Bot API gives a path of its own machine. */
const isWithin = (path: string): boolean =>
  /^[\w./-]+$/.test(path) && !path.startsWith('/') && !path.includes('..');
