import { type IdsByName, withIds } from './ids-by-name.ts';
import { startObligingService } from './obliging-service.ts';
import { fileWith } from './secret-file.ts';

/** Where a merchant is paid, and its further settings. */
type Place =
  | string
  | { readonly conversations: readonly string[]; readonly members?: readonly string[] };

/** A file of merchants, with ids in the place of names; each one's client key is its name, and the first is service 7. */
export const merchantsFile = async (
  places: Readonly<Record<string, Place>>,
  ids: IdsByName = new Map(),
): Promise<string> => {
  const entries = Object.entries(places).map(async ([name, place], at) => [
    name,
    {
      nickname: `Adjoa ${name}`,
      serviceId: 7 + at,
      clientKeyFile: await fileWith(name),
      secretKeyFile: await fileWith(`secret of ${name}`),
      senderIds: [name.toUpperCase()],
      ...(typeof place === 'string' ? { conversations: [place] } : place),
    },
  ]);
  const merchants = Object.fromEntries(await Promise.all(entries));
  return fileWith(withIds(JSON.stringify({ merchants }), ids));
};

/** The settings of a real service that every customer pays, without the keys of one merchant. */
export const serviceOfMerchants = async () => {
  const service = await startObligingService({ status: () => 'completed' });
  const { PAYMENTS_BASE_URL: baseUrl = '' } = service.env('');
  const settings = { PAYMENTS_BASE_URL: baseUrl, PUBLIC_URL: 'http://127.0.0.1:9' };
  return { service, settings };
};
