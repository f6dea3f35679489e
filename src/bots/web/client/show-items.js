import { byId } from './build.js';

/**
 * What each place shows, by the id of the item.
 * @type {WeakMap<HTMLElement, Map<string, { drawn: string, node: HTMLElement }>>}
 */
const places = new WeakMap();

/**
 * Makes the items, in their order, the children of a place. An item that is drawn the same keeps its element, so that
 * the focus and what was typed stay. Returns whether anything was drawn.
 * @template {{ readonly id: string, readonly drawn?: string }} T
 * @param {HTMLElement} place
 * @param {readonly T[]} items
 * @param {(item: T) => HTMLElement} draw
 * @returns {boolean}
 */
export const showItems = (place, items, draw) => {
  const before = places.get(place) ?? new Map();
  const now = new Map();
  const focused = document.activeElement;
  const inFocus = [...before].find(([, { node }]) => node.contains(focused))?.[0];
  let hasNews = false;
  items.forEach((item, index) => {
    const { id, drawn = '' } = item;
    const known = before.get(id);
    const isSame = known?.drawn === drawn;
    const node = isSame ? known.node : draw(item);
    hasNews ||= !isSame;
    if (!isSame) known?.node.replaceWith(node);
    // Moved only where it is out of place: the focus would go.
    if (place.children[index] !== node) place.insertBefore(node, place.children[index] ?? null);
    now.set(id, { drawn, node });
  });
  for (const [id, { node }] of before) if (!now.has(id)) node.remove();
  places.set(place, now);
  if (inFocus !== undefined && document.activeElement !== focused) focusIn(now.get(inFocus)?.node);
  return hasNews;
};

/**
 * The focus must not fall back to the top of the page when what had it goes.
 * @param {HTMLElement} [node]
 */
const focusIn = (node = byId('typed')) => {
  const target = node.querySelector('input, button') ?? node;
  if (target === node && node.id !== 'typed') node.tabIndex = -1;
  /** @type {HTMLElement} */ (target).focus();
};
