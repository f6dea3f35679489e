import { onTestFinished } from 'vitest';
import { sandboxProvider } from '../../../src/core/gateway/provider.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { gatewayContract } from '../../contracts/gateway-contract.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { secondProvider, startSecondService } from '../../support/second-provider.ts';

gatewayContract('the provider that the sandbox speaks', sandboxProvider, async () => {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ clock });
  onTestFinished(() => sandbox.stop());
  return {
    account: sandbox,
    callbackSaying: (words) => JSON.stringify({ response_data: { status_desc: words } }),
    timesTaken: (id) =>
      sandbox.payments().find(({ transactionId }) => transactionId === id)?.times ?? 0,
    settle: () => clock.advance(5_000),
  };
});

gatewayContract('a second provider, with a wire format of its own,', secondProvider, async () => {
  const service = await startSecondService('second-token');
  onTestFinished(() => service.stop());
  return service;
});
