export type Chart = {
  /** Whose figures they are; '' where they are of several. */
  readonly shop: string;
  readonly title: string;
  readonly sum: string;
  /** How much larger or smaller the sum is than before: `50 % more than last week`. */
  readonly change?: SumChange | undefined;
  /** Of the numbers beside upright columns. */
  readonly unit: string;
  readonly lines: readonly string[];
  readonly bars: readonly Bar[];
  /** Upright columns in the order of time, else bars that lie, each with its name and sum. */
  readonly isTime: boolean;
};

type SumChange = { readonly isMore: boolean; readonly words: string };

/** `height` is not negative, in any unit that all bars share. */
export type Bar = { readonly label: string; readonly height: number; readonly text: string };

/** For a phone held upright; both chats show this shape whole. */
const WIDTH = 1080;
const MARGIN = 60;
const INNER = WIDTH - 2 * MARGIN;
/** A background of its own, so that light and dark chats show the same contrast. */
const COLOURS = {
  background: '#f7f8fa',
  text: '#16202c',
  faint: '#5b6776',
  line: '#d9dee5',
  bar: '#1f7a5c',
  less: '#b3261e',
  track: '#e6eaef',
} as const;

/** The chart as SVG, in the fonts that come with the program. */
export const chartSvg = (chart: Chart): string => {
  const { shop, title, sum, change } = chart;
  const lines = chart.lines.flatMap(wrapped);
  const head = shop === '' ? 0 : SHOP;
  const below = head + 250 + (change === undefined ? 0 : CHANGE);
  const words = [
    text(MARGIN, 90, shop, { size: fitting(shop, 40, 0.7), isBold: true }),
    text(MARGIN, head + 96, title, { size: fitting(title, 38, 0.55), fill: COLOURS.faint }),
    text(MARGIN, head + 186, sum, { size: fitting(sum, 72, 0.68), isBold: true }),
    change === undefined ? '' : changed(change, head + 256),
    ...lines.map((line, at) => text(MARGIN, below + at * 50, line, { size: 34 })),
  ];
  const top = below + lines.length * 50 + 20;
  const { drawn, bottom } = chart.isTime ? columns(chart, top) : rows(chart.bars, top);
  return `<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="${WIDTH}" height="${bottom}" font-family="DejaVu Sans">
    <rect width="${WIDTH}" height="${bottom}" fill="${COLOURS.background}"/>${[...words, ...drawn].join('')}</svg>`;
};

/** The room of the shop's name, and of the change. */
const SHOP = 60;
const CHANGE = 70;

/** An arrow up or down, drawn because a font may lack it, and how much. */
const changed = ({ isMore, words }: SumChange, y: number): string => {
  const fill = isMore ? COLOURS.bar : COLOURS.less;
  const [tip, base] = isMore ? [y - 30, y - 2] : [y - 2, y - 30];
  const much = text(MARGIN + 46, y, words, { size: fitting(words, 36, 0.72), fill, isBold: true });
  return `<path d="M${MARGIN} ${base}h32L${MARGIN + 16} ${tip}z" fill="${fill}"/>${much}`;
};

type Drawing = { readonly drawn: readonly string[]; readonly bottom: number };

const ROW = 92;

/** Name and sum above a bar, so that a long name has the whole width. */
const rows = (bars: readonly Bar[], top: number): Drawing => {
  const longest = Math.max(1, ...bars.map(({ height }) => height));
  const drawn = bars.flatMap(({ label, height, text: amount }, at) => {
    const y = top + at * ROW;
    return [
      text(MARGIN, y + 36, shortened(label, 26), { size: 32 }),
      text(WIDTH - MARGIN, y + 36, amount, { size: 32, isBold: true, anchor: 'end' }),
      box({ x: MARGIN, y: y + 52, width: INNER, height: 18, fill: COLOURS.track }),
      box({ x: MARGIN, y: y + 52, width: (INNER * height) / longest, height: 18 }),
    ];
  });
  return { drawn, bottom: top + bars.length * ROW + MARGIN };
};

