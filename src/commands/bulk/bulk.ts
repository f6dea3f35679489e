import { cardOf, part } from '../cards/card.ts';
import type { CommandRecord, Context, Services } from '../command.ts';
import { confirmPress } from '../confirm-draft.ts';
import type { IncomingFile } from '../inbound.ts';
import { answerZero } from './answer-zero.ts';
import { askAgain, askNextMonth } from './ask-again.ts';
import { confirmingBulk } from './confirm-bulk.ts';
import { dryRun } from './dry-run.ts';
import { runPresses } from './run-presses.ts';
import { oneFileEach } from './take-file.ts';

/** `/bulk`: the charges of a file, first as a dry run. */
export const bulkCommand = (services: Services): CommandRecord => {
  const read = oneFileEach(services);
  const takeFile = (file: IncomingFile, context: Context): Promise<void> =>
    read(file, context, (sent) => dryRun(services, sent, context));
  return {
    summary: 'Charge the customers in a file',
    deed: 'charge by file',
    usage: '',
    examples: [''],
    takeFile: (file, _words, context) => takeFile(file, context),
    run: async (words, context) => {
      const file = words === '' ? undefined : context.fileAt?.(words);
      return file === undefined ? context.surface.say(howToCard) : takeFile(file, context);
    },
    presses: {
      'bulk-charge': confirmPress(services, confirmingBulk(services)),
      'bulk-zero': answerZero(services, 'bulk', 'bulk-zero'),
      ...runPresses(services, 'bulk', 'Customers who were asked already can still pay.'),
      'bulk-again': { of: 'bulk', run: askAgain(services) },
      'bulk-round': { of: 'bulk', run: askNextMonth(services) },
    },
  };
};

const howToCard = cardOf('Send me the file', [
  part.text('Drop a CSV file into our private chat. Nothing is charged before you press.'),
  part.text('Its first row names the columns:'),
  part.example('number,amount,reference,network,name'),
]);
