import { jsonOf } from '../../values/json-of.ts';
import { outsideText } from '../outside-text.ts';

/** Fields that carry a reason in words, in the callbacks of sibling services. */
const MESSAGE_FIELDS = ['status_desc', 'message', 'response_message', 'description', 'reason'];
/** Objects in which siblings wrap the fields. */
const WRAPPERS = ['response_data', 'data'];
const LONGEST = 200;

/**
 * The message of a callback, undefined if it has none. The service's document shows no callback, so every shape
 * seen in sibling services is read. The words are shown to people only after a status check agrees, and never
 * decide anything.
 */
export const callbackMessage = (body: string): string | undefined => {
  const field = fieldsOf(body);
  const words = MESSAGE_FIELDS.map(field)
    .filter((value) => typeof value === 'string')
    .map((value) => outsideText(value)?.replace(/\s+/g, ' '))
    .filter((text) => text !== undefined);
  return words.length === 0 ? undefined : cut([...new Set(words)].join(': '));
};

/** Never between the two halves of a surrogate pair. */
const cut = (text: string): string => text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '');

/** Reads a field; a value inside a wrapper comes before one beside it. */
const fieldsOf = (body: string): ((name: string) => unknown) => {
  const outer = jsonOf(body);
  if (!isObject(outer)) {
    // A form or nothing. A hint needs no body.
    const form = new URLSearchParams(body);
    return (name) => form.getAll(name).at(-1);
  }
  const objects = [outer];
  const field = (name: string): unknown =>
    objects.map((object) => own(object, name)).find((value) => value !== undefined);
  for (const wrapper of WRAPPERS) {
    const inner = field(wrapper);
    if (isObject(inner)) objects.unshift(inner);
  }
  return field;
};

const own = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
