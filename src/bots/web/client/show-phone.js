/** @import { PageState, PhonePrompt, PhoneText, PromptAnswer } from '../page-state.ts' */
import { buildElement, byId, pageButton } from './build.js';

/** @typedef {(payment: string, answer: PromptAnswer) => void} OnAnswer */

/** Prompts that the customer put away; the payments wait. @type {Set<string>} */
const ignored = new Set();

/** @type {Map<string, HTMLElement>} */
const shown = new Map();

let drawnTexts = '';

/**
 * Shows what is on the phone. A prompt that is there already keeps what was typed into it.
 * @param {PageState['phone']} phone
 * @param {OnAnswer} onAnswer
 */
export const showPhone = ({ prompts, texts }, onAnswer) => {
  showPrompts(prompts, onAnswer);
  const drawn = JSON.stringify(texts);
  if (drawn !== drawnTexts) byId('texts').replaceChildren(...texts.map(textElement));
  drawnTexts = drawn;
};

/**
 * @param {readonly PhonePrompt[]} prompts
 * @param {OnAnswer} onAnswer
 */
const showPrompts = (prompts, onAnswer) => {
  const place = byId('prompts');
  const open = new Set(prompts.map(({ id }) => id));
  let hadFocus = false;
  for (const [id, node] of shown) {
    if (open.has(id)) continue;
    hadFocus ||= node.contains(document.activeElement);
    node.remove();
    shown.delete(id);
  }
  for (const prompt of prompts) {
    if (shown.has(prompt.id)) continue;
    const node = ignored.has(prompt.id)
      ? waitingElement(prompt, onAnswer)
      : promptElement(prompt, onAnswer);
    shown.set(prompt.id, node);
    place.prepend(node);
    say(`${prompt.shop} asks for ${prompt.amount}.`);
  }
  if (prompts.length === 0) say('No prompt. It comes when a charge is confirmed in the chat.');
  if (hadFocus) byId('typed').focus();
};

/** @param {string} words */
const say = (words) => {
  const news = byId('phone-news');
  if (news.textContent !== words) news.textContent = words;
};

/**
 * @param {PhonePrompt} prompt
 * @param {OnAnswer} onAnswer
 */
const promptElement = (prompt, onAnswer) => {
  const { id, number, shop, amount, reference } = prompt;
  const field = `pin-${id}`;
  const node = buildElement({
    tag: 'form',
    attributes: { class: 'prompt', 'aria-label': `Prompt: pay ${amount}` },
    children: [
      { tag: 'p', attributes: { class: 'number' }, children: [`Phone of ${number}`] },
      { tag: 'p', children: ['Pay ', { tag: 'b', children: [amount] }, ` to ${shop}?`] },
      { tag: 'p', attributes: { class: 'reference' }, children: [`Reference: ${reference}`] },
      {
        tag: 'label',
        attributes: { for: field },
        children: ['PIN: any four digits, never your own'],
      },
      { tag: 'input', attributes: { id: field, type: 'text', maxlength: '4' } },
      { tag: 'p', attributes: { class: 'problem', id: `${field}-problem` } },
    ],
  });
  const pin = /** @type {HTMLInputElement} */ (node.querySelector('input'));
  pin.inputMode = 'numeric';
  pin.autocomplete = 'off';
  const approve = buildElement({
    tag: 'button',
    attributes: { class: 'button primary', type: 'submit' },
    children: ['Approve'],
  });
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    // The PIN stays on this page: no part of Paythread ever sees one.
    if (/^\d{4}$/.test(pin.value)) onAnswer(id, 'approved');
    else askForPin(pin);
  });
  node.append(
    buttonsOf([
      approve,
      pageButton('Decline', 'danger', () => onAnswer(id, 'declined')),
      pageButton('No money', 'plain', () => onAnswer(id, 'no money')),
      pageButton('Ignore', 'plain', () => putAway(prompt, onAnswer)),
    ]),
  );
  return node;
};

/** @param {HTMLInputElement} pin */
const askForPin = (pin) => {
  const problem = byId(`${pin.id}-problem`);
  problem.textContent = 'Type four digits, such as 1234.';
  pin.setAttribute('aria-invalid', 'true');
  pin.setAttribute('aria-describedby', problem.id);
  pin.focus();
};

/**
 * An ignored prompt goes from the screen; the payment can still be approved, as in the network's list of approvals.
 * @param {PhonePrompt} prompt
 * @param {OnAnswer} onAnswer
 */
const putAway = (prompt, onAnswer) => {
  ignored.add(prompt.id);
  const node = waitingElement(prompt, onAnswer);
  shown.get(prompt.id)?.replaceWith(node);
  shown.set(prompt.id, node);
  say('The prompt was ignored. The payment waits under My Approvals.');
  node.querySelector('button')?.focus();
};

/**
 * @param {PhonePrompt} prompt
 * @param {OnAnswer} onAnswer
 */
const waitingElement = (prompt, onAnswer) => {
  const node = buildElement({
    tag: 'div',
    attributes: { class: 'waiting' },
    children: [{ tag: 'p', children: [`*170#, My Approvals: ${prompt.amount} to ${prompt.shop}`] }],
  });
  const open = pageButton('Open', 'plain', () => {
    ignored.delete(prompt.id);
    const again = promptElement(prompt, onAnswer);
    node.replaceWith(again);
    shown.set(prompt.id, again);
    again.querySelector('input')?.focus();
  });
  node.append(buttonsOf([open]));
  return node;
};

/** @param {readonly HTMLElement[]} buttons */
const buttonsOf = (buttons) => {
  const row = buildElement({ tag: 'div', attributes: { class: 'buttons' } });
  row.append(...buttons);
  return row;
};

/** @param {PhoneText} text */
const textElement = ({ number, from, text }) =>
  buildElement({
    tag: 'div',
    attributes: { class: 'text' },
    children: [
      { tag: 'p', attributes: { class: 'number' }, children: [`SMS from ${from} to ${number}`] },
      { tag: 'p', children: [text] },
    ],
  });
