import { z } from 'zod';
import { type AddressRange, parseAddressRanges } from '../core/http/address-range.ts';
import { numberingPlans } from '../core/runtime/phone-library.ts';
import { parseClock } from '../core/values/clock-time.ts';
import { isCurrency } from '../core/values/money.ts';
import { type Platforms, parsePlatformId } from '../core/values/platform.ts';

/*
 * How the text of an environment variable becomes a value. The formats carry no messages of their own:
 * what was expected is said once per variable, in its record.
 */

/** Text that `read` understands; it returns undefined for any other. */
const textRead = <T>(read: (text: string) => T | undefined) =>
  z.string().transform((text, context): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom' });
    return z.NEVER;
  });

/** Text as it is, on one line. */
export const line = z.string().regex(/^[^\p{Cc}]+$/u);

export const hostName = z.string().regex(/^[A-Za-z0-9.:%_-]+$/);

/** Digits only, between two bounds; never `1e3`, `0x10` or an empty text read as 0. */
export const wholeNumber = (least: number, most: number) =>
  textRead((text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    return value !== undefined && value >= least && value <= most ? value : undefined;
  });

/** A number above 0, such as `5` or `0.5`. */
export const positiveNumber = (most: number) =>
  textRead((text) => {
    const value = /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : undefined;
    return value !== undefined && value > 0 && value <= most ? value : undefined;
  });

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of `250ms`, `10s`, `5m`, `72h` or `400d`; undefined for anything else. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit = ''] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count === undefined || unitMs === undefined) return undefined;
  const ms = Number(count) * unitMs;
  return Number.isSafeInteger(ms) ? ms : undefined;
};

/** A duration in milliseconds, written `250ms`, `10s`, `5m`, `72h`. */
export const durationMs = (leastMs: number, mostMs = Number.MAX_SAFE_INTEGER) =>
  textRead((text) => {
    const ms = parseDuration(text);
    return ms !== undefined && ms >= leastMs && ms <= mostMs ? ms : undefined;
  });

/** Minutes since midnight of a time of day, written `18:00`. */
export const timeOfDay = textRead(parseClock);

/** Entries separated by commas, at least one. A comma at the end does no harm. */
export const list = <T>(entry: z.ZodType<T, string>) =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((each) => each.trim() || []))
    .pipe(z.array(entry).min(1));

/** Addresses and ranges separated by commas: `192.0.2.7`, `10.0.0.0/8`, `2001:db8::/32`, `loopback`. */
export const addressRanges = list(textRead(parseAddressRanges)).transform(
  (ranges): readonly AddressRange[] => ranges.flat(),
);

/** A conversation as the access file writes members: `slack:C0SALES`, `telegram:-1001234567890`. */
export const conversationName = (platforms: Platforms) =>
  textRead((text) => {
    const id = parsePlatformId(
      platforms.filter(({ isLocal }) => !isLocal),
      text,
    );
    return id === undefined || id.kind === 'group'
      ? undefined
      : { platform: id.platform, channel: id.id };
  });

/** An ISO 4217 code. */
export const currencyCode = textRead((text) => {
  const code = text.toUpperCase();
  return isCurrency(code) ? code : undefined;
});

/** An ISO 3166 code whose phone numbers are known. */
export const countryCode = textRead((text) => {
  const code = text.toUpperCase();
  return /^[A-Z]{2}$/.test(code) && code in numberingPlans.countries ? code : undefined;
});

/** A name from the IANA time zone database. */
export const timeZoneName = textRead((text) => {
  try {
    Intl.DateTimeFormat('en', { timeZone: text });
    // As written: Intl may answer with another name of the same zone.
    return text;
  } catch {
    // A RangeError is how Intl says that it knows no such zone.
    return undefined;
  }
});

/** An http or https address without credentials, query or fragment; without the slash at its end. */
export const address = textRead((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url?.username === '' && url.password === '' && !/[?#]/.test(text);
  if (url === undefined || !plain || !/^https?:$/.test(url.protocol)) return undefined;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
});

/** Nothing but the part before the host has an @, and nothing but the host a colon or a second slash. */
const DATABASE_ADDRESS = /^postgres(ql)?:\/\/[^/?#]*(\/[^/?#@:]*)?(\?[^#@]*)?$/;

/**
 * A postgres:// address. A special character that is not encoded in its password would make a host and a
 * database of the rest of the password, which the message of a start that fails then shows.
 */
export const databaseAddress = textRead((text) => {
  if (!DATABASE_ADDRESS.test(text)) return undefined;
  try {
    decodeURIComponent(text);
    return text;
  } catch {
    // A % that begins no encoded character.
    return undefined;
  }
});

/** An address that is https, or stays on this machine. */
export const safeAddress = address.refine((text) => isSafe(text));

/** Whether what is sent there cannot be read on the way. */
export const isSafe = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname);
};

/** Whether a PostgreSQL on this machine is meant, or one that is spoken to through TLS. */
export const isSafeDatabase = (databaseUrl: string): boolean => {
  const url = URL.parse(databaseUrl);
  // The driver refuses it, with a sentence of its own.
  if (url === null) return true;
  const { hostname, searchParams } = url;
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  const isHere = host === '' || host.startsWith('/') || isLoopback(host);
  return isHere || usesTls(searchParams);
};

/** Without certificate checks a man in the middle can read along, so that counts as no TLS. */
const usesTls = (params: URLSearchParams): boolean => {
  const mode = params.get('sslmode');
  if (mode !== null) return !['disable', 'allow', 'no-verify'].includes(mode);
  return /^(true|1)$/.test(params.get('ssl') ?? '') || params.has('sslrootcert');
};

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname);
