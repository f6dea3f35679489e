import { pagesOf } from '../../core/bulk/bulk-pages.ts';
import { limitGuard } from '../../core/guards/limit-guards.ts';
import { bulkRunId } from '../../core/records/bulk.ts';
import type { BulkDraft } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import { personOf } from '../../core/values/conversation.ts';
import { formatMoney } from '../../core/values/money.ts';
import { grantsOfFiles } from '../access/access.ts';
import { logRefusal, mayNotApprove } from '../access/denial.ts';
import { plainCard } from '../cards/card.ts';
import { approvalEndCard } from '../charge/approval-cards.ts';
import { countedRoles, notChargedCard, roomToday } from '../charge/charge-limits.ts';
import type { Context, Services } from '../command.ts';
import { GuardedConfirmations, overtakenCard } from '../draft-buttons.ts';
import { chargingAt } from '../merchants.ts';
import { dryRunCard } from './dry-run-card.ts';
import { customersText } from './file-facts.ts';
import { chargesOf, type LookedAt, lookForRepeats } from './repeated-rows.ts';
import { newestRun, runCard } from './run-card.ts';

type Tell = () => Promise<void>;

/** Turns the pressed dry run of a file into its run, after the checks that a single charge has. */
export class BulkConfirmation {
  readonly #services: Services;
  readonly #confirmations = new GuardedConfirmations();

  constructor(services: Services) {
    this.#services = services;
  }

  async run(draft: BulkDraft, button: string, context: Context): Promise<void> {
    await this.#confirmations.run('files', draft.id, () => this.#try(draft, button, context));
  }

  async #try(draft: BulkDraft, button: string, context: Context): Promise<Tell | 'again'> {
    const services = this.#services;
    const { store, clock, access, log, settings } = services;
    const { requester, conversation, terms } = draft;
    const { surface, caller: presser } = context;
    const caller = { ...requester, conversation };
    const granted = await access.grantsOf(caller);
    const grants = grantsOfFiles(granted);
    // Read before the checks below: a change after this line changes a guard, and the store refuses the commit.
    const about = new Set([
      `${requester.platform}:${requester.id}`,
      `${presser.platform}:${presser.id}`,
      ...countedRoles(grants).map((role) => `role:${role}`),
    ]);
    const guards = await Promise.all(
      [...about].map((text) => limitGuard({ store, clock }, text, draft.id)),
    );
    if (draft.status === 'awaiting approval') {
      const own = await access.grantsOf(presser);
      if (!own.approve) {
        const why = mayNotApprove(services, { ...context, grants: own });
        return () => surface.refusePress(why);
      }
    }
    const asked = await access.grantsOf(caller);
    if (!asked.may('bulk')) {
      logRefusal(log, context, 'a file for somebody who may not any more');
      return () => surface.refusePress(mayNotCard(requester.name));
    }
    const charging = chargingAt(settings, caller);
    if (!charging.ok) return () => surface.refusePress(charging.why);
    if (charging.merchant?.name !== terms.merchant)
      return () => surface.refusePress(otherMerchantCard);
    const room = await roomToday(services, grantsOfFiles(asked), requester, terms.total);
    if (!room.fits) return () => surface.replace(notChargedCard(room.why));
    // The same file was confirmed by another press.
    const other = await newestRun(services, bulkRunId(terms));
    if (other !== undefined) return () => surface.refusePress(runCard(other, 'same file'));
    const looked = await lookForRepeats(services, await chargesOf(services, draft), terms);
    if (looked.hasNew) return () => this.#askAgain(draft, looked, button, context);
    return this.#confirm(draft, { button, guards, countedFor: room.role }, context);
  }

  async #confirm(
    draft: BulkDraft,
    press: Pick<Parameters<Services['bulkRuns']['confirm']>[2], 'button' | 'guards' | 'countedFor'>,
    context: Context,
  ): Promise<Tell | 'again'> {
    const { surface, caller, pressed } = context;
    const { bulkRuns, drafts } = this.#services;
    const question = draft.status === 'awaiting approval' ? draft.question : pressed;
    const card = question?.canBecomeCard === true ? { card: question.ref } : {};
    const where = caller.conversation;
    const run = await bulkRuns.confirm(draft, personOf(caller), { ...press, where, ...card });
    if (run !== undefined) return () => this.#tellConfirmed(draft, run.confirmedAtMs, context);
    const newest = await drafts.get(draft.id);
    if (newest?.version !== draft.version) {
      const why = await overtakenCard(draft.id, this.#services);
      return () => surface.refusePress(why);
    }
    return 'again';
  }

  /** For charges like those of its rows that came after the file was shown. */
  async #askAgain(
    draft: BulkDraft,
    { rows, repeated }: LookedAt,
    button: string,
    { caller, surface }: Context,
  ): Promise<void> {
    const { store, clock, drafts, approvalQuestion } = this.#services;
    const of = { of: draft.id, run: bulkRunId(draft.terms), nowMs: clock.now() };
    const { puts: pages, digests } = await pagesOf(store, rows, of);
    const changed = {
      ...draft,
      terms: { ...draft.terms, pages: digests },
      ...defined({ repeated }),
    };
    const press = { button, where: caller.conversation };
    const told = repeated?.warnings ?? [];
    const shown = await drafts.showAgain<BulkDraft>(changed, caller, press, { told, pages });
    if (shown === undefined)
      return surface.refusePress(await overtakenCard(draft.id, this.#services));
    const question = shown.status === 'open' ? dryRunCard(shown) : approvalQuestion(shown);
    await surface.replace(await question);
  }

  async #tellConfirmed(draft: BulkDraft, closedAtMs: number, context: Context): Promise<void> {
    const { surface, caller, pressed } = context;
    const { timeZone } = this.#services.settings;
    const closed = { closedBy: personOf(caller), closedAtMs };
    if (draft.status === 'awaiting approval')
      await surface.replace(approvalEndCard({ ...draft, ...closed, status: 'done' }, timeZone));
    else if (pressed?.canBecomeCard === false)
      await surface.replace(
        plainCard(
          `Confirmed: ${customersText(draft.terms.rows)}, ${formatMoney(draft.terms.total)}`,
        ),
      );
  }
}

const mayNotCard = (name: string) =>
  plainCard('Not possible any more', `${name} may no longer charge files. Nothing was charged.`);

const otherMerchantCard = plainCard(
  'Not possible any more',
  'This conversation charges for another merchant now. Nothing was charged. Send the file again.',
);
