/** The value of a JSON text; undefined when it is none, such as a proxy's error page or a file that was cut short. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
