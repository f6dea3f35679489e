import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser } from '../support/browser.ts';
import { drawPicture, fingerprint } from './draw.ts';
import { pictureList } from './picture-list.ts';
import { playScenes } from './scenes.ts';
import { smallPng } from './small-png.ts';

/*
 * Draws every card and form into docs/pictures, by day and by night:
 * npm run pictures
 * docs/pictures/drawn.json says of what; `test/pictures/pictures.test.ts` says when it is out of date.
 */

const FOLDER = join(import.meta.dirname, '../../docs/pictures');
const SCHEMES = ['light', 'dark'] as const;

const fileOf = (name: string, scheme: string): string => join(FOLDER, `${name}-${scheme}.png`);

const pictures = await playScenes();
await mkdir(FOLDER, { recursive: true });
const browser = await openBrowser();
try {
  for (const colorScheme of SCHEMES) {
    const context = await browser.newContext({
      colorScheme,
      deviceScaleFactor: 1.5,
      viewport: { width: 1400, height: 800 },
    });
    const page = await context.newPage();
    for (const picture of pictures) {
      await page.setContent(await drawPicture(picture));
      const png = await page.locator('#picture').screenshot();
      await writeFile(fileOf(picture.name, colorScheme), smallPng(png));
    }
    await context.close();
  }
} finally {
  await browser.close();
}
const wanted = new Set(
  pictures.flatMap(({ name }) => SCHEMES.map((each) => `${name}-${each}.png`)),
);
for (const file of await readdir(FOLDER))
  if (file.endsWith('.png') && !wanted.has(file)) await rm(join(FOLDER, file));
const drawn = pictures.map(async (picture) => [
  picture.name,
  { alt: picture.alt, drawn: fingerprint(await drawPicture(picture)) },
]);
await writeFile(
  join(FOLDER, 'drawn.json'),
  `${JSON.stringify(Object.fromEntries(await Promise.all(drawn)), null, 2)}\n`,
);
await writeFile(join(FOLDER, 'README.md'), pictureList(pictures));
let bytes = 0;
for (const file of wanted) bytes += (await stat(join(FOLDER, file))).size;
process.stdout.write(`${wanted.size} pictures, ${Math.round(bytes / 1024)} KiB\n`);
