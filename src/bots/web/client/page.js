/** @import { PageRequest } from '../page-request.ts' */
/** @import { PageState } from '../page-state.ts' */
import { askServer } from './ask-server.js';
import { byId, pageButton } from './build.js';
import { showExamples, showMessages, showPeople } from './show-chat.js';
import { showForm } from './show-form.js';
import { showPhone } from './show-phone.js';
import { showWire } from './show-wire.js';

/** @typedef {{ visit: string, person: 'ama' | 'kofi' | 'esi', look: 'slack' | 'telegram' }} Seat */

const PAUSE_MS = 1_000;

/** Who sits before the page, and in which chat. @type {Seat} */
const seat = { visit: '', person: 'ama', look: 'slack' };

/** The revision that is shown. */
let seen = 0;
/** Ends the watch for the seat before: a browser holds few connections to one server. */
let watching = new AbortController();

/** @param {string} words */
const showProblem = (words) => {
  byId('problem').textContent = words;
};

/** @param {PageState} state */
const show = (state) => {
  seen = state.revision;
  showMessages(state.messages);
  showForm(state.form, {
    submit: (form, answers) => void act({ do: 'submit', ...seat, form, answers }),
    close: () => void act({ do: 'close', ...seat }),
  });
  showPhone(state.phone, (payment, answer) =>
    act({ do: 'prompt', visit: seat.visit, payment, answer }),
  );
  showWire(state.wire);
  byId('left').textContent =
    `This visit ends in ${state.minutesLeft} ${state.minutesLeft === 1 ? 'minute' : 'minutes'}.`;
  const person = state.people.find(({ id }) => id === seat.person);
  byId('about').textContent = person === undefined ? '' : `${person.name} ${person.may}.`;
};

/**
 * Asks for something; what it changes comes with the next look at the state.
 * @param {PageRequest} request
 */
const act = async (request) => {
  document.body.setAttribute('aria-busy', 'true');
  const said = await askServer(request);
  document.body.removeAttribute('aria-busy');
  showProblem(said.ok ? '' : said.say);
};

/** Looks for changes until the visit is over or the seat changes. */
const watch = async () => {
  const { signal } = watching;
  while (!signal.aborted) {
    const said = await askServer({ do: 'watch', ...seat, seen }, signal);
    if (signal.aborted) return;
    if (said.state !== undefined) show(said.state);
    else if (said.status === 410) return showOver(said.say);
    else {
      showProblem(said.say);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
};

/** @param {string} words */
const showOver = (words) => {
  byId('composer').remove();
  showProblem(words);
  byId('problem').append(
    ' ',
    pageButton('Start a new visit', 'primary', () => location.reload()),
  );
};

/** Another person or chat: everything is drawn for that one at once. */
const sitDown = () => {
  watching.abort();
  watching = new AbortController();
  seen = 0;
  void watch();
};

/** @param {string} text */
const send = (text) => void act({ do: 'type', ...seat, text });

/** @param {string} name */
const picked = (name) =>
  /** @type {HTMLInputElement | null} */ (document.querySelector(`[name=${name}]:checked`))
    ?.value ?? '';

const listen = () => {
  const field = /** @type {HTMLInputElement} */ (byId('typed'));
  byId('composer').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text === '') return;
    field.value = '';
    send(text);
  });
  byId('messages').addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-press]') : null;
    const message = button?.closest('[data-message]')?.getAttribute('data-message') ?? '';
    const value = button?.getAttribute('data-press') ?? '';
    if (button !== null) void act({ do: 'press', ...seat, message, value });
  });
  for (const group of ['people', 'looks'])
    byId(group).addEventListener('change', () => {
      seat.person = /** @type {Seat['person']} */ (picked('person'));
      seat.look = /** @type {Seat['look']} */ (picked('look'));
      sitDown();
    });
  addEventListener('pagehide', () => void askServer({ do: 'leave', visit: seat.visit }));
};

const begin = async () => {
  const { person, look } = seat;
  const said = await askServer({ do: 'begin', person, look });
  if (said.visit === undefined || said.state === undefined) return showOver(said.say);
  seat.visit = said.visit;
  showPeople(said.state.people);
  showExamples(send);
  listen();
  show(said.state);
  byId('typed').focus();
  await watch();
};

await begin();
