import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { type Answer, answer, NOT_FOUND } from '../../core/http/answer.ts';
import { UnverifiedBodies } from '../../core/http/unverified-bodies.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { jsonOf } from '../../core/values/json-of.ts';
import { drawPage } from './draw-page.ts';
import { readPageFiles } from './page-files.ts';
import { pageRequest } from './page-request.ts';
import { isLocalRequest, whyNotShown, whyNotTaken } from './request-rules.ts';
import { type Visit, type VisitOptions, Visits } from './visits.ts';

/** More than any request of the page. */
const LARGEST_BODY_BYTES = 16 * 1024;
/** Of all bodies that are not whole yet. */
const MOST_BODY_BYTES = 256 * 1024;
/** Within the time after which the listener closes a connection without a byte. */
const LONGEST_WAIT_MS = 20_000;

const GONE = 'That is no longer there. Nothing was done.';
const OVER = 'This visit is over. Start a new one.';
const FULL = 'Too many visits are open. Close one of the pages, then try again.';
const NOT_UNDERSTOOD = 'The page asked for something that I do not know. Load it again.';

type PageRequest = z.output<typeof pageRequest>;
type Seat = Pick<Extract<PageRequest, { do: 'begin' }>, 'person' | 'look'>;

type Options = VisitOptions & {
  /** Where the page is, such as `/try/` and its token. */
  readonly path: string;
};

export class PracticePage {
  readonly #options: Options;
  readonly #files: ReturnType<typeof readPageFiles>;
  readonly #bodies = new UnverifiedBodies(MOST_BODY_BYTES);
  readonly #visits: Visits;

  constructor(options: Options) {
    this.#options = options;
    this.#files = readPageFiles(options.path);
    this.#visits = new Visits(options);
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const said = await this.#answerTo(request);
      if (said !== undefined) answer(response, said);
    } catch (error) {
      this.#options.log.error({ err: error }, 'the practice page could not answer');
      if (!response.headersSent) answer(response, sentence(500, 'Something went wrong here.'));
    }
  }

  /** Ends all visits; requests that wait are answered. */
  stop(): Promise<void> {
    return this.#visits.stop();
  }

  /** Undefined: the client is gone. */
  async #answerTo(request: IncomingMessage): Promise<Answer | undefined> {
    if (!isLocalRequest(request)) return NOT_FOUND;
    const { path: page } = this.#options;
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    const file = this.#files.get(path.slice(page.length));
    if (file !== undefined) return whyNotShown(request) ?? file;
    if (path !== `${page}/do`) return NOT_FOUND;
    const refused = whyNotTaken(request);
    if (refused !== undefined) return refused;
    const read = await this.#bodies.read(request, LARGEST_BODY_BYTES);
    if (!read.ok) return read.answer;
    const { data } = pageRequest.safeParse(jsonOf(read.body.toString()));
    return data === undefined ? sentence(400, NOT_UNDERSTOOD) : this.#carryOut(data);
  }

  async #carryOut(asked: PageRequest): Promise<Answer> {
    if (asked.do === 'begin') {
      const visit = await this.#visits.begin();
      return visit === undefined ? sentence(503, FULL) : this.#state(visit, asked);
    }
    const visit = this.#visits.find(asked.visit);
    if (visit === undefined) return sentence(410, OVER);
    const { bot, revision, answerPrompt } = visit.practice;
    switch (asked.do) {
      case 'watch':
        await revision.changedAfter(asked.seen, LONGEST_WAIT_MS);
        return this.#visits.find(visit.id) === undefined
          ? sentence(410, OVER)
          : this.#state(visit, asked);
      case 'leave':
        await this.#visits.end(visit.id);
        return sentence(200, OVER);
      case 'type':
        await bot.type(asked.person, asked.look, asked.text);
        return DONE;
      case 'press':
        return doneOrGone(await bot.press(asked.person, asked.look, asked.message, asked.value));
      case 'submit':
        return doneOrGone(await bot.submit(asked.person, asked.look, asked.form, asked.answers));
      case 'close':
        bot.closeForm(asked.person);
        return DONE;
      case 'prompt':
        return doneOrGone(await answerPrompt(asked.payment, asked.answer));
      default:
        return assertNever(asked);
    }
  }

  #state(visit: Visit, { person, look }: Seat): Answer {
    const { id, practice } = visit;
    const state = drawPage(practice, person, look, this.#visits.minutesLeft(visit));
    return json(200, { visit: id, state });
  }
}

const json = (status: number, value: object): Answer => ({
  status,
  type: 'application/json',
  text: JSON.stringify(value),
});

const sentence = (status: number, say: string): Answer => json(status, { say });

const DONE = sentence(200, '');

const doneOrGone = (isDone: boolean): Answer => (isDone ? DONE : sentence(409, GONE));
