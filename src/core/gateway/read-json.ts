/** What `JSON.parse` hands to a reviver; TypeScript's library does not know the third argument yet. */
type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: { source?: string },
) => unknown;
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Every string of a valid JSON text, with the colon behind it when it is a key. */
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * JSON with its numbers as the text they came as, so that no amount passes through a float.
 * `undefined` for what is no JSON, is nested beyond reason, or repeats a key: a reader of the
 * first and a reader of the last of the two would believe different things about the money.
 */
export const readJson = (body: string): unknown => {
  let kept = -1; // the root is visited too, and has no key
  let parsed: unknown;
  try {
    parsed = parseWith(body, function (_key, value, context) {
      if (!Array.isArray(this)) kept++;
      return typeof value === 'number' ? (context.source ?? String(value)) : value;
    });
  } catch {
    // A SyntaxError, or a RangeError from a nesting deeper than the stack: unreadable either way.
    return undefined;
  }
  let written = 0;
  for (const [, colon] of body.matchAll(STRINGS)) if (colon !== undefined) written++;
  return written === kept ? parsed : undefined;
};
