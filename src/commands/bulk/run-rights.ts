import type { RunRights } from '../../core/bulk/bulk-runner.ts';
import { commandOf } from '../../core/records/bulk.ts';
import type { Merchant } from '../../core/records/merchants.ts';
import type { Access } from '../access/access.ts';
import type { Grants } from '../access/grants.ts';
import { chargingAt } from '../merchants.ts';

type RightsNeeds = {
  /** With suspensions and the roles given in chats. */
  readonly access: Pick<Access, 'grantsOf'>;
  readonly settings: { readonly merchants: readonly Merchant[] };
};

/** Whether the requester of a run may still ask for its rows, and its approver approve them, where each of them pressed. */
export const runRights =
  ({ access, settings }: RightsNeeds): RunRights =>
  async (run) => {
    const { requester, approver, approvedIn, conversation, terms } = run;
    const caller = { ...requester, conversation };
    const own = await access.grantsOf(caller);
    const right = commandOf(terms);
    const deed = right === 'sms' ? 'send SMS' : 'charge by file';
    if (own.suspended !== undefined)
      return { why: stopped(requester.name, right === 'sms' ? 'send SMS' : 'charge') };
    if (!own.may(right))
      return isKnown(own) ? { why: `${requester.name} may not ${deed} here any more.` } : UNKNOWN;
    const charging = chargingAt(settings, caller);
    if (!charging.ok || charging.merchant?.name !== terms.merchant)
      return { why: 'Its conversation belongs to another merchant now.' };
    if (approver === undefined) return 'granted';
    const theirs = await access.grantsOf({ ...approver, conversation: approvedIn ?? conversation });
    if (theirs.suspended !== undefined) return { why: stopped(approver.name, 'approve') };
    // Before 0.13 a run did not say where it was approved, and the right may be of that place alone.
    if (theirs.approve || approvedIn === undefined) return 'granted';
    return isKnown(theirs)
      ? { why: `${approver.name} may not approve charges any more.` }
      : UNKNOWN;
  };

/** Whether the chat platform says who they are. */
const isKnown = ({ withheld }: Grants): boolean => withheld === undefined || withheld === 'guest';
const UNKNOWN = 'not known now';

const stopped = (name: string, deed: string): string =>
  `${name} is stopped and cannot ${deed} any more.`;
