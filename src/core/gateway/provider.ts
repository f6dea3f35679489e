import { collectionService } from './collection-service/client.ts';

/** Whose words, codes and fields are spoken. Another provider is a folder beside this file, and its name here. */
export const provider = collectionService;
