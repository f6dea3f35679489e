import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { BotParts } from '../../src/bots/platform.ts';
import { formToModal } from '../../src/bots/slack/form-to-modal.ts';
import { homeBlocks } from '../../src/bots/slack/home-tab.ts';
import { TerminalBot } from '../../src/bots/terminal/terminal-bot.ts';
import { blocksToViews } from '../../src/bots/web/blocks-to-view.ts';
import { messageView } from '../../src/bots/web/message-view.ts';
import { modalToView } from '../../src/bots/web/modal-to-view.ts';
import type { Look, RoomMessage } from '../../src/bots/web/room.ts';
import { element, type View } from '../../src/bots/web/view.ts';
import type { Picture, Shown } from './scene.ts';
import { PEOPLE } from './studio.ts';

const client = (file: string): string =>
  readFileSync(new URL(`../../src/bots/web/client/${file}`, import.meta.url), 'utf8');

/** The look of the practice page, and what only pictures have. */
const STYLE = `${client('page.css')}
${client('chat.css')}
body { max-width: none; padding: 0; background: var(--ground); }
.panel hr { margin: 14px 0; border: 0; border-top: 1px solid var(--line); }
#picture { display: flex; align-items: flex-start; gap: 20px; width: max-content; padding: 20px; background: var(--ground); }
.panel { width: 420px; padding: 12px 16px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--paper); }
.panel.wide { width: 520px; }
.panel.of-terminal { width: 860px; }
.panel.of-telegram { background: var(--telegram-wall); }
.panel > h2 { color: var(--faint); font-size: 12px; text-transform: uppercase; letter-spacing: 0.08em; }
.panel pre.terminal { margin: 0; font: 14px/1.5 "DejaVu Sans Mono", "Liberation Mono", monospace; white-space: pre-wrap; }
code, pre { font-family: "DejaVu Sans Mono", "Liberation Mono", monospace !important; }
.sign { display: inline-block; width: 1.2em; height: 1.2em; margin-right: 0.1em; border-radius: 0.3em; color: #fff; font-size: 0.85em; font-weight: 700; line-height: 1.2em; text-align: center; vertical-align: 0.05em; }
.sign-good { background: #1f8a4c; } .sign-bad { background: #c62f2f; } .sign-waiting { background: #b77a12; } .sign-warning { background: #c99a00; } .sign-unclear { background: #7b4fb5; }
`;

/** Drawn here: few machines have a font of emoji. */
const SIGNS: readonly (readonly [sign: RegExp, name: string, glyph: string])[] = [
  [/✅ ?/g, 'good', '✓'],
  [/❌ ?/g, 'bad', '×'],
  [/⏳ ?/g, 'waiting', '…'],
  [/⚠️ ?/g, 'warning', '!'],
  [/❓ ?/g, 'unclear', '?'],
];

/** One id for all: those of a new run are others. */
const ID = /\b1[0-9A-HJKMNP-TV-Z]{15}\b/g;
const SAMPLE_ID = '1M82RBWKY8SF205A';

/** A page with the picture in the element `picture`. */
export const drawPicture = async (picture: Picture): Promise<string> => {
  const panels = await panelsOf(picture);
  return `<!doctype html><meta charset="utf-8"><style>${STYLE}</style><div id="picture">${panels.join('')}</div>`;
};

const panelsOf = async (picture: Picture): Promise<string[]> => {
  if ('form' in picture) return [formPanel(picture.form)];
  if ('home' in picture) {
    const blocks = homeBlocks({ cards: picture.home, approves: false });
    const view = element('div', 'message slack', blocksToViews(blocks));
    return [panel('The Home tab in Slack', 'of-slack wide', [view])];
  }
  const { messages, isTerminal } = picture;
  if (isTerminal === true)
    return [panel('Terminal', 'of-terminal', [await drawTerminal(messages)])];
  return [
    panel('Slack', 'of-slack', drawChat('slack', messages)),
    panel('Telegram', 'of-telegram', drawChat('telegram', messages)),
  ];
};

/** Changes when what is drawn changes. */
export const fingerprint = (html: string): string => hash('sha256', html).slice(0, 16);

