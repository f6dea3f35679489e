import { defined } from '../../core/runtime/defined.ts';
import type { FormModal } from '../slack/form-to-modal.ts';
import { type Attributes, element, type View, type ViewElement } from './view.ts';

type Input = FormModal['blocks'][number];
type Choice = { readonly text: { readonly text: string }; readonly value?: string };

/** The element of an input, of the kinds that forms have. */
type Control = {
  readonly type: string;
  readonly multiline?: boolean;
  readonly initial_value?: string;
  readonly placeholder?: { readonly text: string };
  readonly options?: readonly Choice[];
  readonly initial_option?: Choice;
};

/** The modal that Slack's renderer made, as a form whose fields are named by their blocks. */
export const modalToView = (
  modal: FormModal,
  problems: Readonly<Record<string, string>>,
): ViewElement => {
  const title = modal.title.text;
  const fields = modal.blocks.map((block) => fieldView(block, problems));
  return element('form', { class: 'modal', 'aria-label': title }, [
    element('h2', 'title', [title]),
    element('div', 'fields', fields),
    element('div', 'buttons', [
      button('button', 'plain', modal.close?.text ?? 'Cancel', 'close'),
      button('submit', 'primary', modal.submit?.text ?? 'Send', 'submit'),
    ]),
  ]);
};

const button = (type: string, style: string, label: string, name: string): ViewElement =>
  element('button', { class: `button ${style}`, type, name }, [label]);

const fieldView = (block: Input, problems: Readonly<Record<string, string>>): View => {
  const name = block.block_id ?? '';
  const id = `field-${name}`;
  const { hint, label, optional } = block;
  const notes = Object.entries(defined({ hint: hint?.text, problem: problems[name] })).map(
    ([kind, text]) => ({ kind, id: `${id}-${kind}`, text }),
  );
  return element('div', 'field', [
    element('label', { for: id }, [
      label.text,
      ...(optional ? [element('small', '', [' (optional)'])] : []),
    ]),
    controlView(block, {
      id,
      name,
      ...(notes.length === 0 ? {} : { 'aria-describedby': notes.map((note) => note.id).join(' ') }),
      ...(problems[name] === undefined ? {} : { 'aria-invalid': 'true' }),
      ...(optional ? {} : { required: '' }),
    }),
    ...notes.map(({ kind, id, text }) => element('p', { class: kind, id }, [text])),
  ]);
};

const controlView = ({ element: slackElement }: Input, attributes: Attributes): ViewElement => {
  const control = slackElement as Control;
  const { options, initial_option: picked, initial_value: typed = '', placeholder } = control;
  if (options !== undefined)
    return element('select', attributes, [
      element('option', { value: '' }, ['Pick one']),
      ...options.map((option) => optionView(option, picked)),
    ]);
  const shown =
    placeholder === undefined ? attributes : { ...attributes, placeholder: placeholder.text };
  return control.multiline === true
    ? element('textarea', { ...shown, rows: '3' }, [typed])
    : element('input', { ...shown, type: 'text', value: typed });
};

const optionView = ({ text, value = '' }: Choice, picked: Choice | undefined): ViewElement =>
  element('option', { value, ...(picked?.value === value ? { selected: '' } : {}) }, [text.text]);
