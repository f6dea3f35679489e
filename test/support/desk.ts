import { buildEngine, type Engine } from '../../src/app/engine.ts';
import type { EngineOptions } from '../../src/app/engine-options.ts';
import { platforms } from '../../src/bots/all-platforms.ts';
import type { OutgoingMessage } from '../../src/bots/bot.ts';
import type { Access } from '../../src/commands/access/access.ts';
import type { Grants } from '../../src/commands/access/grants.ts';
import type { Card } from '../../src/commands/cards/card.ts';
import type { OutgoingFile } from '../../src/commands/cards/outgoing-file.ts';
import { noLabel } from '../../src/commands/cards/sandbox-label.ts';
import type { Annotations, Answers, Form } from '../../src/commands/forms/form.ts';
import type { Caller, Surface } from '../../src/commands/inbound.ts';
import type { PinAnswer } from '../../src/core/notices/chats.ts';
import type { Log } from '../../src/core/runtime/log.ts';
import type { Store } from '../../src/core/store/store.ts';
import type {
  Conversation,
  Delivery,
  MessageRef,
  Person,
} from '../../src/core/values/conversation.ts';
import { shop } from './a-payment.ts';
import { eventually } from './eventually.ts';
import { allGrants } from './grants.ts';
import { ManualClock } from './manual-clock.ts';
import { openStore } from './open-store.ts';
import { silentLog } from './silent-log.ts';
import { StubGateway } from './stub-gateway.ts';

/** A person in front of the whole program without a chat platform: what they type, press and are shown. */
export type Desk = {
  type(
    person: Person,
    command: string,
    words: string,
    eventId?: string,
    where?: Conversation,
  ): Promise<Card[]>;
  /** Sends a file, with words beside it. */
  send(
    person: Person,
    file: { readonly name: string; readonly bytes: Uint8Array | string },
    options?: { readonly words?: string; readonly where?: Conversation; readonly eventId?: string },
  ): Promise<Card[]>;
  /** Presses the button that begins with `label` on a card they were shown. */
  press(
    person: Person,
    card: Card | undefined,
    label: string,
    where?: Conversation,
    eventId?: string,
  ): Promise<Card[]>;
  /** Fills in and sends the last form that was shown. */
  submit(person: Person, answers: Answers, where?: Conversation, eventId?: string): Promise<Card[]>;
  /** The forms that were shown, oldest first. */
  readonly asked: readonly { form: Form; answers: Answers; annotations?: Annotations }[];
  /** Everything posted to a conversation, oldest first. */
  readonly posted: readonly OutgoingMessage[];
  /** What messages were changed into, oldest first. */
  readonly edited: readonly Card[];
  /** The same, each with its message. */
  readonly edits: readonly { readonly ref: MessageRef; readonly card: Card }[];
  /** The files that were sent to anyone, oldest first. */
  readonly files: readonly (OutgoingFile & { readonly content: Blob })[];
  /** What was said to all in a conversation, oldest first. */
  readonly published: readonly Card[];
  /** Messages that were pinned and are, in order. */
  readonly pins: string[];
  /** What becomes of pins, posts and edits from now on. @default they are taken */
  readonly chat: {
    pin: PinAnswer;
    unpin?: PinAnswer;
    post?: (where: Conversation) => Delivery | undefined;
    edit?: Delivery;
  };
  /** What becomes of files from now on. @default they are delivered */
  sendsFiles(send: Surface['sendFile']): void;
  readonly gateway: StubGateway;
  readonly engine: Engine;
  /** Runs the engine until this holds. */
  runUntil(holds: () => void | Promise<void>): Promise<void>;
};

/** They read every conversation. */
const COLLEAGUES = new Map([
  ['U0EFUA', 'Efua'],
  ['U0KOJO', 'Kojo'],
  ['U0KOFI', 'Kofi'],
]);

