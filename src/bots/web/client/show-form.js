/** @import { PageState } from '../page-state.ts' */
import { buildElement, byId } from './build.js';

/** @typedef {{ submit: (form: string, answers: Record<string, string>) => void, close: () => void }} OnForm */

let drawn = '';
let openId = '';

/**
 * Opens, draws again or closes the form, as the server says.
 * @param {PageState['form']} form
 * @param {OnForm} on
 */
export const showForm = (form, on) => {
  const dialog = /** @type {HTMLDialogElement} */ (byId('form'));
  const wanted = form === undefined ? '' : JSON.stringify(form);
  if (wanted === drawn) return;
  drawn = wanted;
  if (form === undefined) return closeDialog(dialog);
  const node = /** @type {HTMLFormElement} */ (buildElement(form.view));
  // The server says what is missing, beside its field, as Slack does.
  node.noValidate = true;
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    on.submit(form.id, answersIn(node));
  });
  node.querySelector('[name=close]')?.addEventListener('click', on.close);
  dialog.oncancel = (event) => {
    event.preventDefault();
    on.close();
  };
  dialog.replaceChildren(node);
  dialog.setAttribute('aria-label', node.getAttribute('aria-label') ?? 'Form');
  openDialog(dialog, form.id);
};

/**
 * @param {HTMLDialogElement} dialog
 * @param {string} id
 */
const openDialog = (dialog, id) => {
  if (!dialog.open) dialog.showModal();
  const wrong = dialog.querySelector('[aria-invalid=true]');
  const first = dialog.querySelector('input, textarea, select');
  const target = wrong ?? (openId === id ? null : first);
  if (target instanceof HTMLElement) target.focus();
  openId = id;
};

/** @param {HTMLDialogElement} dialog */
const closeDialog = (dialog) => {
  dialog.close();
  dialog.replaceChildren();
  byId('typed').focus();
};

/**
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
const answersIn = (form) =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
