/** What is in a file, read as it is sent; its `type` is the media type. A `Blob` is one. */
export type FileBlob = Pick<Blob, 'size' | 'type' | 'stream'>;

export type OutgoingFile = {
  /** With its ending. */
  readonly name: string;
  readonly content: FileBlob;
  /** One line. */
  readonly title: string;
  readonly altText?: string;
};