export const openDesk = (
  store: Store,
  clock: ManualClock,
  grantsOf: (caller: Caller) => Grants = () => allGrants(),
  log: Log = silentLog,
  approvers: Access['approvers'] = () => [],
  more: Partial<EngineOptions> = {},
): Desk => {
  const gateway = new StubGateway();
  const messages: OutgoingMessage[] = [];
  const edits: { ref: MessageRef; card: Card }[] = [];
  const files: (OutgoingFile & { readonly content: Blob })[] = [];
  const published: Card[] = [];
  const pins: string[] = [];
  const chat: Desk['chat'] = { pin: 'done' };
  let sendFile: Surface['sendFile'] = async () => ({ ok: true });
  const forms: { form: Form; answers: Answers; annotations?: Annotations }[] = [];
  const engine = buildEngine({
    platforms,
    store,
    isShared: true,
    gateway,
    access: {
      grantsOf: async (caller) => grantsOf(caller),
      approvers,
      approverIds: async () => ['U0EFUA', 'U0KOJO'],
    },
    chats: new Map([
      [
        shop.platform,
        {
          post: async (message) => {
            const refused = chat.post?.(message.conversation);
            if (refused !== undefined) return refused;
            messages.push(message);
            const { conversation } = message;
            const ref = { conversation, message: `1.${messages.length}` };
            return { kind: 'delivered', ref };
          },
          edit: async (ref, card) => {
            if (chat.edit !== undefined) return chat.edit;
            edits.push({ ref, card });
            return { kind: 'delivered', ref };
          },
          pin: async ({ message }, isPinned) => {
            const answer = isPinned ? chat.pin : (chat.unpin ?? chat.pin);
            if (answer !== 'done') return answer;
            const at = pins.indexOf(message);
            if (!isPinned) pins.splice(at, 1);
            else if (at < 0) pins.push(message);
            return answer;
          },
          linkTo: async ({ message }) => `https://t.me/c/1234567890/${message}`,
          readerIn: async (_, id) => COLLEAGUES.get(id),
        },
      ],
    ]),
    clock,
    log,
    mark: noLabel,
    settings: { currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds: ['Shop'] },
    checks: { scheduleMs: [10_000], giveUpMs: 72 * 3_600_000 },
    confirmWithinMs: 600_000,
    requestTimeoutMs: 30_000,
    sealSecret: 'the seal of the desk',
    callbacks: { secrets: ['a secret of the shop'], publicUrl: 'http://127.0.0.1' },
    ...more,
  });
  let events = 0;
  const inbound = (person: Person, conversation: Conversation, eventId: string) => {
    const shown: Card[] = [];
    const show = async (card: Card) => void shown.push(card);
    const surface: Surface = {
      say: show,
      whisper: show,
      publish: async (card) => {
        shown.push(card);
        published.push(card);
      },
      replace: show,
      answerPress: show,
      sayProgress: show,
      sendFile: async (file) => {
        // Its place on the disk is gone once the command is done.
        const { type } = file.content;
        const bytes = await new Response(file.content.stream()).bytes();
        files.push({ ...file, content: new Blob([bytes], { type }) });
        return sendFile(file);
      },
      ask: async (form, answers, annotations) =>
        void forms.push({ form, answers, ...(annotations && { annotations }) }),
    };
    return { shown, inbound: { caller: { ...person, conversation }, eventId, surface } };
  };
  return {
    gateway,
    engine,
    runUntil: async (holds) => {
      await engine.start();
      await eventually(holds);
      await engine.stop();
    },
    posted: messages,
    asked: forms,
    files,
    published,
    pins,
    chat,
    sendsFiles: (send) => {
      sendFile = send;
    },
    get edited() {
      return edits.map(({ card }) => card);
    },
    edits,
    type: async (person, command, words, eventId = `event ${events++}`, where = shop) => {
      const { shown, inbound: event } = inbound(person, where, eventId);
      await engine.router.command(event, command, words);
      return shown;
    },
    send: async (person, { name, bytes }, { words = '', where = shop, eventId } = {}) => {
      const { shown, inbound: event } = inbound(person, where, eventId ?? `event ${events++}`);
      const value = Buffer.from(bytes);
      const read = async () => ({ ok: true, value }) as const;
      await engine.router.file(event, { name, read }, words);
      return shown;
    },
    submit: async (person, answers, where = shop, eventId = `event ${events++}`) => {
      const shownForm = forms.at(-1);
      if (shownForm === undefined) throw new Error('no form was shown');
      const { shown, inbound: event } = inbound(person, where, eventId);
      const filledIn = { ...shownForm.answers, ...answers };
      await engine.router.submit(event, shownForm.form.command, filledIn);
      return shown;
    },
    press: async (person, card, label, where = shop, eventId = `event ${events++}`) => {
      const button = card?.buttons?.find((each) => each.label.startsWith(label));
      if (button?.kind !== 'press') throw new Error(`no button ${label} on ${card?.title}`);
      const { shown, inbound: event } = inbound(person, where, eventId);
      // A private question, as in Slack.
      const pressed = { ref: { conversation: where, message: 'a question' }, canBecomeCard: false };
      await engine.router.press({ ...event, pressed }, button.verb, button.id);
      return shown;
    },
  };
};

/** A desk with a clock and a store of its own. */
export type DeskInHand = {
  readonly clock: ManualClock;
  readonly store: Store;
  readonly desk: Desk;
};

type DeskOptions =
  Parameters<typeof openDesk> extends [Store, ManualClock, ...infer Rest] ? Rest : never;

/** `options`: what `openDesk` takes behind store and clock. */
export const deskInHand = async (...options: DeskOptions): Promise<DeskInHand> => {
  const clock = new ManualClock();
  const store = await openStore();
  return { clock, store, desk: openDesk(store, clock, ...options) };
};
