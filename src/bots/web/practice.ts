import type { Command } from '../../commands/command.ts';
import type { PhonePrompt, PhoneText, PromptAnswer, WireLine } from './page-state.ts';
import type { Revision } from './revision.ts';
import type { WebBot } from './web-bot.ts';

/** One visit's program: a Paythread of its own with a simulated payment service, without anything of the real one. */
export type Practice = {
  readonly bot: WebBot;
  readonly commands: readonly Command[];
  readonly revision: Revision;
  /** Payments whose customer has not answered, the oldest first. */
  prompts(): readonly PhonePrompt[];
  /** SMS to customers, the newest first. */
  texts(): readonly PhoneText[];
  /** False: the prompt is not there, or was answered before. */
  answerPrompt(id: string, answer: PromptAnswer): Promise<boolean>;
  /** What went between Paythread and the payment service, masked as the log is; the newest first. */
  wire(): readonly WireLine[];
  /** Ends the program and removes its folder. */
  stop(): Promise<void>;
};
