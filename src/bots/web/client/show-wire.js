/** @import { WireLine } from '../page-state.ts' */
import { buildElement, byId } from './build.js';

/** @type {Map<string, HTMLElement>} */
const shown = new Map();

/**
 * Shows the lines, the newest first; those that are there keep their place.
 * @param {readonly WireLine[]} lines
 */
export const showWire = (lines) => {
  const list = byId('lines');
  const ids = new Set(lines.map(({ id }) => id));
  for (const [id, node] of shown) {
    if (ids.has(id)) continue;
    node.remove();
    shown.delete(id);
  }
  for (const line of lines.toReversed()) {
    if (shown.has(line.id)) continue;
    const node = lineElement(line);
    shown.set(line.id, node);
    list.prepend(node);
  }
};

/** @param {WireLine} line */
const lineElement = ({ title, sent, answered }) => {
  const details = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = title;
  details.append(
    summary,
    ...[sent, answered]
      .filter((text) => text !== '')
      .map((text) => buildElement({ tag: 'pre', children: [text] })),
  );
  const node = buildElement({ tag: 'li' });
  node.append(details);
  return node;
};
