import { platforms } from '../bots/all-platforms.ts';
import { exampleIds } from '../core/values/platform.ts';
import { conversationName, line, list, timeOfDay, wholeNumber } from './formats.ts';
import type { Variables } from './variable.ts';

/** What the ids of remote conversations begin with. */
const remoteNames = platforms.filter(({ isLocal }) => !isLocal).map(({ name }) => `${name}:`);

/** Of a setting that names conversations. */
const conversations = {
  example: exampleIds(platforms, 'place').join(','),
  expected: `${remoteNames.join(' or ')} and the id of a channel, group chat or person; several with commas`,
};

/** Who may do what, and who is told what. */
export const peopleVariables = {
  ACCESS_FILE: {
    meaning: 'who may do what',
    default: './access.yml',
    expected: 'the path of a YAML file',
    schema: line,
  },
  OPERATORS: {
    meaning: 'conversations that get alerts, which a person has to look into, comma separated',
    otherwise: 'alerts are in the log only',
    ...conversations,
    schema: list(conversationName(platforms)),
  },
  ALERT_SMS_BELOW: {
    meaning: 'SMS credits: `OPERATORS` get one alert when the balance falls below',
    otherwise: 'off',
    example: '100',
    expected: 'a whole number from 1 on',
    schema: wholeNumber(1, 999_999_999_999),
  },
  ALERT_PAYOUT_BELOW: {
    meaning: 'money: `OPERATORS` get one alert when the payout balance falls below',
    otherwise: 'off',
    example: '500',
    expected: 'an amount in DEFAULT_CURRENCY, such as 500 or 1,200.50',
    schema: line,
  },
  DIGEST: {
    meaning: "conversations that get the day's summary, comma separated",
    otherwise: 'none',
    ...conversations,
    schema: list(conversationName(platforms)).refine(
      (places) => new Set(places.map((place) => JSON.stringify(place))).size === places.length,
    ),
  },
  DIGEST_AT: {
    meaning: "local time of day of the day's summary",
    default: '18:00',
    expected: 'a time of day from 00:00 to 23:59, such as 18:00',
    schema: timeOfDay,
  },
} as const satisfies Variables;
