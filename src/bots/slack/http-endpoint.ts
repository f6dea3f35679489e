import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTPReceiver } from '@slack/bolt';
import { systemClock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { sdkLog } from './sdk-log.ts';

/** Slack's requests are of some tens of kB; nobody else has a reason to send more. */
const LARGEST_BODY_BYTES = 1024 * 1024;
const LARGEST_SKEW_SECONDS = 5 * 60;
const FORM = 'application/x-www-form-urlencoded';

/** Takes Slack's signed requests on the path where the listener mounts it. */
export class HttpEndpoint {
  /** To be given to the Bolt app. */
  readonly receiver: HTTPReceiver;
  readonly #log: Log;

  constructor(options: { signingSecret: string; path: string; log: Log }) {
    this.#log = options.log;
    this.receiver = new HTTPReceiver({
      signingSecret: options.signingSecret,
      endpoints: [options.path],
      bodyLimit: LARGEST_BODY_BYTES,
      logger: sdkLog(options.log),
    });
  }

  /** Never throws; a path or method that is not Slack's is answered 404. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    if (this.#isFromTheFuture(request)) {
      answer(response, 401);
      return;
    }
    asPlainForm(request);
    try {
      this.receiver.requestListener(request, response);
    } catch (error) {
      // Bolt throws for a path or method that it does not serve.
      this.#log.warn({ url: request.url, err: error }, 'a request is none of Slack’s');
      answer(response, 404);
    }
  }

  /** Bolt refuses old timestamps only, by the system's time; this is its other half. */
  #isFromTheFuture(request: IncomingMessage): boolean {
    const seconds = Number(request.headers['x-slack-request-timestamp']);
    return seconds - systemClock.now() / 1_000 > LARGEST_SKEW_SECONDS;
  }
}

/** A proxy may add a charset, and then Bolt would read the form as JSON. The signature is over the body alone. */
const asPlainForm = (request: IncomingMessage): void => {
  if (request.headers['content-type']?.toLowerCase().startsWith(FORM))
    request.headers['content-type'] = FORM;
};

const answer = (response: ServerResponse, status: number): void => {
  response.writeHead(status);
  response.end();
};
