import fc from 'fast-check';

/** What a payer, a colleague or the service may put into a name, a reference or a message. */
const PIECES = [
  ...['<!channel>', '<!here|x>', '<!everyone>', '<@U024BE7LH>', '<#C024BE7LH|sales>'],
  ...['<!subteam^S0614TZR7>', '<!date^1392734382^{date}|x>', '<mailto:a@b.c|boss>'],
  ...['<https://evil.example|https://bank.example>', 'https://evil.example/?a=b&c=d'],
  ...['*bold*', '_it_', '~no~', '`code`', '```', '> quote', '&lt;!channel&gt;', '&amp;lt;'],
  ...['<b>bold</b>', '</b></i></blockquote>', '<a href="tg://user?id=1">Boss</a>', '"><script>'],
  ...['<tg-spoiler>', '&#60;b&#62;', '&#x3c;b>', '@finance_boss', '/charge', '#tag', '$GHS'],
  ...['\u202eevil\u202c', '\u2066x\u2069', '\u200e', '\u200f', '\u061c', '\u200b', '\ufeff'],
  ...['\u00ad', '\u2028', '\u2029', '\u0085', '\u0000', '\u001b[31m', '\u009b2J', '\r\n', '\t'],
  ...['\ud83d', '\ude00', '😀', '👨‍👩‍👧', 'é', 'e\u0301', '٣٤', '５０', '𝟝', '²', '½'],
  ...['&', '<', '>', '"', "'", '=1+1', '+1', '-1', '@SUM(1)', '%s', '$&', '{x}', '\\', '|', ':'],
  ...['__proto__', 'constructor', 'null', 'KOFI MENSAH', '0244123456', 'GHS 50.00', ' '],
] as const;

/** Any character of Unicode. fast-check's own unit 'binary' costs each process 0.7 s: it lists all of them. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/** Text as somebody malicious, careless or foreign would write it. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((pieces) => pieces.join(' ')),
);
