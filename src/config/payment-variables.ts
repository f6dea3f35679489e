import { z } from 'zod';
import {
  countryCode,
  currencyCode,
  durationMs,
  line,
  list,
  positiveNumber,
  safeAddress,
  timeZoneName,
  wholeNumber,
} from './formats.ts';
import type { Variables } from './variable.ts';

/** As networks take one in the place of a number. */
export const senderId = z.string().regex(/^[\x20-\x7e]{1,11}$/);

/** Taken as it is: the check of another one makes the first date format, 8 ms of a start. */
const DEFAULT_TIME_ZONE = 'Africa/Accra';
const TENTH_OF_A_SECOND_MS = 100;
const TWO_MINUTES_MS = 120_000;
const DAY_MS = 86_400_000;

const NEEDED_FOR_REAL = 'required with a real base address';

/** The payment service, how a payment goes on, what is sent, and how it is shown. */
export const paymentVariables = {
  PAYMENTS_BASE_URL: {
    meaning: "the payment service's base address; `sandbox` = the built-in simulator",
    otherwise: '`sandbox` when no chat platform is configured, else required',
    example: 'https://payments.example.com/api',
    expected:
      "the payment service's https address (http on this machine only), or the word sandbox",
    schema: z.union([z.literal('sandbox'), safeAddress]),
  },
  PAYMENTS_CLIENT_KEY: {
    meaning: 'HTTP Basic user name',
    otherwise: NEEDED_FOR_REAL,
    example: 'your-client-key',
    expected: 'the client key the payment service gave you, on one line and without a colon',
    secret: true,
    // HTTP Basic puts a colon between the two keys.
    schema: line.refine((text) => !text.includes(':')),
  },
  PAYMENTS_SECRET_KEY: {
    meaning: 'HTTP Basic password',
    otherwise: NEEDED_FOR_REAL,
    example: 'your-secret-key',
    expected: 'the secret key the payment service gave you, on one line',
    secret: true,
    schema: line,
  },
  SEAL_SECRET: {
    meaning:
      'what questions, confirmations and roles given in chats are sealed with; what was sealed with the secret key before stays valid',
    otherwise: "the payment service's secret key, the first of several",
    example: 'a-long-random-text',
    expected: 'at least 16 characters on one line, such as: openssl rand -base64 32',
    secret: true,
    schema: line.refine((text) => text.length >= 16),
  },
  PAYMENTS_SERVICE_ID: {
    meaning: "the merchant's service id, an integer",
    otherwise: NEEDED_FOR_REAL,
    example: '1234',
    expected: 'the service id as a whole number',
    schema: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  },
  PAYMENTS_NICKNAME: {
    meaning: 'the merchant name the payer sees',
    otherwise: NEEDED_FOR_REAL,
    example: 'Adjoa Stores',
    expected: 'the name of your shop, on one line',
    schema: line,
  },
  MERCHANTS_FILE: {
    meaning: 'several merchants, YAML',
    otherwise: 'one, from `PAYMENTS_*`',
    example: './merchants.yml',
    expected: 'the path of a YAML file with merchants',
    schema: line,
  },
  PAYMENTS_TIMEOUT: {
    meaning: 'how long to wait for one answer, a duration',
    default: '30s',
    expected: 'a duration from 100ms to 120s',
    schema: durationMs(TENTH_OF_A_SECOND_MS, TWO_MINUTES_MS),
  },
  PAYMENTS_RATE: {
    meaning: 'requests per second sent to the service at most',
    default: '5',
    expected: 'a number above 0, 1000 at most',
    schema: positiveNumber(1000),
  },
  PAYMENTS_SEND_CURRENCY_VAL: {
    meaning:
      '`never`, `amount` or `one`: whether the undocumented `currency_val` is sent, and what as',
    default: 'never',
    expected: 'never, amount or one',
    schema: z.enum(['never', 'amount', 'one']),
  },
  CONFIRM_WITHIN: {
    meaning: 'how long a confirmation stays valid, 24h at most',
    default: '10m',
    expected: 'a duration of 24h or less, but not 0',
    schema: durationMs(1, DAY_MS),
  },
  STATUS_CHECK_SCHEDULE: {
    meaning:
      'delays between status checks of an unsettled payment, comma separated; the last one repeats',
    default: '10s,20s,20s,20s,20s,30s,1m,1m,1m,5m,15m,1h',
    example: '10s,20s,1m,5m,1h',
    expected: 'durations of 100ms or more, comma separated',
    schema: list(durationMs(TENTH_OF_A_SECOND_MS)),
  },
  STATUS_CHECK_GIVE_UP: {
    meaning: 'after this the payment is handed to a person',
    default: '72h',
    expected: 'a duration',
    schema: durationMs(1),
  },
  SMS_SENDER_ID: {
    meaning:
      'approved sender id (11 characters at most); several, comma separated: the first is the default',
    otherwise: 'required for `/sms`',
    example: 'AdjoaStores',
    expected: 'sender ids of 1 to 11 plain letters, digits or signs, comma separated',
    schema: list(senderId),
  },
  TEMPLATES_FILE: {
    meaning: 'SMS templates, YAML; none if it is absent',
    default: './templates.yml',
    expected: 'the path of a YAML file',
    schema: line,
  },
  RECEIPT: {
    meaning: '`never`, `ask` (a button) or `always`: SMS receipt after `completed`',
    default: 'ask',
    expected: 'never, ask or always',
    schema: z.enum(['never', 'ask', 'always']),
  },
  DEFAULT_CURRENCY: {
    meaning: 'ISO 4217 code used when a command leaves the currency out',
    default: 'GHS',
    expected: 'an ISO 4217 currency code',
    schema: currencyCode,
  },
  DEFAULT_COUNTRY: {
    meaning: 'ISO 3166 code of the country local numbers belong to',
    default: 'GH',
    expected: 'an ISO 3166 country code of two letters',
    schema: countryCode,
  },
  CUSTOMER_NUMBER_FORMAT: {
    meaning:
      '`national` (0244123456), `e164` (+233244123456) or `msisdn` (233244123456), as sent to the service',
    default: 'national',
    expected: 'national, e164 or msisdn',
    schema: z.enum(['national', 'e164', 'msisdn']),
  },
  TIME_ZONE: {
    meaning: 'days, reports and shown times',
    default: DEFAULT_TIME_ZONE,
    expected: 'a time zone by its IANA name',
    schema: z.literal(DEFAULT_TIME_ZONE).or(timeZoneName),
  },
} as const satisfies Variables;
