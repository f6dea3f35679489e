import type { BotCommand } from 'grammy/types';
import { LIMITS } from './limits.ts';

/** A command as the menu shows it. */
export type MenuCommand = { readonly name: string; readonly description: string };

/** The menu behind Telegram's `/` button; commands whose names it cannot show still work when typed. */
export const menuOf = (commands: readonly MenuCommand[]): BotCommand[] =>
  commands
    .filter(({ name, description }) => LIMITS.commandName.test(name) && description.trim() !== '')
    .slice(0, LIMITS.commands)
    .map(({ name, description }) => ({
      command: name,
      description: description.trim().slice(0, LIMITS.commandDescriptionLength),
    }));
