import type { CrashGateway } from './gateway.ts';

/** An SMS that a person wants to send; no other one has this text. */
export type Sms = {
  readonly text: string;
  readonly seller: number;
  readonly round: number;
  readonly typedAtMs: number;
  pressedAtMs?: number;
};

/** What must never be. Unlike a payment nobody can ask what became of it, so a lost answer stays unknown. */
export const wrongWithSms = (
  sms: Sms,
  { texts }: Pick<CrashGateway, 'texts'>,
  reports: readonly string[],
): string[] => {
  const sent = texts.filter(({ text }) => text === sms.text);
  const wrong: string[] = [];
  if (sent.length > 1) wrong.push(`${sms.text} was sent ${sent.length} times`);
  if (sent.length > 0 && sms.pressedAtMs === undefined)
    wrong.push(`${sms.text} was sent before anybody pressed`);
  for (const report of reports) {
    if (sent.length > 0 && /: not sent\b/.test(report))
      wrong.push(`${sms.text} was sent, and told as not sent`);
    if (sent.length === 0 && /: sent\b/.test(report))
      wrong.push(`${sms.text} was told as sent, and was not`);
  }
  return wrong;
};

/** What has to come yet. */
export const owedForSms = (sms: Sms, reports: readonly string[]): string[] =>
  sms.pressedAtMs !== undefined && reports.length === 0
    ? [`${sms.text} was pressed, and nothing was told`]
    : [];
