import { Resvg } from '@resvg/resvg-js';
import decode from 'jsqr';
import { describe, expect, it } from 'vitest';
import { qrSvg } from '../../../src/commands/share/qr-svg.ts';

/** What a camera reads in the picture. */
const scanned = (svg: string): string | undefined => {
  const { pixels, width, height } = new Resvg(svg).render();
  return decode.default(new Uint8ClampedArray(pixels), width, height)?.data;
};

describe('a QR code', () => {
  it.each([20, 120, 700, 2_000])('of an address of %i characters is read as it is', (length) => {
    const address = `https://pay.example/${'aB3-_=&?%'.repeat(300)}`.slice(0, length);
    expect(scanned(qrSvg(address, 'GHS 50.00'))).toBe(address);
  });

  it('is read with its words below it', () => {
    const svg = qrSvg('https://checkout.example/pay/1M7Y381Y37GXF6SS', 'TEST · GHS 1,240.00');
    expect(svg).toContain('>TEST · GHS 1,240.00</text>');
    expect(scanned(svg)).toBe('https://checkout.example/pay/1M7Y381Y37GXF6SS');
  });
});