const formPanel = ({ form, answers, annotations }: Extract<Picture, { form: unknown }>['form']) => {
  const modal = formToModal(form, answers, { platform: 'slack', channel: '' }, annotations);
  return panel('A form in Slack', 'of-slack wide', [modalToView(modal, {})]);
};

const panel = (title: string, name: string, views: readonly View[]): string =>
  viewToHtml(element('section', `panel ${name}`, [element('h2', '', [title]), ...views]));

const drawChat = (look: Look, messages: readonly Shown[]): View[] => {
  // Slack shows a slash command to no one.
  const seen = messages.filter(
    ({ said }) => look === 'telegram' || !('by' in said) || !said.text.startsWith('/'),
  );
  return seen.map(({ said, isPrivate, isReply, file }, at) => {
    const message: RoomMessage = {
      id: `m${at}`,
      look,
      said: asOn(look, said),
      ...(isPrivate && look === 'slack' ? { onlyFor: 'x' } : {}),
      ...(isReply ? { under: 'm0' } : {}),
      ...(file && { file }),
    };
    return messageView(message, isReply ? firstWords(messages[0]) : undefined);
  });
};

/** The same people with the ids that they would have in Telegram. */
const TELEGRAM_IDS: Readonly<Record<string, string>> = {
  U0AMA: '512345601',
  U0KOFI: '512345602',
  U0YAW: '512345603',
  C0SALES: '-1001234567890',
};

/** As the platform's own people: who may approve is known by id alone, and the platform shows the name. */
const asOn = (look: Look, said: Shown['said']): Shown['said'] =>
  JSON.parse(JSON.stringify(said), (_key, value: unknown) => {
    if (typeof value === 'string')
      return look === 'slack'
        ? value
        : value.replace(/slack:(\w+)/g, (_, id) => `telegram:${TELEGRAM_IDS[id]}`);
    const person = PEOPLE.find(({ id }) => id === (value as { id?: unknown } | null)?.id);
    if (person === undefined) return value;
    const id = TELEGRAM_IDS[person.id] ?? '';
    return look === 'slack' ? person : { ...person, platform: 'telegram', id };
  }) as Shown['said'];

const firstWords = (shown: Shown | undefined): string =>
  shown === undefined || 'by' in shown.said ? '' : shown.said.title;

/** What the terminal's bot prints of it. */
const drawTerminal = async (messages: readonly Shown[]): Promise<View> => {
  const output = new PassThrough();
  const bot = new TerminalBot({ output } as unknown as BotParts);
  const conversation = { platform: 'terminal', channel: 'local' };
  const under = { conversation, message: 'card' };
  for (const { said, isReply, isEdit } of messages) {
    const message = { conversation, key: 'card', mayStand: false };
    if ('by' in said) output.write(`> ${said.text}\n`);
    else if (isEdit) await bot.edit(under, said);
    else await bot.post({ ...message, card: said, ...(isReply ? { under } : {}) });
  }
  return element('pre', 'terminal', [String(output.read())]);
};

/** The elements of a view as text; addresses of buttons are left out. */
const viewToHtml = (view: View): string => {
  if (typeof view === 'string') return signed(escaped(named(view)));
  const { tag, attributes = {}, children = [] } = view;
  if (attributes.download !== undefined) return '';
  const shown = Object.entries(attributes)
    .filter(([name]) => !name.startsWith('data-'))
    .map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const isVoid = ['br', 'hr', 'img', 'input'].includes(tag);
  return `<${tag}${shown.join('')}>${children.map(viewToHtml).join('')}${isVoid ? '' : `</${tag}>`}`;
};

/** Slack shows the name of whom its mention names. */
const named = (text: string): string =>
  PEOPLE.reduce((rest, { id, name }) => rest.replaceAll(`@${id}`, `@${name}`), text)
    .replaceAll('#C0SALES', '#sales')
    .replaceAll(ID, SAMPLE_ID);

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const signed = (html: string): string =>
  SIGNS.reduce(
    (rest, [sign, name, glyph]) =>
      rest.replaceAll(sign, `<span class="sign sign-${name}">${glyph}</span> `),
    html,
  );
