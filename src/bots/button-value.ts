type Press = { readonly verb: string; readonly id: string };

/** What a button carries: `charge:01JD2M4X9QK7T3VB`. */
export const buttonValue = ({ verb, id }: Press): string => `${verb}:${id}`;

/** The verb before the first colon and the id after it; without a colon all of it is the verb. */
export const readButtonValue = (value: string): Press => {
  const colon = value.indexOf(':');
  return colon < 0
    ? { verb: value, id: '' }
    : { verb: value.slice(0, colon), id: value.slice(colon + 1) };
};
