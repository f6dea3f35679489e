import { type BranchKey, branchOf } from '../../core/records/branches.ts';
import { type FigureGroup, minorIn, QUARTER_MS } from '../../core/records/payment-figures.ts';
import { partsOf } from '../../core/values/calendar-day.ts';
import { dayAndMonth } from '../../core/values/format-time.ts';
import { type NetworkCode, networkLabel, type PaymentOption } from '../../core/values/network.ts';
import type { Services } from '../command.ts';
import { type DayFigure, type Sums, sumsOf } from './sums.ts';

/** What sums are told by. */
export type SumGroup = 'person' | 'network' | 'option' | 'branch' | 'merchant' | 'day' | 'hour';

export type ReportRow = { readonly label: string; readonly sums: Sums };

/** A figure with whatever a report may be asked for. */
export type Figure = DayFigure & Partial<DayFigure<FigureGroup>>;
type FiguresNeeds = Pick<Services, 'store' | 'notify' | 'settings'>;

type Grouping = {
  readonly columns: readonly FigureGroup[];
  readonly keyOf: (figure: Figure, reading: FiguresNeeds) => string | number;
  readonly labelOf: (key: string, reading: FiguresNeeds) => string | Promise<string>;
  /** Rows are in the order of their keys, instead of by their sums. */
  readonly isTime?: true;
};

const NO_BRANCH = 'No branch';

const GROUPINGS: Readonly<Record<SumGroup, Grouping>> = {
  person: {
    columns: ['requester'],
    keyOf: ({ requester = '' }) => requester,
    labelOf: async (requester, { store }) => {
      const { payments } = await store.listPayments({ requester }, { limit: 1 });
      return payments[0]?.requester.name ?? requester;
    },
  },
  network: {
    columns: ['network'],
    keyOf: ({ network = '' }) => network,
    labelOf: (network) => networkLabel(network as NetworkCode),
  },
  option: {
    columns: ['option'],
    keyOf: ({ option = '' }) => option,
    labelOf: (option) => OPTIONS[option as PaymentOption],
  },
  branch: {
    columns: ['place', 'requester'],
    keyOf: ({ place = '', requester = '' }, { notify }) =>
      branchOf(notify.rules.branches, branchKeyOf(place, requester)) ?? NO_BRANCH,
    labelOf: (branch) => branch,
  },
  merchant: {
    columns: ['merchant'],
    keyOf: ({ merchant }, { settings }) => merchant ?? settings.texts.shop,
    labelOf: (merchant) => merchant,
  },
  day: {
    columns: [],
    keyOf: ({ day }) => day,
    labelOf: (day) => dayAndMonth(Number(day)),
    isTime: true,
  },
  hour: {
    columns: ['quarter'],
    keyOf: (figure, { settings }) => hourOf(figure, settings.timeZone),
    labelOf: (hour) => hourLabel(Number(hour)),
    isTime: true,
  },
};

export const hourOf = ({ quarter = 0 }: Figure, timeZone: string): number =>
  Number(partsOf(quarter * QUARTER_MS, timeZone).hour);

/** `09:00` */
export const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const OPTIONS: Readonly<Record<PaymentOption, string>> = {
  MOM: 'Mobile money',
  CRD: 'Card',
  CRM: 'Checkout link',
};

export const branchKeyOf = (place: string, person: string): BranchKey => {
  const [platform = '', ...channel] = place.split(':');
  const [personsPlatform = '', ...id] = person.split(':');
  return {
    conversation: { platform, channel: channel.join(':') },
    requester: { platform: personsPlatform, id: id.join(':'), name: '' },
  };
};

export const columnsFor = (by: SumGroup): readonly FigureGroup[] => GROUPINGS[by].columns;

/** So many rows at most are shown in a chat. */
const MOST_ROWS = 10;

/** The rows of a report: the largest sums in the main currency first; those of days and hours in their order. */
export const sumsByGroup = async (
  figures: readonly Figure[],
  by: SumGroup,
  reading: FiguresNeeds,
  most = MOST_ROWS,
): Promise<{ readonly rows: readonly ReportRow[]; readonly left: number }> => {
  const { keyOf, labelOf, isTime } = GROUPINGS[by];
  const main = sumsOf(figures).amounts[0]?.currency;
  const groups = Map.groupBy(figures, (figure) => keyOf(figure, reading));
  const all = [...groups].map(([key, some]) => ({ key, sums: sumsOf(some) }));
  const amountOf = ({ sums }: (typeof all)[number]): number => minorIn(sums.amounts, main);
  const largest = all
    .sort((a, b) => amountOf(b) - amountOf(a) || b.sums.count - a.sums.count)
    .slice(0, most);
  if (isTime === true) largest.sort((a, b) => Number(a.key) - Number(b.key));
  const rows = largest.map(async ({ key, sums }) => ({
    label: await labelOf(String(key), reading),
    sums,
  }));
  return { rows: await Promise.all(rows), left: all.length - largest.length };
};
