import { expect, it } from 'vitest';
import { plainText } from '../../src/core/typed-text.ts';

it.each([
  ['a link around a link', '<<https://evil.example|https://bank.example>|a bank>', 'a bank'],
  [
    'a link whose words make another one',
    '<<https://evil.example|https://bank.example>"><script>',
    'https://bank.example"<script>',
  ],
  ['a link in wide characters', '\uff1chttps://evil.example|a bank\uff1e', 'a bank'],
  ['a link with something unseen in it', '<ht\u200btps://evil.example|a bank>', 'a bank'],
])('%s is plain after one cleaning', (_what, typed, plain) => {
  expect(plainText(typed)).toBe(plain);
  expect(plainText(plain)).toBe(plain);
});
