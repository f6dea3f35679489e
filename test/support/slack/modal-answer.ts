import { asModal, type Modal, modalComplaints } from './block-kit.ts';
import type { Done } from './delivery.ts';
import type { OpenModal } from './stage.ts';

/** How the app answered a submitted modal. */
export type Submitted = { readonly done: Done } & (
  | { readonly kind: 'closed' }
  /** By block id; the modal stays open. */
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }
  /** Another modal took its place. */
  | { readonly kind: 'updated'; readonly view: Modal }
  /** Slack shows that it had trouble connecting. */
  | { readonly kind: 'trouble' }
);

/** The modal with which the app answered a submission; undefined for another answer. */
export const updateIn = (answer: unknown): Modal | undefined => {
  const { response_action: action, view } = answer as { response_action?: string; view?: unknown };
  if (action !== 'update') return undefined;
  const complaints = modalComplaints(view);
  if (complaints.length > 0) throw new Error(`Slack would not show this: ${complaints.join()}`);
  return asModal(view);
};

/** Errors are shown only under inputs of the modal; anything else Slack would not understand. */
export const errorsOf = (answer: unknown, { view }: OpenModal): Record<string, string> => {
  const { response_action: action, errors } = answer as {
    response_action?: string;
    errors?: Record<string, string>;
  };
  const inputs = view.blocks.flatMap((block) =>
    block.type === 'input' ? (block.block_id ?? []) : [],
  );
  if (action !== 'errors' || errors === undefined)
    throw new Error(`Slack does not understand this answer: ${JSON.stringify(answer)}`);
  for (const [blockId, message] of Object.entries(errors))
    if (!inputs.includes(blockId) || message === '')
      throw new Error(`there is no input ${blockId} to show "${message}" under`);
  return errors;
};