const PLOT = 420;
/** The widest that numbers beside the lines get. */
const AXIS = 110;
/** Of what is written at the axes: a phone shows a third of the size. */
const AXIS_LOOK = { size: 32, fill: COLOURS.faint } as const;
/** The room of the unit above them. */
const UNIT = 40;
const MOST_LABELS = 7;

const columns = ({ bars, unit }: Pick<Chart, 'bars' | 'unit'>, above: number): Drawing => {
  const top = above + UNIT;
  const base = top + PLOT;
  const step = niceStep(Math.max(1, ...bars.map(({ height }) => height)));
  const most = step * Math.max(1, Math.ceil(Math.max(...bars.map(({ height }) => height)) / step));
  const lines = Array.from({ length: most / step + 1 }, (_, at) => at * step).flatMap((value) => {
    const y = base - (value / most) * PLOT;
    return [
      `<path d="M${MARGIN + AXIS} ${y}H${WIDTH - MARGIN}" stroke="${COLOURS.line}" stroke-width="2"/>`,
      text(MARGIN + AXIS - 16, y + 10, short(value), { ...AXIS_LOOK, anchor: 'end' }),
    ];
  });
  const slot = (INNER - AXIS) / bars.length;
  const width = Math.min(72, slot * 0.72);
  const every = Math.ceil(bars.length / MOST_LABELS);
  const drawn = bars.flatMap(({ label, height }, at) => {
    const middle = MARGIN + AXIS + slot * (at + 0.5);
    const tall = (height / most) * PLOT;
    return [
      box({ x: middle - width / 2, y: base - tall, width, height: tall }),
      at % every === 0 ? text(middle, base + 44, label, { ...AXIS_LOOK, anchor: 'middle' }) : '',
    ];
  });
  const axis = text(MARGIN + AXIS - 16, top - 32, unit, { ...AXIS_LOOK, anchor: 'end' });
  return { drawn: [axis, ...lines, ...drawn], bottom: base + 44 + MARGIN };
};

/** Lines at 1, 2 or 5 times a power of ten, four at most above the ground. */
const niceStep = (most: number): number => {
  const power = 10 ** Math.floor(Math.log10(most / 4));
  return power * ([1, 2, 5].find((times) => times * power * 4 >= most) ?? 10);
};

const short = (value: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact' }).format(value);

type Box = Readonly<Record<'x' | 'y' | 'width' | 'height', number>> & { readonly fill?: string };

const box = ({ x, y, width, height, fill = COLOURS.bar }: Box): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${Math.min(6, width / 2, height / 2)}" fill="${fill}"/>`;

type Look = {
  readonly size: number;
  readonly fill?: string;
  readonly isBold?: true;
  readonly anchor?: 'middle' | 'end';
};

const text = (x: number, y: number, words: string, look: Look): string => {
  const { size, fill = COLOURS.text, isBold, anchor = 'start' } = look;
  if (words === '') return '';
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="${anchor}" font-weight="${isBold ? 'bold' : 'normal'}">${escaped(words)}</text>`;
};

/** Names are what people typed: nothing in them is markup, and what XML has no place for is left out. */
const escaped = (words: string): string =>
  words
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The size, or a smaller one in which the words fit; `characterWidth` is a part of the size. */
const fitting = (words: string, size: number, characterWidth: number): number =>
  Math.min(size, Math.floor(INNER / (words.length * characterWidth)));

/** So many characters of the lines' size fit beside each other. */
const LINE_LENGTH = 46;

/** In lines that fit, broken between two facts alone; what is continued begins a little to the right. */
const wrapped = (line: string): string[] => {
  const lines: string[] = [];
  for (const fact of line.split(/(?<= ·|,) /)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + fact.length < LINE_LENGTH)
      lines[lines.length - 1] = `${last} ${fact}`;
    else lines.push(last === undefined ? fact : `   ${fact}`);
  }
  return lines.map((each) => each.replace(/ ·$/, ''));
};

const shortened = (label: string, most: number): string => {
  const characters = [...label];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : label;
};
