import type { Account } from '../../config/merchants-file.ts';
import type { BalanceOutcome } from '../../core/gateway/gateway.ts';
import { provider } from '../../core/gateway/provider.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { createLog } from '../../core/runtime/log.ts';
import type { Examined } from './examined.ts';

/** Whether the payment service knows us, found out with the one question that does nothing. */
export const examinePaymentService = async (examined: Examined): Promise<void> => {
  const { clock, network, findings } = examined;
  const { payments, gateway: settings } = examined.config;
  if (payments.kind === 'sandbox') return findings.note('The built-in simulator needs nothing.');
  const log = createLog({ level: 'silent', secrets: [] });
  // Without credentials, for its time alone.
  await network.ask('the payment service', payments.baseUrl);
  for (const account of payments.accounts) {
    const own = { ...account, ...settings, baseUrl: payments.baseUrl };
    tell(account, await provider.createGateway(own, { clock, log }).checkBalance(), examined);
  }
};

const tell = ({ merchant }: Account, outcome: BalanceOutcome, { findings }: Examined): void => {
  const of = merchant === undefined ? '' : ` of ${merchant}`;
  switch (outcome.kind) {
    case 'balances':
      findings.note(`It answers, and takes the keys${of}.`);
      break;
    case 'refused':
      findings.wrong(
        `It refuses ${merchant === undefined ? 'us' : `the keys of ${merchant}`}: ${outcome.reason}`,
        `Check ${merchant === undefined ? 'PAYMENTS_CLIENT_KEY, PAYMENTS_SECRET_KEY and PAYMENTS_SERVICE_ID' : 'its entry in MERCHANTS_FILE'}, and ask the payment service whether this machine’s address is allowed.`,
      );
      break;
    case 'noAnswer':
      findings.wrong(
        `It gave no usable answer: ${outcome.reason}`,
        'Check PAYMENTS_BASE_URL, and whether this machine may connect to it.',
      );
      break;
    case 'rateLimited':
      findings.note('It is too busy now, so the keys were not checked. Run this again later.');
      break;
    default:
      assertNever(outcome);
  }
};
