import { createInterface } from 'node:readline/promises';

type Streams = { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream };

/** Asks whoever sits at the terminal; everything but "yes" is a no, and so is the end of input. */
export const askYes = async (question: string, streams: Streams): Promise<boolean> => {
  const terminal = createInterface({ ...streams, terminal: false });
  try {
    const answer = await new Promise<string>((resolve) => {
      terminal.once('close', () => resolve(''));
      terminal.question(question).then(resolve, () => resolve(''));
    });
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
};
