/** What Slack takes at most: characters, unless the name says otherwise. */
export const limits = {
  blocksPerMessage: 50,
  homeBlocks: 100,
  header: 150,
  /** Of one part of a message; documented for sections, kept for rich text as well. */
  partText: 3_000,
  noteText: 2_000,
  /** Of all words of a message. Undocumented: Slack refused 11,341 (bolt-js#2867) and about 13,200 (bolt-js#2509). */
  messageText: 10_000,
  /** Of a list in one message; each line has room for some words. */
  listItems: 75,
  /** Of buttons in one message: their words leave room for others. */
  buttonRows: 10,
  /** Of the plain text beside the blocks; Slack asks for 4,000 and splits or cuts longer ones. */
  fallbackText: 3_900,
  buttonsPerRow: 5,
  buttonLabel: 75,
  buttonValue: 2_000,
  buttonUrl: 3_000,
  modalTitle: 24,
  modalButton: 24,
  modalBlocks: 100,
  inputLabel: 2_000,
  inputHint: 2_000,
  inputText: 3_000,
  placeholder: 150,
  selectOptions: 100,
  optionLabel: 75,
  /** As Slack's page of option objects says. */
  optionValue: 150,
  altText: 1_000,
  /** Of a complaint under a field; not documented, longer ones would not be read anyway. */
  inputProblem: 500,
} as const;
