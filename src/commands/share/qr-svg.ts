import qrcode from 'qrcode-generator';

/** For a phone held upright; a little less, so that each module has whole pixels. */
const WIDTH = 1080;
/** On each side of the code, in modules: a camera needs it to find the corners. */
const QUIET = 4;
const BOTTOM = 120;

/** An address as a QR code, black on white in light and dark chats, with words of plain letters below. */
export const qrSvg = (address: string, words: string): string => {
  // The smallest version that holds it. Up to 15 % of it may be dirty or in a reflection.
  const code = qrcode(0, 'M');
  code.addData(address);
  code.make();
  const count = code.getModuleCount() + 2 * QUIET;
  const scale = Math.floor(WIDTH / count);
  const width = scale * count;
  const height = width + BOTTOM;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    code.createSvgTag(scale, scale * QUIET),
    `<text x="${width / 2}" y="${width + 50}" font-size="56" text-anchor="middle">${words}</text>`,
    '</svg>',
  ].join('');
};
