import { expect, it, onTestFinished, vi } from 'vitest';
import { plainText } from '../../../src/core/values/normalise-input.ts';

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

it('a text is gone through a few times, however deep links are nested in it', {
  tags: ['T30'],
}, () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  onTestFinished(() => normalize.mockRestore());
  for (const depth of [1, 10, 2_000, 20_000]) {
    normalize.mockClear();
    const plain = plainText(`${'<tel:'.repeat(depth)}0244123456${'>'.repeat(depth)}`);
    expect(normalize.mock.calls.length).toBeLessThanOrEqual(5);
    expect(plain).toBe('0244123456');
  }
});

it('what is left of links in links is plain after one cleaning', () => {
  const nested = `${'<tel:'.repeat(9)}1|a${'>'.repeat(9)} <b> 5 < 6`;
  expect(plainText(plainText(nested))).toBe(plainText(nested));
});
