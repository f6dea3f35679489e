import { readdirSync, readFileSync, statSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawPicture, fingerprint } from './draw.ts';
import { pictureList } from './picture-list.ts';
import type { Picture } from './scene.ts';
import { playScenes } from './scenes.ts';

const FOLDER = 'docs/pictures';
const REMEDY = 'docs/pictures is out of date: run "npm run pictures", and look at what changed';

type Drawn = Record<string, { readonly alt: string; readonly drawn: string }>;

describe('the pictures of the documents', () => {
  let pictures: readonly Picture[];
  const drawn = JSON.parse(readFileSync(`${FOLDER}/drawn.json`, 'utf8')) as Drawn;

  beforeAll(async () => {
    pictures = await playScenes();
  });

  it('show the cards and forms as they are drawn now', async () => {
    const now = pictures.map(async (picture) => [
      picture.name,
      { alt: picture.alt, drawn: fingerprint(await drawPicture(picture)) },
    ]);
    expect(readFileSync(`${FOLDER}/README.md`, 'utf8'), REMEDY).toBe(pictureList(pictures));
    expect(drawn, REMEDY).toEqual(Object.fromEntries(await Promise.all(now)));
  });

  it('are all there by day and by night, no other is, and together they are small', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.png'));
    const wanted = Object.keys(drawn).flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]);
    expect(files.sort(), REMEDY).toEqual(wanted.sort());
    const bytes = files.map((file) => statSync(`${FOLDER}/${file}`).size);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(4 * 1024 * 1024);
  });

  it('are named in the README with what they show, for people who do not see them', () => {
    const readme = readFileSync('README.md', 'utf8');
    const shown = [...readme.matchAll(/src="docs\/pictures\/([\w-]+)-light\.png" alt="([^"]*)"/g)];
    expect(shown).toHaveLength(1);
    for (const [, name = '', alt] of shown) expect(drawn[name]?.alt, name).toBe(alt);
  });
});
