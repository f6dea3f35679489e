/** How the customer pays: MOM mobile money, CRD bank card, CRM a hosted checkout offering both. */
export type PaymentOption = 'MOM' | 'CRD' | 'CRM';

/** Three wallets and two card networks, as they are stored and exported. */
export type NetworkCode = 'MTN' | 'VOD' | 'AIR' | 'VIS' | 'MAS';

type Network = {
  /** The brand people know today. Networks are renamed and sold, so names are data. */
  readonly label: string;
  /** First digits of the numbers it was given. A number that moved network keeps its own. */
  readonly prefixes: readonly string[];
  /** Lower case, without spaces and dashes; old names are still in use. */
  readonly aliases: readonly string[];
};

const NETWORKS: Readonly<Record<NetworkCode, Network>> = {
  MTN: {
    label: 'MTN MoMo',
    prefixes: ['024', '025', '053', '054', '055', '059'],
    aliases: ['mtn', 'mtnghana'],
  },
  VOD: {
    label: 'Telecel Cash',
    prefixes: ['020', '050'],
    aliases: ['vod', 'voda', 'vodafone', 'telecel', 'tcel'],
  },
  AIR: {
    label: 'AT Money',
    prefixes: ['026', '027', '056', '057'],
    aliases: ['air', 'airtel', 'tigo', 'airteltigo', 'tigoairtel', 'at', 'atl'],
  },
  VIS: { label: 'Visa', prefixes: [], aliases: ['vis', 'visa', 'visacard'] },
  MAS: { label: 'Mastercard', prefixes: [], aliases: ['mas', 'master', 'mastercard'] },
};

export const WALLETS: readonly NetworkCode[] = ['MTN', 'VOD', 'AIR'];
export const CARDS: readonly NetworkCode[] = ['VIS', 'MAS'];
export const NETWORK_CODES: readonly NetworkCode[] = [...WALLETS, ...CARDS];

/** Operators whose customers have no wallet that the service can charge. */
const WITHOUT_WALLET: ReadonlyMap<string, string> = new Map([
  ['023', 'Glo'],
  ['028', 'Expresso'],
]);

/** What wallets put behind their name: Telecel Cash, AT Money, MTN MoMo. */
const WALLET_TAIL = /(mobilemoney|momo|cash|money)$/;

/** The network a word names, by its code, its brand or an older name. `momo` names none. */
export const parseNetwork = (word: string): NetworkCode | undefined => {
  const name = word
    .toLowerCase()
    .replace(/[\s-]+/g, '')
    .replace(WALLET_TAIL, '');
  return NETWORK_CODES.find((code) => NETWORKS[code].aliases.includes(name));
};

export const networkLabel = (code: NetworkCode): string => NETWORKS[code].label;

export const isCard = (code: NetworkCode): boolean => CARDS.includes(code);

/** The first three digits as dialled in Ghana; empty for numbers of other countries. */
const prefixOf = (e164: string): string => (e164.startsWith('+233') ? `0${e164.slice(4, 6)}` : '');

/** The network that was given this number. Only a guess: people keep their number when they move. */
export const guessNetwork = (e164: string): NetworkCode | undefined =>
  NETWORK_CODES.find((code) => NETWORKS[code].prefixes.includes(prefixOf(e164)));

/** The name of the operator that was given this number, when it has no wallets. A guess as well. */
export const noWalletOperator = (e164: string): string | undefined =>
  WITHOUT_WALLET.get(prefixOf(e164));
