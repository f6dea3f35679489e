/** Chat platforms take button links up to about this length. */
const MAX_LINK_LENGTH = 2000;

/** Where services put the address of their hosted checkout; the document names no field for it. */
export const LINK_FIELDS = [
  'redirect_url',
  'checkout_url',
  'payment_url',
  'authorization_url',
  'url',
  'link',
] as const;

/**
 * The first of these values that customers may safely be sent to: https, no credentials in it,
 * of bearable length.
 */
export const findCheckoutLink = (candidates: readonly unknown[]): string | undefined => {
  for (const candidate of candidates) {
    const link = typeof candidate === 'string' ? safeLink(candidate.trim()) : undefined;
    if (link !== undefined) return link;
  }
  return undefined;
};

const safeLink = (text: string): string | undefined => {
  if (text.length > MAX_LINK_LENGTH || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const safe = url.protocol === 'https:' && url.username === '' && url.password === '';
  return safe && url.href.length <= MAX_LINK_LENGTH ? url.href : undefined;
};
