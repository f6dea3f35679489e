/**
 * A copy that nobody can change, holding what JSON would give back. What is frozen already came from here
 * (a new version of a record shares most of its parts with the one before), so it is taken as it is.
 */
export const frozenCopy = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  for (const key of Object.keys(copy)) {
    const part = copy[key];
    // JSON leaves such fields out.
    if (part === undefined) delete copy[key];
    else copy[key] = frozenCopy(part);
  }
  return Object.freeze(copy) as T;
};
