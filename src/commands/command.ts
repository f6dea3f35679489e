import type { Balances } from '../core/balances/balances.ts';
import type { BulkRuns } from '../core/bulk/bulk-runs.ts';
import type { EarlierCharges } from '../core/bulk/earlier-charges.ts';
import type { UnmatchedCallbacks } from '../core/callbacks/unmatched-callbacks.ts';
import type { KeyedLimiter } from '../core/cluster/limit.ts';
import type { Gateway } from '../core/gateway/gateway.ts';
import type { ChargeFreeze } from '../core/guards/charge-freeze.ts';
import type { ChatGrants } from '../core/guards/chat-grants.ts';
import type { Suspensions } from '../core/guards/suspensions.ts';
import type { NotifyRules } from '../core/notices/notify-rules.ts';
import type { Drafts } from '../core/payments/drafts.ts';
import type { Payments } from '../core/payments/payments.ts';
import type { StatusChecker } from '../core/payments/status-checker.ts';
import type { ApprovableDraft } from '../core/records/draft.ts';
import type { Merchant } from '../core/records/merchants.ts';
import type { Payment } from '../core/records/payment.ts';
import type { AuditRow } from '../core/records/records.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Log } from '../core/runtime/log.ts';
import type { Random } from '../core/runtime/random.ts';
import type { SmsSender } from '../core/sms/sms-sender.ts';
import type { Store } from '../core/store/store.ts';
import { type Person, personOf } from '../core/values/conversation.ts';
import type { Moment } from '../core/values/format-time.ts';
import type { Platforms } from '../core/values/platform.ts';
import type { Access } from './access/access.ts';
import type { GivableRole } from './access/access-request-cards.ts';
import type { Grants } from './access/grants.ts';
import type { Card } from './cards/card.ts';
import type { Label } from './cards/sandbox-label.ts';
import type { FindApprovers } from './charge/approvers.ts';
import type { Right } from './command-rights.ts';
import type { Answers, Form, Understood } from './forms/form.ts';
import type { Caller, Inbound, IncomingFile } from './inbound.ts';
import type { TextSettings } from './sms/templates.ts';

export type Services = {
  readonly store: Store;
  readonly gateway: Gateway;
  readonly balances: Balances;
  readonly unmatched: UnmatchedCallbacks;
  readonly payments: Payments;
  readonly checks: StatusChecker;
  readonly drafts: Drafts;
  readonly freeze: ChargeFreeze;
  readonly smsSender: SmsSender;
  readonly bulkRuns: BulkRuns;
  readonly earlier: EarlierCharges;
  /** How many charges of files are asked for in a second. */
  readonly filePace: { readonly rowsPerSecond: number };
  readonly questionBudget: KeyedLimiter;
  readonly access: Pick<Access, 'grantsOf'>;
  readonly isGuest: Access['isGuest'];
  /** The conversations of a platform to which the access file gives a role. */
  readonly placesOf: (platform: string) => readonly string[];
  readonly suspensions: Suspensions;
  readonly chatGrants: ChatGrants;
  /** The roles that can be given in a chat, in the order of the access file. */
  readonly givableRoles: () => readonly GivableRole[];
  readonly notify: NotifyRules;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  /** A link to the card of a payment or run, where the platform has such links. */
  readonly linkTo: (shown: Pick<Payment, 'card'>) => Promise<string | undefined>;
  readonly approvalQuestion: (draft: ApprovableDraft) => Promise<Card>;
  readonly approversFor: FindApprovers;
  readonly mark: Label;
  readonly settings: CommandSettings;
  readonly platforms: Platforms;
};

export type CommandSettings = {
  readonly currency: string;
  readonly country: string;
  readonly timeZone: string;
  /** Approved sender ids for SMS, the default first, of several merchants those of all; empty: SMS is off. */
  readonly senderIds: readonly string[];
  readonly texts: TextSettings;
  /** Empty: there is one, which needs no name. */
  readonly merchants: readonly Merchant[];
};

/** Now, for times that are shown. */
export const momentOf = (needs: {
  readonly clock: Pick<Clock, 'now'>;
  readonly settings: Pick<CommandSettings, 'timeZone'>;
}): Moment => ({ timeZone: needs.settings.timeZone, nowMs: needs.clock.now() });

/** Whether a charge or an SMS was asked for by this person; by ids, because names can be copied. */
export const isOwn = (
  { requester }: { readonly requester: Person },
  { platform, id }: Pick<Person, 'platform' | 'id'>,
): boolean => requester.platform === platform && requester.id === id;

/** The audit row of what a caller did just now; of a record that it changed, `before` and `after` are given. */
export const rowBy = (
  caller: Caller,
  { clock }: Pick<Services, 'clock'>,
  row: Pick<AuditRow, 'kind' | 'id' | 'what'> & Partial<AuditRow>,
): AuditRow => ({
  atMs: clock.now(),
  before: null,
  after: null,
  who: personOf(caller),
  where: caller.conversation,
  ...row,
});

/** An inbound event with what its sender may do, found out just now. */
export type Context = Inbound & { readonly grants: Grants };

/** One command, the same on every platform. Help is made from these. */
export type Command = CommandRecord & { readonly name: string; readonly right: Right };

/** A command as its file makes it; its name and who may use it are in the table of `all-commands.ts`. */
export interface CommandRecord {
  /** One line, for menus. */
  readonly summary: string;
  /** What a person without the right to it cannot do, such as `charge`. */
  readonly deed: string;
  /** What follows the name, such as `<number> <amount>`. */
  readonly usage: string;
  /** Words to copy, without the name. */
  readonly examples: readonly string[];
  /** Asks for what was not typed. */
  readonly form?: Form;
  /** What the words behind its name say, as far as they are understood. */
  understood?(words: string, context: Context): Promise<Understood>;
  run(words: string, context: Context): Promise<void>;
  submit?(answers: Answers, context: Context): Promise<void>;
  /** Works on a file that came with these words. */
  takeFile?(file: IncomingFile, words: string, context: Context): Promise<void>;
  readonly forms?: readonly FormOfButton[];
  /** Its buttons, by verb. */
  readonly presses?: Readonly<Record<string, Press>>;
  /** What it offers in the menu of a message, by name; the command must be granted there. */
  readonly messageShortcuts?: Readonly<Record<string, MessageShortcut>>;
}

/** Reads the text of a message, which may be of any author, and answers the person who started it. */
export type MessageShortcut = (text: string, context: Context) => Promise<void>;

/** A form that a button shows, under a name that is no command's. */
export type FormOfButton = {
  readonly form: Form;
  /** As of a press. */
  readonly checksAccessItself?: true;
  submit(answers: Answers, context: Context): Promise<void>;
};

export type Press = {
  /** The handler itself decides who may press; otherwise the command must be granted, now. */
  readonly checksAccessItself?: true;
  /** What its button's id is of: it does nothing where that belongs to another merchant. */
  readonly of?: 'payment' | 'bulk' | 'sms';
  run(id: string, context: Context): Promise<void>;
};

/** A press that shows another card in the place of the one that was pressed. */
export const inPlace = (cardFor: (id: string, context: Context) => Promise<Card>): Press => ({
  run: async (id, context) => context.surface.replace(await cardFor(id, context)),
});
