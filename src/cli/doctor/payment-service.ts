import { createGateway } from '../../core/gateway/client.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { createLog } from '../../core/runtime/log.ts';
import type { Examined } from './examination.ts';
import type { Findings } from './report.ts';

/** Whether the payment service knows us, found out with the one question that does nothing. */
export const examinePaymentService = async (
  { config: { payments, gateway: settings }, clock, network }: Examined,
  findings: Findings,
): Promise<void> => {
  if (payments.kind === 'sandbox') return findings.note('The built-in simulator needs nothing.');
  const log = createLog({ level: 'silent', secrets: [] });
  const gateway = createGateway({ ...payments, ...settings }, { clock, log });
  // Without credentials, for its time alone.
  await network.ask('the payment service', payments.baseUrl);
  const outcome = await gateway.checkBalance();
  switch (outcome.kind) {
    case 'balances':
      findings.note('It answers, and takes the keys.');
      break;
    case 'refused':
      findings.wrong(
        `It refuses us: ${outcome.reason}`,
        'Check PAYMENTS_CLIENT_KEY, PAYMENTS_SECRET_KEY and PAYMENTS_SERVICE_ID, and ask the payment service whether this machine’s address is allowed.',
      );
      break;
    case 'noAnswer':
      findings.wrong(
        `It gave no usable answer: ${outcome.reason}`,
        'Check PAYMENTS_BASE_URL, and whether this machine may connect to it.',
      );
      break;
    case 'rateLimited':
      findings.note(
        'It asks for patience, so the keys could not be checked; run this again later.',
      );
      break;
    default:
      assertNever(outcome);
  }
};
