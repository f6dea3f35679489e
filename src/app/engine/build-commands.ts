import { withSuspensions } from '../../commands/access/suspended-access.ts';
import { allCommands } from '../../commands/all-commands.ts';
import { FormSteps } from '../../commands/forms/form-steps.ts';
import { Router } from '../../commands/router.ts';
import { questionBudget } from '../../core/guards/question-budget.ts';
import { systemRandom } from '../../core/runtime/random.ts';
import type { MessageParts } from './build-messages.ts';
import type { PaymentParts } from './build-payments.ts';
import type { SenderParts } from './build-senders.ts';
import type { EngineOptions } from './engine-options.ts';

/** What is typed and pressed: the commands, their forms, and the router in front of them. */
export const buildCommands = (
  options: EngineOptions,
  { payments, drafts, freeze, suspensions }: PaymentParts,
  { chats, approvalQuestion }: MessageParts,
  { checks, smsSender }: SenderParts,
) => {
  const { store, gateway, clock, log, mark, settings, platforms, random = systemRandom } = options;
  const access = withSuspensions(options.access, suspensions);
  const commands = allCommands({
    store,
    gateway,
    payments,
    checks,
    drafts,
    freeze,
    smsSender,
    questions: questionBudget(clock),
    access,
    suspensions,
    clock,
    log,
    random,
    linkTo: async ({ card }) => card && chats.linkTo(card),
    approvalQuestion,
    settings,
    platforms,
  });
  const steps = new FormSteps({ store, clock, random });
  const { timeZone } = settings;
  const router = new Router({ commands, access, steps, mark, log, clock, timeZone });
  return { commands, steps, router };
};
