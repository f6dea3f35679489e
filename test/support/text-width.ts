import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';

/** Of a phone of 360 px, without a margin of 16 px on either side. */
export const PHONE_LINE_PX = 328;

/** In this size DejaVu Sans Bold, which comes with the program, is as wide as a phone's own bold text of 16 px. */
const SIZE_PX = 13.2;
/** A sign, and the space behind it. */
const SIGN_PX = 24;
const SIGN = /^\p{Extended_Pictographic}\uFE0F? /u;
const FONT = join(import.meta.dirname, '../../src/commands/report/fonts/DejaVuSans-Bold.ttf');

/** How wide a line of bold text is on a phone, in px. */
export const widthPx = (line: string): number => {
  const words = line.replace(SIGN, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="40"><text y="20" font-family="DejaVu Sans" font-weight="bold" font-size="${SIZE_PX}">${words}</text></svg>`;
  const drawn = new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: [FONT] } });
  return (drawn.getBBox()?.width ?? 0) + (SIGN.test(line) ? SIGN_PX : 0);
};
