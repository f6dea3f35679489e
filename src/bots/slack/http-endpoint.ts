import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, answer, NOT_FOUND } from '../../core/http/answer.ts';
import { UnverifiedBodies } from '../../core/http/unverified-bodies.ts';
import { systemClock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import { HTTPReceiver } from './bolt.ts';
import { sdkLog } from './sdk.ts';
import { SLACK_EVENTS_PATH } from './settings.ts';

/** Slack's requests are some tens of kB long. */
const LARGEST_BODY_BYTES = 256 * 1024;
/** Slack's check of a certificate (`ssl_check=1`) is not signed, and some tens of bytes long. */
const LARGEST_UNSIGNED_BYTES = 4 * 1024;
/** Of all bodies together whose signature is not verified yet. */
const MOST_UNVERIFIED_BYTES = 16 * 1024 * 1024;
const LARGEST_SKEW_SECONDS = 5 * 60;
const SIGNATURE = /^v0=[0-9a-f]{64}$/;
const FORM = 'application/x-www-form-urlencoded';
const WRONG_TIME: Answer = { status: 401, text: 'signed at another time' };

/** Takes Slack's signed requests on the path where the listener mounts it. */
export class HttpEndpoint {
  readonly receiver;
  readonly #log: Log;
  readonly #bodies: UnverifiedBodies;

  constructor(options: {
    signingSecret: string;
    log: Log;
    /** @default 16 MiB of them at most */
    bodies?: UnverifiedBodies;
  }) {
    this.#log = options.log;
    this.#bodies = options.bodies ?? new UnverifiedBodies(MOST_UNVERIFIED_BYTES);
    this.receiver = new HTTPReceiver({
      signingSecret: options.signingSecret,
      endpoints: [SLACK_EVENTS_PATH],
      logger: sdkLog(options.log),
    });
  }

  /** Never throws; a path or method that is not Slack's is answered 404. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    const { headers } = request;
    const signedAtSeconds = Number(headers['x-slack-request-timestamp']);
    const skewSeconds = Math.abs(signedAtSeconds - systemClock.now() / 1_000);
    // Bolt refuses old timestamps only, by the system's time, and after reading the body.
    if (skewSeconds > LARGEST_SKEW_SECONDS) {
      answer(response, WRONG_TIME);
      return;
    }
    const looksSigned =
      SIGNATURE.test(String(headers['x-slack-signature'])) && Number.isFinite(signedAtSeconds);
    const largestBytes = looksSigned ? LARGEST_BODY_BYTES : LARGEST_UNSIGNED_BYTES;
    void this.#bodies.read(request, largestBytes).then((read) => {
      if (read.ok) this.#handOver(request, read.body, response);
      else if (read.answer !== undefined) answer(response, read.answer);
    });
  }

  /** Bolt verifies the signature; a body under this name it does not read again. */
  #handOver(request: IncomingMessage, rawBody: Buffer, response: ServerResponse): void {
    const { headers } = request;
    // A proxy may add a charset, and then Bolt would read the form as JSON. The signature is over the body alone.
    if (headers['content-type']?.toLowerCase().startsWith(FORM)) headers['content-type'] = FORM;
    try {
      this.receiver.requestListener(Object.assign(request, { rawBody }), response);
    } catch (error) {
      // Bolt throws for a path or method that it does not serve.
      this.#log.warn({ url: request.url, err: error }, 'a request is none of Slack’s');
      answer(response, NOT_FOUND);
    }
  }
}
