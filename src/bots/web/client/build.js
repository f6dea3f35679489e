/** @import { View, ViewElement } from '../view.ts' */

const TAGS = new Set(
  'a article b blockquote button code div form h2 h3 hr i img input label li ol option p pre s section select small span textarea u ul'.split(
    ' ',
  ),
);

const ATTRIBUTES = new Set(
  'alt aria-describedby aria-hidden aria-invalid aria-label class data-message data-press download for href id maxlength name placeholder required rows selected src type value'.split(
    ' ',
  ),
);

/** A file of the page itself, which browsers save and do not open. */
const FILE = /^data:(?:text\/csv|image\/png);base64,/;

/**
 * The node that a view describes. Texts stay texts; anything that is not in the lists is refused.
 * @param {View} view
 * @returns {Node}
 */
const build = (view) => {
  if (typeof view === 'string') return document.createTextNode(view);
  if (!TAGS.has(view.tag)) throw new Error(`no element ${view.tag} on this page`);
  const node = document.createElement(view.tag);
  for (const [name, value] of Object.entries(view.attributes ?? {})) set(node, name, value);
  node.append(...(view.children ?? []).map(build));
  return node;
};

/**
 * The element that a view describes.
 * @param {ViewElement} view
 * @returns {HTMLElement}
 */
export const buildElement = (view) => /** @type {HTMLElement} */ (build(view));

/**
 * @param {HTMLElement} node
 * @param {string} name
 * @param {string} value
 */
const set = (node, name, value) => {
  if (!ATTRIBUTES.has(name)) throw new Error(`no attribute ${name} on this page`);
  if (name === 'src' && !FILE.test(value)) return;
  if (name === 'href' && !FILE.test(value)) {
    if (!/^https?:\/\//i.test(value)) return;
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer');
  }
  node.setAttribute(name, value);
};

/**
 * The element of the page with an id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export const byId = (id) => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element "${id}" on this page`);
  return found;
};

/**
 * A button of the page.
 * @param {string} label
 * @param {'plain' | 'primary' | 'danger'} style
 * @param {() => void} onPress
 * @returns {HTMLElement}
 */
export const pageButton = (label, style, onPress) => {
  const button = buildElement({
    tag: 'button',
    attributes: { class: `button ${style}`, type: 'button' },
    children: [label],
  });
  button.addEventListener('click', onPress);
  return button;
};
