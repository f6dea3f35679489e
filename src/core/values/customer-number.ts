import type { PhoneNumber } from 'libphonenumber-js/max';
import { type Parsed, parsed, wrong } from '../runtime/errors.ts';
import { phoneLibrary } from '../runtime/phone-library.ts';
import { hasCardNumber, neverTypeCards } from './card-number.ts';
import { hasOtherDigits, letterAmongDigits, plainText, quoted } from './normalise-input.ts';
import { isPseudonym } from './pseudonym.ts';

export type CustomerNumber = {
  /** For example +233244123456. */
  readonly e164: string;
  /** It could be a number, but not one that is known to be in use: warn, and let the lookup decide. */
  readonly doubtful: boolean;
};

/** How a number is written for the service. */
export type NumberFormat = 'national' | 'e164' | 'msisdn';

/** Ghana's numbers are written here, not by the library: it leaves out the leading 0 of those it doubts. */
const GHANA = /^\+233(\d{2})(\d{3})(\d{4})$/;

/** A mobile number has 9 digits after the 0; the library also lets 8 pass, for free-phone numbers. */
const GHANA_DIGITS = 9;

const MAX_TYPED_LENGTH = 60;

/** How spreadsheets end a number that they took for a quantity: never digits of it. `02.44.12.34.00` ends in digits. */
const QUANTITY_END = /(?<=\d)[.,]0{1,2}$(?<!\..*\.0+)/;

/** A number as it was typed, without what programs put around it. */
export const bareNumber = (text: string): string =>
  plainText(text)
    .replace(/^tel:\s*/i, '')
    .replace(QUANTITY_END, '');

/** Reads a mobile number of this country in any common way of writing it. */
export const parseCustomerNumber = (text: string, country: string): Parsed<CustomerNumber> => {
  const typed = bareNumber(text);
  const trouble = troubleIn(typed, country);
  if (trouble !== undefined) return trouble;
  // Without `extract: false` the library digs a number out of any sentence.
  const number = phoneLibrary().parsePhoneNumberFromString(typed, {
    defaultCountry: supported(country),
    extract: false,
  });
  // Undefined when it is so short that the library does not even try.
  if (number === undefined)
    return wrongLength(typed.replace(/\D/g, '').replace(/^0/, ''), typed, country);
  return judge(number, typed, country);
};

const supported = (country: string) => {
  if (phoneLibrary().isSupportedCountry(country)) return country;
  throw new RangeError(`${country} is not a country with a numbering plan.`);
};

/** What is refused before the library is asked. */
const troubleIn = (typed: string, country: string) => {
  if (typed === '') return wrong(`Please give the customer's number. ${looks(country)}`);
  if (hasCardNumber(typed)) return neverTypeCards();
  if (typed.length > MAX_TYPED_LENGTH) return wrong('That is too long to be a phone number.');
  if (hasOtherDigits(typed)) return wrong('Please type the number with the digits 0 to 9.');
  if (/\d\s*;?\s*(ext|x)[.=\s\d]/i.test(typed))
    return wrong('Please give the number without an extension.');
  if (/\d\D*[,;&|]\D*\d/.test(typed)) return wrong('Please give one number at a time.');
  if (!/^[\d+ ().\-/]+$/.test(typed))
    return (
      letterAmongDigits(typed) ?? wrong(`${quoted(typed)} is not a phone number. ${looks(country)}`)
    );
  return undefined;
};

const judge = (number: PhoneNumber, typed: string, country: string): Parsed<CustomerNumber> => {
  if (!isOf(number, country)) return fromElsewhere(number, country);
  if (!number.isPossible() || !hasMobileLength(number) || isCutShort(typed, country))
    return wrongLength(number.nationalNumber, typed, country);
  const type = number.getType();
  if (type === 'FIXED_LINE')
    return wrong(`That is a landline. Please give a mobile number. ${looks(country)}`);
  if (type !== undefined && type !== 'MOBILE' && type !== 'FIXED_LINE_OR_MOBILE')
    return wrong(`That is not a mobile number. ${looks(country)}`);
  return parsed({ e164: number.number, doubtful: !number.isValid() });
};

