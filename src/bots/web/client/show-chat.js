/** @import { PageMessage, PageState } from '../page-state.ts' */
import { buildElement, byId, pageButton } from './build.js';
import { showItems } from './show-items.js';

/** Commands to try: one press sends them. */
const EXAMPLES = [
  '/charge 0244123456 50',
  '/charge',
  '/charge 0201112233 500',
  '/payments',
  '/help',
];

/**
 * Shows the messages, and the end of them to a person who was there.
 * @param {readonly PageMessage[]} messages
 */
export const showMessages = (messages) => {
  const list = byId('messages');
  const wasAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
  const hasNews = showItems(list, messages, ({ view }) => buildElement(view));
  if (!hasNews || !wasAtEnd) return;
  const toEnd = () => {
    list.scrollTop = list.scrollHeight;
  };
  toEnd();
  // A picture has no height until it is drawn.
  list.querySelector(':scope > :last-child img')?.addEventListener('load', toEnd, { once: true });
};

/** @param {(line: string) => void} send */
export const showExamples = (send) => {
  byId('examples').replaceChildren(
    ...EXAMPLES.map((line) => pageButton(line, 'plain', () => send(line))),
  );
};

/**
 * Offers the people to be, the first one chosen.
 * @param {PageState['people']} people
 */
export const showPeople = (people) => {
  const labels = people.map(({ id, name, role }, index) => {
    const label = buildElement({ tag: 'label', children: [` ${name}, ${role}`] });
    const radio = document.createElement('input');
    radio.type = 'radio';
    radio.name = 'person';
    radio.value = id;
    radio.checked = index === 0;
    label.prepend(radio);
    return label;
  });
  const group = byId('people');
  group.replaceChildren(...group.querySelectorAll('legend'), ...labels);
};
