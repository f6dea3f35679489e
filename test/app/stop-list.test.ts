import { expect, it } from 'vitest';
import { StopList } from '../../src/app/stop-list.ts';

it('what was started last is stopped first, and each is waited for', async () => {
  const order: string[] = [];
  const stops = new StopList();
  stops.add(async () => void order.push('store'));
  stops.add(async () => {
    order.push('listener asked');
    await Promise.resolve();
    order.push('listener closed');
  });
  stops.addBackground(async (stop) => {
    await new Promise((resolve) => stop.addEventListener('abort', resolve));
    order.push('background work ended');
  });
  await stops.stopAll();
  const once = ['background work ended', 'listener asked', 'listener closed', 'store'];
  expect(order).toEqual(once);
  await stops.stopAll();
  expect(order).toEqual(once);
});
