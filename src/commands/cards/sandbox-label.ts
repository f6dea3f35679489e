import type { Form } from '../forms/form.ts';
import type { Questions, Surface } from '../inbound.ts';
import type { Card } from './card.ts';

const LABEL = 'TEST';

/** Labels everything shown while the sandbox is in use, so that no one takes it for real money. */
export type Label = {
  card(card: Card): Card;
  title(title: string): string;
  surface(surface: Surface): Surface;
};

export const noLabel: Label = {
  card: (card) => card,
  title: (title) => title,
  surface: (surface) => surface,
};

export const sandboxLabel: Label = {
  card: (card) => ({ ...card, title: labelled(card.title) }),
  title: (title) => labelled(title),
  surface: (surface) => ({
    ...surface, // its flags; the members that show something are replaced
    say: (card) => surface.say(sandboxLabel.card(card)),
    whisper: (card) => surface.whisper(sandboxLabel.card(card)),
    publish: (card) => surface.publish(sandboxLabel.card(card)),
    replace: (card, ...of) => surface.replace(sandboxLabel.card(card), ...of),
    answerPress: (why, state) => surface.answerPress(sandboxLabel.card(why), state),
    ...(surface.whisperPicture && {
      whisperPicture: async (card, picture) =>
        surface.whisperPicture?.(sandboxLabel.card(card), picture),
    }),
    sayProgress: (card) => surface.sayProgress(sandboxLabel.card(card)),
    sendFile: (file) => surface.sendFile({ ...file, title: labelled(file.title) }),
    ask: (form, ...filled) => surface.ask(labelledForm(form), ...filled),
    ...(surface.sparing === undefined ? {} : { sparing: sandboxLabel.surface(surface.sparing) }),
    ...(surface.questions === undefined ? {} : { questions: labelledQuestions(surface.questions) }),
  }),
};

const labelledQuestions = ({ post, close, after }: Questions): Questions => ({
  post: (card) => post(sandboxLabel.card(card)),
  close: (question, line) => close(question, sandboxLabel.card(line)),
  after: (question, line) => sandboxLabel.surface(after(question, sandboxLabel.card(line))),
});

const labelledForm = (form: Form): Form => ({ ...form, title: labelled(form.title) });

const labelled = (title: string): string =>
  title.startsWith(`${LABEL} `) ? title : `${LABEL} · ${title}`;
