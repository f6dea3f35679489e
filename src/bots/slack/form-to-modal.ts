import type { types } from '@slack/bolt';
import { z } from 'zod';
import {
  type Annotations,
  type Answers,
  type Choice,
  type Field,
  type Form,
  fieldsOfModal,
  hintOf,
} from '../../commands/forms/form.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import { jsonOf } from '../../core/values/json-of.ts';
import { plainText } from './card-to-blocks.ts';
import { type CommandNames, PLAIN_NAMES } from './command-names.ts';
import { limits } from './limits.ts';
import { placeBlocks } from './picked-place.ts';

/** The callback id of every modal; other submissions are ignored. */
export const FORM_CALLBACK = 'form';
const ANSWER = 'answer';

/** A modal of questions alone. */
export type FormModal = Omit<types.ModalView, 'blocks'> & { readonly blocks: types.InputBlock[] };

/** A form as a modal. A field's block id is its name, so complaints and answers find their way back. */
export const formToModal = (
  form: Form,
  answers: Answers,
  conversation: Conversation,
  annotations: Annotations = {},
  names = PLAIN_NAMES,
): FormModal => ({
  type: 'modal',
  callback_id: FORM_CALLBACK,
  title: plainText(names.text(form.title), limits.modalTitle),
  submit: plainText(form.submitLabel, limits.modalButton),
  close: plainText('Cancel', limits.modalButton),
  private_metadata: JSON.stringify({
    command: form.command,
    conversation,
    typed: withoutField(form, answers),
  }),
  blocks: [
    ...placeBlocks(annotations, ANSWER),
    ...fieldsOfModal(form, answers, annotations.problems).flatMap((field) =>
      inputBlocks(field, { answers, annotations, names }),
    ),
  ].slice(0, limits.modalBlocks),
});

/** What the fields of a modal are shown with. */
type Filling = {
  readonly answers: Answers;
  readonly annotations: Annotations;
  readonly names: CommandNames;
};

/** Answers that no field shows; they come back with the others. */
export const withoutField = ({ fields }: Form, answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).filter(([name]) => fields.every((field) => field.name !== name)),
  );

/** Behind a field's name: the block of its suggestions. */
const SUGGESTED = '~suggested';

/** Behind a field's name: the block that goes on with a text which is too long for one. */
const CONTINUED = '~more';

/** At most 3,000 characters (Slack's limit) also where each is an emoji, up to the end of a word. */
const PIECE = /[\s\S]{1,1500}(?=\s|$)|[\s\S]{1,1500}/gu;

const piecesOf = (text: string): readonly string[] =>
  text.length > limits.inputText ? (text.match(PIECE) ?? []) : [text];

/** A field, and the answers that are suggested for it: one of the two is filled in. A text that is too long has several. */
const inputBlocks = (field: Field, filling: Filling): types.InputBlock[] => {
  const { answers, annotations, names } = filling;
  const [first = '', ...others] = piecesOf(answers[field.name]?.trim() ?? '');
  const begun = first === '' ? answers : { ...answers, [field.name]: first };
  const block = inputBlock(field, { ...filling, answers: begun });
  const rest = others.map((piece, at) => {
    const name = `${field.name}${CONTINUED}${at}`;
    const more = { name, label: `${field.label}, continued`, long: true, optional: true };
    const piecewise = { answers: { [name]: piece }, annotations: {}, names };
    return inputBlock({ ...more, check: field.check }, piecewise);
  });
  if (rest.length > 0) return [block, ...rest];
  const { label, choices: all = [] } = annotations.suggestions?.[field.name] ?? {};
  const choices = all.filter(isOption);
  if (label === undefined || choices.length === 0) return [block];
  const suggested: types.InputBlock = {
    type: 'input',
    block_id: `${field.name}${SUGGESTED}`,
    label: plainText(names.text(label), limits.inputLabel),
    element: selectElement(choices.slice(0, limits.selectOptions), '', names),
    optional: true,
  };
  return [{ ...block, optional: true }, suggested];
};

