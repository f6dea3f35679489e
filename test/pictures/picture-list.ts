import type { Picture } from './scene.ts';

/** The page that shows all pictures. */
export const pictureList = (pictures: readonly Picture[]): string =>
  `${[
    '# Every card and form',
    'Drawn by `npm run pictures` from what Slack and Telegram are sent.',
    ...pictures.map(pictureInText),
  ].join('\n\n')}\n`;

/** One picture in Markdown: by day or by night, as the reader's page is. */
const pictureInText = ({ name, alt }: Picture): string =>
  [
    alt,
    '',
    '<picture>',
    `<source media="(prefers-color-scheme: dark)" srcset="${name}-dark.png">`,
    `<img src="${name}-light.png" alt="${alt}">`,
    '</picture>',
  ].join('\n');
