import { onTestFinished } from 'vitest';
import { provider } from '../../../src/core/gateway/provider.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { gatewayContract } from '../../contracts/gateway-contract.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { createSecondGateway, startSecondService } from '../../support/second-provider.ts';
import { silentLog } from '../../support/silent-log.ts';
import { settings } from './scripted-gateway.ts';

const parts = { clock: systemClock, log: silentLog };

gatewayContract('the provider in use, before the sandbox,', async () => {
  const clock = new ManualClock();
  const sandbox = await startSandbox({ clock });
  onTestFinished(() => sandbox.stop());
  return {
    gateway: ({ key = sandbox.secretKey, ...changes } = {}) =>
      provider.createGateway({ ...settings, ...sandbox, secretKey: key, ...changes }, parts),
    timesTaken: (id) =>
      sandbox.payments().find(({ transactionId }) => transactionId === id)?.times ?? 0,
    settle: () => clock.advance(5_000),
  };
});

gatewayContract('a second provider, with a wire format of its own,', async () => {
  const token = 'second-token';
  const service = await startSecondService(token);
  onTestFinished(() => service.stop());
  return {
    gateway: ({ key = token, ...changes } = {}) =>
      createSecondGateway({ ...settings, ...service, token: key, ...changes }, parts),
    ...service,
  };
});
