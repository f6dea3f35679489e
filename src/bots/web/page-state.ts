import type { ViewElement } from './view.ts';

export type PageState = {
  /** Asking for what comes after it waits for a change. */
  readonly revision: number;
  readonly people: readonly PagePerson[];
  readonly messages: readonly PageMessage[];
  readonly form?: { readonly id: string; readonly view: ViewElement };
  readonly phone: {
    readonly prompts: readonly PhonePrompt[];
    readonly texts: readonly PhoneText[];
  };
  readonly wire: readonly WireLine[];
  readonly minutesLeft: number;
};

export type PagePerson = {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** Goes on after the name. */
  readonly may: string;
};

export type PageMessage = {
  readonly id: string;
  /** The same text: the message is drawn as it was. */
  readonly drawn: string;
  readonly view: ViewElement;
};

export type PhonePrompt = {
  readonly id: string;
  readonly number: string;
  readonly shop: string;
  readonly amount: string;
  readonly reference: string;
};

/** What a customer does with a prompt; one that is ignored has no answer. */
export type PromptAnswer = 'approved' | 'declined' | 'no money';

export type PhoneText = {
  readonly number: string;
  readonly from: string;
  readonly text: string;
};

/** One request and its answer, masked. */
export type WireLine = {
  readonly id: string;
  readonly title: string;
  readonly sent: string;
  readonly answered: string;
};
