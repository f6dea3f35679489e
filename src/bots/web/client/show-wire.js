/** @import { WireLine } from '../page-state.ts' */
import { buildElement, byId } from './build.js';
import { showItems } from './show-items.js';

/**
 * Shows the lines, the newest first.
 * @param {readonly WireLine[]} lines
 */
export const showWire = (lines) => showItems(byId('lines'), lines, lineElement);

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
