import type { MirrorRule } from '../../core/records/notify-rules.ts';
import { formatMoney } from '../../core/values/money.ts';

/** `completed: from GHS 500.00, failed: all, branch Osu` */
export const ruleText = ({ states, branch, person }: MirrorRule): string =>
  [
    ...Object.entries(states).map(
      ([state, from]) => `${state}: ${from === 'all' ? from : `from ${formatMoney(from)}`}`,
    ),
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(person === undefined ? [] : [`person ${person}`]),
  ].join(', ');
