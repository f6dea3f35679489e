import type { Bot, HomeChange } from '../bots/bot.ts';
import type { Change } from '../core/records/records.ts';
import type { OnCommit } from '../core/telemetry/observer.ts';

/** Tells the bots whose payments and questions have changed, once the change is stored: open pages are shown again. */
export const tellingHomes =
  (bots: ReadonlyMap<string, Bot>): OnCommit =>
  (change) =>
  (result) => {
    if (result !== 'stored') return;
    for (const bot of bots.values()) bot.refreshHomes?.(changedOn(bot.platform, change));
  };

const changedOn = (platform: string, { put = [] }: Change): HomeChange => {
  const asked = put.flatMap(({ kind, record }) =>
    (kind === 'payment' || kind === 'draft') && record.requester.platform === platform
      ? [{ id: record.requester.id, isDraft: kind === 'draft' && record.status !== 'open' }]
      : [],
  );
  return { people: asked.map(({ id }) => id), approvals: asked.some(({ isDraft }) => isDraft) };
};