const isOf = (number: PhoneNumber, country: string): boolean =>
  number.countryCallingCode === phoneLibrary().getCountryCallingCode(supported(country)) &&
  (number.country === undefined || number.country === country);

const fromElsewhere = ({ country }: PhoneNumber, wanted: string) => {
  const name = country === undefined ? '' : ` (${regionName(country)})`;
  return wrong(
    `That number is from another country${name}. Only numbers from ${regionName(wanted)} can be used.`,
  );
};

/** Intl gives the code itself where it knows no name. */
const regionName = (country: string): string =>
  String(new Intl.DisplayNames('en', { type: 'region' }).of(country));

const hasMobileLength = ({ countryCallingCode, nationalNumber }: PhoneNumber): boolean =>
  countryCallingCode !== '233' ||
  (nationalNumber.length === GHANA_DIGITS && !nationalNumber.startsWith('0'));

/** 233 and 6 digits: rather an international number cut short than 023 3… without its 0. */
const isCutShort = (typed: string, country: string): boolean =>
  country === 'GH' && /^233\d{6}$/.test(typed.replace(/[ ().\-/]/g, ''));

const wrongLength = (digits: string, typed: string, country: string) => {
  const fault = country === 'GH' ? lengthFault(digits) : 'is not a phone number';
  return wrong(`${quoted(typed)} ${fault}. ${looks(country)}`);
};

const lengthFault = (digits: string): string => {
  if (digits.length < GHANA_DIGITS) return 'is too short for a phone number';
  if (digits.length > GHANA_DIGITS) return 'is too long for a phone number';
  return digits.startsWith('0') ? 'is not a phone number' : 'is too short for a phone number';
};

const readE164 = (e164: string) =>
  phoneLibrary().parsePhoneNumberFromString(e164, { extract: false });

const looks = (country: string): string =>
  country === 'GH'
    ? 'It looks like 0244123456.'
    : `Please write it with the country code, +${phoneLibrary().getCountryCallingCode(supported(country))}.`;

/** For people: `024 412 3456`; numbers of other countries with their country code. */
export const showNumber = (e164: string): string => {
  if (isPseudonym(e164)) return e164;
  const ghanaian = GHANA.exec(e164);
  if (ghanaian !== null) return `0${ghanaian[1]} ${ghanaian[2]} ${ghanaian[3]}`;
  return readE164(e164)?.formatInternational() ?? e164;
};

/** For places that others read: `024 *** 3456`. */
export const maskNumber = (e164: string): string => {
  if (isPseudonym(e164)) return e164;
  const ghanaian = GHANA.exec(e164);
  if (ghanaian !== null) return `0${ghanaian[1]} *** ${ghanaian[3]}`;
  const number = readE164(e164);
  if (number === undefined) return '***';
  // Short numbers show fewer digits, or the mask would hide next to nothing.
  const shown = number.nationalNumber.length >= GHANA_DIGITS ? 4 : 2;
  return `+${number.countryCallingCode} *** ${number.nationalNumber.slice(-shown)}`;
};

/** As the service wants it: `0244123456`, `+233244123456` or `233244123456`. */
export const numberForService = (e164: string, format: NumberFormat): string => {
  if (format === 'e164') return e164;
  if (format === 'msisdn') return e164.replace('+', '');
  if (GHANA.test(e164)) return e164.replace('+233', '0');
  const number = readE164(e164);
  return (number?.formatNational() ?? e164).replace(/\D/g, '');
};

/** What a number consists of: `233`, `244123456`, and the `0` in front of it inside the country. */
export const numberParts = (
  e164: string,
): { readonly countryCode: string; readonly nationalNumber: string; readonly trunk: string } => {
  const number = readE164(e164);
  if (number === undefined) throw new RangeError('This is not a number in international form.');
  const { countryCallingCode: countryCode, nationalNumber } = number;
  const national = numberForService(e164, 'national');
  const trunk = national.endsWith(nationalNumber) ? national.slice(0, -nationalNumber.length) : '';
  return { countryCode, nationalNumber, trunk };
};
