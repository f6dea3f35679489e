import type { Person } from '../values/conversation.ts';
import type { Suspensions } from './suspensions.ts';

/** What is about to be sent. */
type Waiting = {
  readonly requester: Person;
  readonly approver?: Person;
  /** How often the service answered 429 to it. */
  readonly rateLimits: number;
};

/** Returns why something confirmed must not be sent any more, as a sentence; undefined when it may be sent. */
export const whyStopped = async (
  suspensions: Pick<Suspensions, 'all'>,
  { requester, approver, rateLimits }: Waiting,
): Promise<string | undefined> => {
  const suspended = new Set((await suspensions.all()).map(({ of }) => of));
  const stopped = [requester, approver].find(
    (person) => person !== undefined && suspended.has(`${person.platform}:${person.id}`),
  );
  if (stopped === undefined) return undefined;
  return `${stopped.name} was stopped before it was sent${rateLimits === 0 ? '' : ' again'}.`;
};