const inputBlock = (field: Field, { answers, annotations, names }: Filling): types.InputBlock => {
  const { name } = field;
  const hint = annotations.problems?.[name] ?? hintOf(field, answers);
  const greyed = annotations.placeholders?.[name];
  return {
    type: 'input',
    block_id: name,
    label: plainText(names.text(field.label), limits.inputLabel),
    element: {
      ...inputElement(field, answers[name] ?? presetOf(field, answers), names),
      ...(greyed === undefined
        ? {}
        : { placeholder: plainText(names.text(greyed), limits.placeholder) }),
    },
    // Slack would not submit the form without an answer to a question that does not always apply.
    optional: field.optional === true || field.when !== undefined,
    ...(hint === undefined ? {} : { hint: plainText(names.text(hint), limits.inputHint) }),
  };
};

const presetOf = (field: Field, answers: Answers): string =>
  field.preset !== undefined && field.check(field.preset, answers).ok ? field.preset : '';

const inputElement = (
  field: Field,
  answer: string,
  names: CommandNames,
): types.StaticSelect | types.PlainTextInput => {
  const { choices = [], long: multiline = false } = field;
  // More than Slack's list can hold: typed instead, and checked all the same.
  const canBePicked =
    choices.length > 0 && choices.length <= limits.selectOptions && choices.every(isOption);
  if (canBePicked) return selectElement(choices, answer, names);
  const initial = answer === '' ? {} : { initial_value: answer };
  return { type: 'plain_text_input', action_id: ANSWER, multiline, ...initial };
};

/** A value that is cut would be another answer. */
const isOption = ({ value }: Choice): boolean => value.length <= limits.optionValue;

const selectElement = (
  choices: readonly Choice[],
  answer: string,
  names: CommandNames,
): types.StaticSelect => {
  const options = choices.map(({ value, label }) => ({
    text: plainText(names.text(label), limits.optionLabel),
    value,
  }));
  const initial_option = options.find(({ value }) => value === answer);
  return { type: 'static_select', action_id: ANSWER, options, ...defined({ initial_option }) };
};

const input = z.object({
  value: z.string().nullish(),
  selected_option: z.object({ value: z.string() }).nullish(),
  selected_conversation: z.string().nullish(),
});

/**
 * What was filled in, block by block, to answers by field name; a field left empty has none. A picked suggestion is
 * the answer of its field; one that contradicts what was typed keeps its block's name, for `contradictions`. A text over
 * several blocks is one answer.
 */
export const modalState = z
  .record(z.string(), z.record(z.string(), input))
  .transform((blocks): Answers => {
    const whole = new Map<string, string>();
    for (const [block, { [ANSWER]: given }] of Object.entries(blocks)) {
      const [name = block] = block.split(CONTINUED);
      const answer =
        given?.selected_option?.value ?? given?.selected_conversation ?? given?.value ?? '';
      whole.set(name, `${whole.get(name) ?? ''}${answer}`);
    }
    const answers = [...whole].map(([name, answer]) => [name, answer.trim()] as const);
    return withSuggested(Object.fromEntries(answers.filter(([, answer]) => answer !== '')));
  });

const withSuggested = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).flatMap(([block, answer]) => {
      const name = block.endsWith(SUGGESTED) ? block.slice(0, -SUGGESTED.length) : block;
      const typed = answers[name];
      if (name === block || typed === undefined) return [[name, answer]];
      return typed === answer ? [] : [[block, answer]];
    }),
  );

/** What is wrong with suggestions that were picked beside another answer, by block. */
export const contradictions = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.keys(answers)
      .filter((name) => name.endsWith(SUGGESTED))
      .map((name) => [name, 'Type an answer or pick one here, not both.']),
  );

/** Carried in the modal, because its submission names neither the conversation nor the command. */
const purpose = z.object({
  command: z.string(),
  conversation: z.object({
    platform: z.literal('slack'),
    workspace: z.string(),
    channel: z.string(),
    thread: z.string().exactOptional(),
  }),
  /** Answers that were typed and that no field shows. */
  typed: z.record(z.string(), z.string()).exactOptional(),
});

/** What the modal was for; undefined when the bot did not open it. */
export const readPurpose = (privateMetadata: string): z.output<typeof purpose> | undefined =>
  purpose.safeParse(jsonOf(privateMetadata)).data;
