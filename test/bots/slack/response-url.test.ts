import { expect, it } from 'vitest';
import { mayHaveToken } from '../../../src/bots/slack/receive-file.ts';
import { isSlacks } from '../../../src/bots/slack/response-url.ts';

const API = 'https://slack.com/api/';

it.each([
  ['https://hooks.slack.com/commands/T1/2/3', API],
  ['https://hooks.slack-gov.com/commands/T1/2/3', API],
  // Through a proxy of one's own, answers still go to Slack.
  ['https://hooks.slack.com/actions/T1/2/3', 'http://proxy.internal:8080/api/'],
  ['http://127.0.0.1:8080/response_url/1', 'http://127.0.0.1:9090/api/'],
])('answers are posted to %s when the API is at %s', (url, api) => {
  expect(isSlacks(url, api)).toBe(true);
});

it.each([
  ['https://files.slack.com/f/1', API],
  ['https://files.slack.com/f/1', 'http://proxy.internal:8080/api/'],
  ['https://files.slack-gov.com/f/1', 'https://www.slack-gov.com/api/'],
])('a file at %s is asked for with the token when the API is at %s', (url, api) => {
  expect([mayHaveToken(url, api), isSlacks(url, api)]).toEqual([true, true]);
});

it('a token of Slack does not go to GovSlack', () => {
  expect(mayHaveToken('https://files.slack-gov.com/f/1', API)).toBe(false);
});

it.each([
  'http://hooks.slack.com/commands/T1/2/3',
  'https://slack.com.attacker.example/commands',
  'https://notslack.com/commands',
  'https://hooks.slack.com@127.0.0.1/commands',
  'http://127.0.0.1/admin',
  'http://localhost:5432/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]:6379/',
  'http://[::ffff:10.0.0.1]/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://10.0.0.1/',
  'http://192.168.1.1/',
  'http://172.16.0.1/',
  'file:///etc/passwd',
  'gopher://slack.com/',
  'no address',
  '',
])('and never to %j', { tags: ['T20'] }, (url) => {
  expect([isSlacks(url, API), mayHaveToken(url, API)]).toEqual([false, false]);
});
