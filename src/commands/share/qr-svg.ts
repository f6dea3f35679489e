import qrcode from 'qrcode-generator';

/** For a phone held upright; a little less, so that each module has whole pixels. */
const WIDTH = 1080;
/** Around the code, in modules: a camera needs it to find the corners. */
const QUIET = 4;
const BOTTOM = 120;

/** An address as a QR code, black on white in light and dark chats, with words of plain letters below. */
export const qrSvg = (address: string, words: string): string => {
  // The smallest version that holds it. Up to 15 % of it may be dirty or in a reflection.
  const code = qrcode(0, 'M');
  code.addData(address);
  code.make();
  const count = code.getModuleCount();
  const scale = Math.floor(WIDTH / (count + 2 * QUIET));
  const width = scale * (count + 2 * QUIET);
  const height = width + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<path transform="scale(${scale}) translate(${QUIET} ${QUIET})" d="${darkRuns(count, code.isDark)}"/>`,
    `<text x="${width / 2}" y="${width + 50}" font-size="56" text-anchor="middle">${words}</text>`,
    '</svg>',
  ].join('');
};

/** The dark modules that lie side by side as one box each. */
const darkRuns = (count: number, isDark: (row: number, column: number) => boolean): string => {
  const boxes: string[] = [];
  for (let row = 0; row < count; row++) {
    let from = 0;
    for (let column = 0; column <= count; column++) {
      if (column < count && isDark(row, column)) continue;
      if (column > from) boxes.push(`M${from} ${row}H${column}V${row + 1}H${from}Z`);
      from = column + 1;
    }
  }
  return boxes.join('');
};
