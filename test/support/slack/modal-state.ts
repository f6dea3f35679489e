import type { Modal } from './block-kit.ts';

type Input = Extract<Modal['blocks'][number], { type: 'input' }>;
type Values = Record<string, Record<string, Record<string, unknown>>>;

/** What Slack sends as the state of a modal in which these fields were filled in, by label or block id. */
export const stateOf = (view: Modal, filled: Readonly<Record<string, string>>): Values => {
  const inputs = view.blocks.filter((block) => block.type === 'input');
  for (const name of Object.keys(filled))
    if (!inputs.some((input) => isNamed(input, name)))
      throw new Error(`no field "${name}"; there are: ${inputs.map(labelOf).join(', ')}`);
  return Object.fromEntries(
    inputs.map((input) => {
      const name = Object.keys(filled).find((each) => isNamed(input, each));
      const element = elementState(input, name === undefined ? undefined : filled[name]);
      return [input.block_id ?? '', { [input.element.action_id]: element }];
    }),
  );
};

const labelOf = ({ label }: Input): string => label.text;

const isNamed = (input: Input, name: string): boolean =>
  input.block_id === name || labelOf(input) === name;

const elementState = (input: Input, typed: string | undefined): Record<string, unknown> => {
  const { element } = input;
  if (element.type === 'plain_text_input') {
    const value = typed ?? element.initial_value ?? '';
    refuseEmpty(input, value);
    return { type: element.type, value: value === '' ? null : value };
  }
  if (element.type === 'conversations_select') {
    const picked = typed ?? element.initial_conversation ?? '';
    refuseEmpty(input, picked);
    return { type: element.type, selected_conversation: picked === '' ? null : picked };
  }
  const picked =
    typed === undefined
      ? element.initial_option
      : element.options.find(({ text, value }) => text.text === typed || value === typed);
  if (typed !== undefined && typed !== '' && picked === undefined)
    throw new Error(`"${labelOf(input)}" does not offer ${typed}`);
  refuseEmpty(input, picked?.value ?? '');
  return { type: element.type, selected_option: picked ?? null };
};

/** Slack itself keeps a form from being sent while something required is missing. */
const refuseEmpty = (input: Input, value: string): void => {
  if (value === '' && input.optional !== true)
    throw new Error(`Slack asks to fill in "${labelOf(input)}" and sends nothing`);
};
