import type { Payment, PaymentPage } from '../../core/records/payment.ts';
import { type Button, type CardPart, part, pressButton } from '../cards/card.ts';
import { type ListView, paymentLine } from '../cards/payment-line.ts';
import { fittingButton } from '../cards/time-buttons.ts';

export const PAGE_LENGTH = 8;

/** The payments of a page, numbered for the buttons that show their Details. */
export const paymentRows = (payments: readonly Payment[], view: ListView, from = 1): CardPart =>
  part.numbered(
    payments.map((payment) => paymentLine(payment, view)),
    from,
  );

/** A button for each line of a numbered list, which shows the Details of its payment. They come first on their card: in the terminal they are typed by these numbers. */
export const detailsButtons = (ids: readonly string[]): Button[] =>
  ids.map((id, at) => pressButton(String(at + 1), 'details', id));

/** Between the words of a list and the place in it. */
const SEPARATOR = '~';

export type ListPlace = { readonly words: string; readonly after?: string };

export const readPlace = (id: string): ListPlace => {
  const at = id.lastIndexOf(SEPARATOR);
  return at < 0 ? { words: id } : { words: id.slice(0, at), after: id.slice(at + 1) };
};

type ShownPlace = { readonly verb: string; readonly words: string; readonly isLater: boolean };

/** Details of each row; More, and back to the newest. `words` ask for the same list again. */
export const listButtons = (page: PaymentPage, place: ShownPlace): (Button | undefined)[] => [
  ...detailsButtons(page.payments.map(({ id }) => id)),
  moreButton(page, place),
  place.isLater ? pressButton('Newest', place.verb, place.words) : undefined,
];

const moreButton = ({ next }: PaymentPage, { verb, words }: ShownPlace): Button | undefined =>
  next === undefined ? next : fittingButton('More', verb, `${words}${SEPARATOR}${next}`);

/** What is said where the words are too long for a button that shows the next page. */
export const tooLongPart = (page: PaymentPage, place: ShownPlace): CardPart | undefined =>
  page.next === undefined || moreButton(page, place) !== undefined
    ? undefined
    : part.note('There are more. Name a day, or use fewer words.');
