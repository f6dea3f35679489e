import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppProcess } from '../../support/app-process.ts';
import { freePort } from '../../support/free-port.ts';
import { PostgresServer } from '../../support/postgres-server.ts';
import { ChargeBook } from './charges.ts';
import type { Dice } from './dice.ts';
import { StormGateway } from './gateway.ts';
import { Instance, type Trouble } from './instances.ts';
import { RoundRobinProxy } from './proxy.ts';
import type { Shop } from './shop.ts';
import { openSlackShop } from './slack-shop.ts';
import { openTelegramShop } from './telegram-shop.ts';

/** Two instances of Paythread and everything around them. */
export type World = {
  readonly instances: readonly [Instance, Instance];
  readonly gateway: StormGateway;
  readonly shops: readonly Shop[];
  readonly book: ChargeBook;
  readonly troubles: Trouble[];
  readonly dice: Dice;
};

/** Starts it all; whatever was started is stopped with `everything`. `seconds`: how long the storm will be. */
export const buildWorld = async (
  dice: Dice,
  seconds: number,
  everything: AsyncDisposableStack,
): Promise<World> => {
  const dir = await mkdtemp(join(tmpdir(), 'paythread-storm-'));
  everything.defer(() => rm(dir, { recursive: true, force: true }));
  const postgres = new PostgresServer(await PostgresServer.launch());
  everything.defer(() => postgres.stop());
  const gateway = await StormGateway.start(dice.fork());
  everything.defer(() => gateway.stop());
  const ports = [await freePort(), await freePort()] as const;
  const proxy = await RoundRobinProxy.start(ports);
  everything.defer(() => proxy.stop());
  const shops = [
    await openTelegramShop(proxy.url, dice.fork()),
    await openSlackShop(proxy.url, dice.fork(), seconds),
  ];
  for (const shop of shops) everything.defer(() => shop.stop());
  const accessFile = join(dir, 'access.yml');
  await writeFile(accessFile, accessOf(shops));
  const env: Readonly<Record<string, string>> = Object.assign(
    {
      DATABASE_URL: postgres.url(),
      ACCESS_FILE: accessFile,
      PAYMENTS_TIMEOUT: '5s',
      PAYMENTS_RATE: '100',
      STATUS_CHECK_SCHEDULE: '2s,5s,10s',
    },
    gateway.settings,
    ...shops.map(({ settings }) => settings),
  );
  const troubles: Trouble[] = [];
  const instanceOn = (name: string, port: number): Instance => {
    const app = new AppProcess(port, { ...env, DATA_DIR: join(dir, name) });
    const instance = new Instance(name, app, troubles);
    everything.defer(() => instance.destroy());
    return instance;
  };
  const instances = [instanceOn('A', ports[0]), instanceOn('B', ports[1])] as const;
  // Both at once: they also have to agree on who makes the tables.
  await Promise.all(instances.map((instance) => instance.start()));
  return { instances, gateway, shops, book: new ChargeBook(), troubles, dice };
};

const accessOf = (shops: readonly Shop[]): string => {
  const members = shops.flatMap((shop) => shop.members).join(', ');
  return `roles: {sales: {commands: "*"}}\nmembers: {sales: [${members}]}\n`;
};
