import { outsideText } from './gateway/outside-text.ts';

/** Fields that carry a reason in words, in the callbacks of sibling services. */
const MESSAGE_FIELDS = ['status_desc', 'message', 'response_message', 'description', 'reason'];
/** Objects in which siblings wrap the fields. */
const WRAPPERS = ['response_data', 'data'];
const LONGEST = 200;

/**
 * What a callback says in words, if anything: the document shows no callback, so every shape seen in
 * sibling services is read and any other is taken as silent. The words are shown to people only after
 * the service's own answer agrees, and never decide anything.
 */
export const hintMessage = (body: string): string | undefined => {
  const fields = fieldsOf(body);
  const words = MESSAGE_FIELDS.map((name) => fields.get(name))
    .filter((value) => typeof value === 'string')
    .map((value) => outsideText(value)?.replace(/\s+/g, ' '))
    .filter((text) => text !== undefined);
  return words.length === 0 ? undefined : [...new Set(words)].join(': ').slice(0, LONGEST);
};

const fieldsOf = (body: string): Map<string, unknown> => {
  const parsedJson = fromJson(body);
  if (parsedJson === undefined) return new Map<string, unknown>(new URLSearchParams(body));
  const fields = new Map<string, unknown>(Object.entries(parsedJson));
  for (const wrapper of WRAPPERS) {
    const inner = fields.get(wrapper);
    if (typeof inner === 'object' && inner !== null)
      for (const [name, value] of Object.entries(inner)) fields.set(name, value);
  }
  return fields;
};

const fromJson = (body: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    // Not JSON: perhaps a form, perhaps nothing. A hint needs no body at all.
    return undefined;
  }
};
