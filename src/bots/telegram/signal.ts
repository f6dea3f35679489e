import type { Api } from 'grammy';

type GrammySignal = NonNullable<Parameters<Api['getUpdates']>[1]>;

/** grammY's types name the signal of a polyfill for old Nodes; all it does with one is add and remove listeners. */
export const signalFor = (signal: AbortSignal): GrammySignal => signal as unknown as GrammySignal;
