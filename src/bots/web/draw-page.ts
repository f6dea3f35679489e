import { hash } from 'node:crypto';
import { defined } from '../../core/runtime/defined.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import { formToModal } from '../slack/form-to-modal.ts';
import { messageView } from './message-view.ts';
import { modalToView } from './modal-to-view.ts';
import type { PageMessage, PagePerson, PageState } from './page-state.ts';
import { PEOPLE } from './people.ts';
import type { Practice } from './practice.ts';
import type { Look, RoomMessage } from './room.ts';
import type { OpenForm } from './web-bot.ts';

const LONGEST_QUOTE = 60;

export const drawPage = (
  practice: Practice,
  person: PagePerson,
  look: Look,
  minutesLeft: number,
): PageState => {
  const { bot, revision } = practice;
  const messages = bot.room.seenBy(person.id, look);
  const open = bot.formBefore(person);
  return {
    revision: revision.count,
    people: Object.values(PEOPLE),
    messages: messages.map((message) => drawMessage(message, messages)),
    ...defined({
      form: open && { id: open.id, view: modalToView(modalOf(open), open.problems) },
    }),
    phone: { prompts: practice.prompts(), texts: practice.texts() },
    wire: practice.wire(),
    minutesLeft,
  };
};

const drawMessage = (message: RoomMessage, all: readonly RoomMessage[]): PageMessage => {
  const { id, under } = message;
  const answered = all.find((each) => each.id === under);
  const view = messageView(message, answered && firstWords(answered));
  return { id, drawn: hash('sha256', JSON.stringify(view), 'base64url'), view };
};

const firstWords = ({ said }: RoomMessage): string => {
  const text = 'by' in said ? said.text : said.title;
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE)}…`;
};

/** Where Slack's renderer thinks that the form is open; the page sends its answers elsewhere. */
const NOWHERE: Conversation = { platform: 'slack', workspace: '', channel: '' };

const modalOf = ({ form, answers, annotations }: OpenForm) =>
  formToModal(form, answers, NOWHERE, annotations);
