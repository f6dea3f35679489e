/** Resolves once the stream took it: a process that exits before may lose the text where pipes are asynchronous. */
export const writeWhole = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
