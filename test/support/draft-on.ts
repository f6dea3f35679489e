import type { Card } from '../../src/commands/cards/card.ts';
import { type Draft, readButtonId } from '../../src/core/records/draft.ts';
import type { Store } from '../../src/core/store/store.ts';

/** The draft behind the first button of a question. Throws where there is none. */
export const draftOn = async (store: Store, card: Card | undefined): Promise<Draft> => {
  const button = card?.buttons?.find(({ kind }) => kind === 'press');
  const { id } = readButtonId((button?.kind === 'press' && button.id) || '');
  const draft = await store.get('draft', id);
  if (draft === undefined) throw new Error('no draft');
  return draft;
};
