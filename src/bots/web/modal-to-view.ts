import type { FormModal } from '../slack/form-to-modal.ts';
import { element, type View, type ViewElement } from './view.ts';

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
): ViewElement => ({
  tag: 'form',
  attributes: { class: 'modal', 'aria-label': modal.title.text },
  children: [
    element('h2', 'title', [modal.title.text]),
    element(
      'div',
      'fields',
      modal.blocks.map((block) => fieldView(block, problems)),
    ),
    element('div', 'buttons', [
      button('button', 'plain', modal.close?.text ?? 'Cancel', 'close'),
      button('submit', 'primary', modal.submit?.text ?? 'Send', 'submit'),
    ]),
  ],
});

const button = (type: string, style: string, label: string, name: string): ViewElement => ({
  tag: 'button',
  attributes: { class: `button ${style}`, type, name },
  children: [label],
});

const fieldView = (block: Input, problems: Readonly<Record<string, string>>): View => {
  const name = block.block_id ?? '';
  const id = `field-${name}`;
  const problem = problems[name];
  const help = [
    ...(block.hint === undefined ? [] : [helpView(`${id}-hint`, 'hint', block.hint.text)]),
    ...(problem === undefined ? [] : [helpView(`${id}-problem`, 'problem', problem)]),
  ];
  return element('div', 'field', [
    {
      tag: 'label',
      attributes: { for: id },
      children: [
        block.label.text,
        ...(block.optional ? [element('small', '', [' (optional)'])] : []),
      ],
    },
    controlView(block, {
      id,
      name,
      ...(help.length === 0 ? {} : { 'aria-describedby': help.map(idOf).join(' ') }),
      ...(problem === undefined ? {} : { 'aria-invalid': 'true' }),
      ...(block.optional ? {} : { required: '' }),
    }),
    ...help,
  ]);
};

const helpView = (id: string, name: string, text: string): ViewElement => ({
  tag: 'p',
  attributes: { class: name, id },
  children: [text],
});

const idOf = ({ attributes }: ViewElement): string => attributes?.id ?? '';

const controlView = (
  { element: slackElement }: Input,
  attributes: NonNullable<ViewElement['attributes']>,
): ViewElement => {
  const control = slackElement as Control;
  const { options, initial_option: picked, initial_value: typed = '', placeholder } = control;
  if (options !== undefined)
    return {
      tag: 'select',
      attributes,
      children: [optionView({ text: { text: 'Pick one' }, value: '' }, undefined)].concat(
        options.map((option) => optionView(option, picked)),
      ),
    };
  const shown =
    placeholder === undefined ? attributes : { ...attributes, placeholder: placeholder.text };
  return control.multiline === true
    ? { tag: 'textarea', attributes: { ...shown, rows: '3' }, children: [typed] }
    : { tag: 'input', attributes: { ...shown, type: 'text', value: typed } };
};

const optionView = ({ text, value = '' }: Choice, picked: Choice | undefined): ViewElement => ({
  tag: 'option',
  attributes: { value, ...(picked?.value === value ? { selected: '' } : {}) },
  children: [text.text],
});
