/** @import { PageMessage, PageState } from '../page-state.ts' */
import { buildElement, byId, pageButton } from './build.js';

/** Commands to try: one press puts them into the field. */
const EXAMPLES = [
  '/charge 0244123456 50',
  '/charge',
  '/charge 0201112233 500',
  '/payments',
  '/help',
];

/** @type {Map<string, { drawn: string, node: HTMLElement }>} */
const shown = new Map();

/**
 * Shows the messages: new ones are added and changed ones replaced, so that the rest keeps its place and the focus.
 * @param {readonly PageMessage[]} messages
 */
export const showMessages = (messages) => {
  const list = byId('messages');
  const wasAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
  const ids = new Set(messages.map(({ id }) => id));
  for (const [id, { node }] of shown) {
    if (ids.has(id)) continue;
    node.remove();
    shown.delete(id);
  }
  let hasNews = false;
  messages.forEach((message, index) => {
    hasNews = showMessage(list, message, index) || hasNews;
  });
  if (hasNews && wasAtEnd) list.scrollTop = list.scrollHeight;
};

/**
 * Returns whether anything changed.
 * @param {HTMLElement} list
 * @param {PageMessage} message
 * @param {number} index
 */
const showMessage = (list, { id, drawn, view }, index) => {
  const known = shown.get(id);
  const inPlace = list.children[index];
  if (known?.drawn === drawn) {
    if (inPlace !== known.node) list.insertBefore(known.node, inPlace ?? null);
    return false;
  }
  const node = buildElement(view);
  shown.set(id, { drawn, node });
  if (known === undefined) list.insertBefore(node, inPlace ?? null);
  else {
    const hadFocus = known.node.contains(document.activeElement);
    known.node.replaceWith(node);
    if (hadFocus) focusIn(node);
  }
  return true;
};

/**
 * The focus must not fall back to the top of the page when a pressed button goes.
 * @param {HTMLElement} node
 */
const focusIn = (node) => {
  const button = node.querySelector('button');
  if (button !== null) return button.focus();
  node.tabIndex = -1;
  node.focus();
};

/**
 * Puts a line into the field, with the focus behind it.
 * @param {string} line
 */
const fill = (line) => {
  const field = /** @type {HTMLInputElement} */ (byId('typed'));
  field.value = line;
  field.focus();
};

export const showExamples = () => {
  byId('examples').replaceChildren(
    ...EXAMPLES.map((line) => pageButton(line, 'plain', () => fill(line))),
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
