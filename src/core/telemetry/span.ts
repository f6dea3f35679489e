import { createHash, randomBytes } from 'node:crypto';

/** What a span says beside its name and its times: never a number, a name or a secret. */
export type Attributes = Readonly<Record<string, string | number>>;

/** OTLP's numbers for the kinds of spans. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;

/** What belongs to one payment, or to one event that is about none. */
export type Trace = {
  id: string;
  /** The payment or SMS it is about, once that is known. */
  subject?: string;
};

/** One thing that took time. Its ids are read when it is exported: only then is it certain which payment it was about. */
export type Span = {
  readonly trace: Trace;
  id: string;
  /** Another span of this process, or the id of one that may be anywhere. */
  parent?: Span | string;
  readonly name: string;
  readonly kind: (typeof KIND)[keyof typeof KIND];
  readonly startMs: number;
  endMs: number;
  attributes: Attributes;
  failed?: true;
};

/** 16 bytes, computed from the transaction id alone. */
export const traceIdOf = (subject: string): string => hash(`paythread:${subject}`, 16);

/** 8 bytes: the command that everything about the payment goes back to, wherever that ran. */
export const rootSpanIdOf = (subject: string): string => hash(`paythread:command:${subject}`, 8);

export const newTraceId = (): string => randomBytes(16).toString('hex');
export const newSpanId = (): string => randomBytes(8).toString('hex');

const hash = (text: string, bytes: number): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);
