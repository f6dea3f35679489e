/** @import { PageState, PhonePrompt, PhoneText, PromptAnswer } from '../page-state.ts' */
import { buildElement, byId, pageButton } from './build.js';
import { showItems } from './show-items.js';

/** @typedef {(payment: string, answer: PromptAnswer) => void} OnAnswer */

/** Prompts that the customer put away; the payments wait. @type {Set<string>} */
const ignored = new Set();

/** The newest ones. @type {readonly PhonePrompt[]} */
let waiting = [];

/**
 * Shows what is on the phone. A prompt that is there already keeps what was typed into it.
 * @param {PageState['phone']} phone
 * @param {OnAnswer} onAnswer
 */
export const showPhone = ({ prompts, texts }, onAnswer) => {
  waiting = prompts;
  showPrompts(onAnswer);
  byId('texts').replaceChildren(...texts.map(textElement));
};

/** @param {OnAnswer} onAnswer */
const showPrompts = (onAnswer) => {
  /** @param {PhonePrompt} prompt */
  const open = ({ id }) => {
    ignored.delete(id);
    showPrompts(onAnswer);
  };
  /** @param {PhonePrompt} prompt */
  const ignore = ({ id }) => {
    ignored.add(id);
    showPrompts(onAnswer);
    say('The prompt was ignored. The payment waits under My Approvals.');
  };
  const items = waiting
    .map((prompt) => ({ ...prompt, drawn: ignored.has(prompt.id) ? 'waiting' : 'open' }))
    .toReversed();
  showItems(byId('prompts'), items, (prompt) =>
    prompt.drawn === 'waiting'
      ? waitingElement(prompt, () => open(prompt))
      : promptElement(prompt, onAnswer, () => ignore(prompt)),
  );
  byId('to-phone').textContent =
    waiting.length === 0 ? 'Phone' : `Phone: ${waiting.length} to answer`;
  if (waiting.length === 0) say('No prompt. It comes when a charge is confirmed in the chat.');
};

/** @param {string} words */
const say = (words) => {
  const news = byId('phone-news');
  if (news.textContent !== words) news.textContent = words;
};

/**
 * @param {PhonePrompt} prompt
 * @param {OnAnswer} onAnswer
 * @param {() => void} onIgnore
 */
const promptElement = ({ id, number, shop, amount, reference }, onAnswer, onIgnore) => {
  say(`${shop} asks for ${amount}.`);
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
      pageButton('Ignore', 'plain', onIgnore),
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
 * An ignored prompt: the payment can still be approved, as in the network's list of approvals.
 * @param {PhonePrompt} prompt
 * @param {() => void} onOpen
 */
const waitingElement = ({ amount, shop }, onOpen) => {
  const node = buildElement({
    tag: 'div',
    attributes: { class: 'waiting' },
    children: [{ tag: 'p', children: [`*170#, My Wallet, My Approvals: ${amount} to ${shop}`] }],
  });
  node.append(buttonsOf([pageButton('Open', 'plain', onOpen)]));
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
