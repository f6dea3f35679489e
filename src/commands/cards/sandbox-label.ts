import type { Form } from '../forms/form.ts';
import type { Surface } from '../inbound.ts';
import type { Card } from './card.ts';

const MARK = 'TEST';

/** With the sandbox behind it, everything shown says so: nobody may take play money for real money. */
export type Mark = {
  card(card: Card): Card;
  surface(surface: Surface): Surface;
};

export const noMark: Mark = { card: (card) => card, surface: (surface) => surface };

export const testMark: Mark = {
  card: (card) => ({ ...card, title: marked(card.title) }),
  surface: (surface) => ({
    ...surface, // its flags; the members that show something are replaced
    say: (card) => surface.say(testMark.card(card)),
    whisper: (card) => surface.whisper(testMark.card(card)),
    replace: (card) => surface.replace(testMark.card(card)),
    refusePress: (why, state) => surface.refusePress(testMark.card(why), state),
    ask: (form, answers) => surface.ask(markedForm(form), answers),
    ...(surface.sparing === undefined ? {} : { sparing: testMark.surface(surface.sparing) }),
  }),
};

const markedForm = (form: Form): Form => ({ ...form, title: marked(form.title) });

const marked = (title: string): string =>
  title.startsWith(`${MARK} `) ? title : `${MARK} · ${title}`;
