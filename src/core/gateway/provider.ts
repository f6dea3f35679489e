import { collectionService } from './collection-service/client.ts';
import type { GatewayParts, GatewaySettings } from './exchange.ts';
import type { Gateway } from './gateway.ts';

/** What the program knows of a provider: its words, codes and fields are its folder's alone. */
export type Provider = {
  /** A client of one account. Throws only when `baseUrl` is no URL. */
  readonly createGateway: (settings: GatewaySettings, parts: GatewayParts) => Gateway;
  /** What the body of a callback says in words, safe to show; undefined: nothing. They never decide anything. */
  readonly callbackMessage: (body: string) => string | undefined;
};

/** The provider in use. Another one is a folder beside this file, and its name here. */
export const provider: Provider = collectionService;

/** What the sandbox speaks, whichever provider is in use. */
export const sandboxProvider: Provider = collectionService;
