import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';

const FONTS = join(import.meta.dirname, 'fonts');

/** To be imported when a picture is wanted: the library is native code. */
export const svgToPng = (svg: string): Blob => {
  // A bare server has no fonts, and another's would change where words end.
  const font = {
    loadSystemFonts: false,
    fontFiles: ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((name) => join(FONTS, name)),
    defaultFontFamily: 'DejaVu Sans',
  };
  const png = new Resvg(svg, { font }).render().asPng();
  return new Blob([new Uint8Array(png)], { type: 'image/png' });
};
