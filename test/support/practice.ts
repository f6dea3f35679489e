import { request } from 'node:http';
import type { App } from '../../src/app/started-app.ts';
import type { PageState } from '../../src/bots/web/page-state.ts';
import type { ViewElement } from '../../src/bots/web/view.ts';
import { PATIENCE_MS } from './patience.ts';

type Said = {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
};

type Asked = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Where the page of one start is. */
export type PracticeAddress = { readonly port: number; readonly path: string };

export const practiceAddress = ({ practiceUrl, port }: App): PracticeAddress => ({
  port,
  path: new URL(practiceUrl ?? 'none:').pathname,
});

/** Sends the practice page's server exactly this. */
export const send = (
  { port, path: page }: PracticeAddress,
  { method = 'GET', path = page, headers = {}, body }: Asked,
) =>
  new Promise<Said>((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { host: `localhost:${port}`, ...headers },
        agent: false,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (data: string) => {
          text += data;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    asked.on('error', reject).end(body);
  });

/** What the page sends along with each request. */
export const ownHeaders = ({ port }: Pick<PracticeAddress, 'port'>): Record<string, string> => ({
  origin: `http://localhost:${port}`,
  'content-type': 'application/json',
});

export type Seat = { readonly person?: string; readonly look?: string };

/** A visit of the practice page without a browser. */
export class PracticeVisit {
  readonly address: PracticeAddress;
  id = '';

  constructor(address: PracticeAddress) {
    this.address = address;
  }

  async begin({ person = 'ama', look = 'slack' }: Seat = {}): Promise<Said> {
    const said = await this.ask({ do: 'begin', person, look });
    if (said.status === 200) this.id = JSON.parse(said.text).visit;
    return said;
  }

  ask(asked: object): Promise<Said> {
    const body = JSON.stringify(asked);
    return send(this.address, {
      method: 'POST',
      path: `${this.address.path}/do`,
      headers: { ...ownHeaders(this.address), 'content-length': String(Buffer.byteLength(body)) },
      body,
    });
  }

  /** What a person does in one of the chats. */
  act(asked: object, { person = 'ama', look = 'slack' }: Seat = {}): Promise<Said> {
    return this.ask({ visit: this.id, person, look, ...asked });
  }

  type(text: string, seat: Seat = {}): Promise<Said> {
    return this.act({ do: 'type', text }, seat);
  }

  async state(seat: Seat = {}, seen = 0): Promise<PageState> {
    return JSON.parse((await this.act({ do: 'watch', seen }, seat)).text).state;
  }

  answer(payment: string, answer: string): Promise<Said> {
    return this.ask({ do: 'prompt', visit: this.id, payment, answer });
  }

  /** Waits until the page fits. */
  async until(fits: (state: PageState) => boolean, seat: Seat = {}): Promise<PageState> {
    const deadlineMs = Date.now() + PATIENCE_MS;
    for (let state = await this.state(seat); ; state = await this.state(seat, state.revision)) {
      if (fits(state)) return state;
      if (Date.now() > deadlineMs)
        throw new Error(`it never came: ${JSON.stringify(wordsOf(state), null, 1)}`);
    }
  }

  /** Waits until a message has these words, and gives that message. */
  async shows(words: string | RegExp, seat: Seat = {}): Promise<PageState['messages'][number]> {
    const has = ({ view }: { view: ViewElement }) =>
      typeof words === 'string' ? textOf(view).includes(words) : words.test(textOf(view));
    const { messages } = await this.until((state) => state.messages.some(has), seat);
    const found = messages.find(has);
    if (found === undefined) throw new Error('it went again');
    return found;
  }

  /** Presses the button of this label on a message. */
  press(message: PageState['messages'][number], label: string, seat: Seat = {}): Promise<Said> {
    const value = pressesIn(message.view).find(([text]) => text.startsWith(label))?.[1];
    return this.act(
      { do: 'press', message: message.id, value: value ?? `no button ${label}` },
      seat,
    );
  }
}

/** Each message of a page as text. */
export const wordsOf = ({ messages }: PageState): string[] =>
  messages.map(({ view }) => textOf(view));

export const textOf = (view: ViewElement): string =>
  (view.children ?? [])
    .map((child) => (typeof child === 'string' ? child : ` ${textOf(child)} `))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();

/** Labels and values of the buttons. */
export const pressesIn = (view: ViewElement): [string, string][] => {
  const value = view.attributes?.['data-press'];
  const own: [string, string][] = value === undefined ? [] : [[textOf(view), value]];
  return [
    ...own,
    ...(view.children ?? []).flatMap((child) =>
      typeof child === 'string' ? [] : pressesIn(child),
    ),
  ];
};

/** What stands in the fields of a form, by name. */
export const answersShown = ({
  tag,
  attributes: { name, value = '' } = {},
  children = [],
}: ViewElement): Record<string, string> => {
  const inner = children.filter((child) => typeof child === 'object');
  if (name === undefined || tag === 'button')
    return Object.assign({}, ...inner.map(answersShown)) as Record<string, string>;
  const picked = inner.find(({ attributes }) => attributes?.selected !== undefined);
  return {
    [name]: picked?.attributes?.value ?? (tag === 'textarea' ? textOf({ tag, children }) : value),
  };
};
