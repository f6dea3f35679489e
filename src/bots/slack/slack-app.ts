import { App, type Receiver, type ViewSubmitAction } from '@slack/bolt';
import type { InFlight } from '../../core/runtime/in-flight.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Dispatcher, Identity } from './dispatcher.ts';
import { sdkLog } from './sdk.ts';

/**
 * What Slack sends, by socket or by HTTP, and the dispatcher's method for it. Each kind of request has exactly one
 * listener: Bolt (5.1) runs all that match, and leaves a request without a match unanswered. A listener acknowledges
 * before it works; what could not be acknowledged is not carried out, because Slack shows the person that it failed.
 */
export const createSlackApp = (options: {
  receiver: Receiver;
  botToken: string;
  apiUrl: string;
  identity: Identity;
  dispatcher: Dispatcher;
  inFlight: InFlight;
  log: Log;
}): App => {
  const { dispatcher, identity, inFlight, log } = options;
  const app = new App({
    receiver: options.receiver,
    token: options.botToken,
    // Both, or Bolt asks Slack who it is at every single request.
    botId: identity.botId,
    botUserId: identity.botUserId,
    tokenVerificationEnabled: false,
    convoStore: false,
    logger: sdkLog(log),
    clientOptions: { slackApiUrl: options.apiUrl },
  });

  const answered = (ack: () => Promise<unknown>, work: () => Promise<void>): Promise<void> =>
    inFlight.add(ack().then(work));

  app.command(/^/, ({ ack, body }) => answered(ack, () => dispatcher.command(body)));
  app.action({}, ({ ack, body }) => answered(ack, () => dispatcher.press(body)));
  app.view<ViewSubmitAction>({ type: 'view_submission' }, ({ ack, body }) =>
    inFlight.add(dispatcher.submission(body, ack)),
  );
  app.event('app_mention', ({ body }) => inFlight.add(dispatcher.mention(body)));
  app.event('message', ({ body }) => inFlight.add(dispatcher.directMessage(body)));
  app.event('subteam_members_changed', async ({ body }) => dispatcher.groupChanged(body));
  app.event('subteam_updated', async ({ body }) => dispatcher.groupChanged(body));
  // Not used yet, but Slack shows an error for each that is not acknowledged.
  app.view({ type: 'view_closed' }, ({ ack }) => ack());
  app.shortcut({}, ({ ack }) => ack());
  app.options({}, ({ ack }) => ack());

  app.error(async (error) => {
    log.error({ err: errorFacts(error.original ?? error) }, 'an event of Slack failed');
  });
  return app;
};

/** Not the error itself: the SDK's errors carry requests and answers along. */
const errorFacts = ({ name, message, stack }: Error): object => ({ name, message, stack });
