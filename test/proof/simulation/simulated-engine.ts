import { buildEngine, type Engine } from '../../../src/app/engine.ts';
import { platforms } from '../../../src/bots/all-platforms.ts';
import { noLabel } from '../../../src/commands/cards/sandbox-label.ts';
import type { Cluster } from '../../../src/core/cluster/cluster.ts';
import { merchantGateways } from '../../../src/core/gateway/merchant-gateways.ts';
import type { PostResult } from '../../../src/core/gateway/post-json.ts';
import { sandboxProvider } from '../../../src/core/gateway/provider.ts';
import { createQueue } from '../../../src/core/gateway/turns.ts';
import type { Log } from '../../../src/core/runtime/log.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Dice } from '../storm/dice.ts';
import type { SimulatedChat } from './chat.ts';
import type { SimulatedGateway } from './gateway.ts';
import { type Habits, smsSettingsOf } from './habits.ts';
import type { Instance } from './instance.ts';
import type { People } from './people.ts';
import { CHANNELS, SERVICE_IDS } from './seats.ts';
import { seededRandom } from './seeded-random.ts';
import type { Weather } from './weather.ts';

export const TIMEOUT_MS = 30_000;
export const TIME_ZONE = 'Africa/Accra';
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Must not be seen anywhere. */
export const SECRETS = [
  'callback-secret-canary-7f3a',
  'client-key-canary-1b2c',
  'secret-key-canary-9d8e',
] as const;
const [CALLBACK_SECRET, CLIENT_KEY, SECRET_KEY] = SECRETS;

const GATEWAY = {
  baseUrl: 'https://gateway.example',
  clientKey: CLIENT_KEY,
  secretKey: SECRET_KEY,
  timeoutMs: TIMEOUT_MS,
  serviceId: 7,
  nickname: 'Ama Ventures',
  sendCurrencyVal: 'never',
  numberFormat: 'national',
} as const;

/** The default of `STATUS_CHECK_SCHEDULE`. */
const CHECKS = {
  scheduleMs: [
    ...[10, 20, 20, 20, 20, 30].map((seconds) => seconds * SECOND_MS),
    ...[1, 1, 1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS),
  ],
  giveUpMs: 72 * HOUR_MS,
};

/** Paythread as an instance runs it, with the gateway and the chats of its world. */
export const simulatedEngine = (options: {
  readonly world: {
    readonly weather: Weather;
    readonly habits: Habits;
    readonly gateway: SimulatedGateway;
    readonly chats: readonly SimulatedChat[];
    readonly people: People;
  };
  readonly instance: Instance;
  readonly store: Store;
  readonly cluster: Cluster;
  readonly dice: Dice;
  readonly log: Log;
}): Engine => {
  const { world, instance, store, cluster, dice, log } = options;
  const { clock } = instance;
  const random = seededRandom(dice.fork());
  const { requestsPerSecond } = world.weather;
  const parts = {
    clock,
    log: log,
    post: (path: string, body: Readonly<Record<string, unknown>>) =>
      instance.call<PostResult>(`POST ${path}`, (answer) =>
        world.gateway.serve(path, body, answer),
      ),
    ...(world.weather.isShared ? { cluster: cluster } : {}),
  };
  const queue = createQueue(requestsPerSecond, parts);
  const merchants = world.people.staff.merchants();
  const gatewayOf = (serviceId: number) =>
    sandboxProvider.createGateway(
      { ...GATEWAY, serviceId, requestsPerSecond },
      { ...parts, queue },
    );
  const gateway = merchantGateways(
    new Map([
      [undefined, gatewayOf(GATEWAY.serviceId)],
      ...merchants.map(({ name }) => [name, gatewayOf(SERVICE_IDS[name] ?? 0)] as const),
    ]),
  );
  return buildEngine({
    platforms,
    store,
    isShared: world.weather.isShared,
    gateway,
    access: world.people.staff,
    chats: new Map(world.chats.map((chat) => [chat.platform, chat.for(instance)])),
    clock,
    log: log,
    mark: noLabel,
    settings: {
      currency: 'GHS',
      country: 'GH',
      timeZone: TIME_ZONE,
      ...smsSettingsOf(world.habits),
      merchants,
    },
    checks: CHECKS,
    confirmWithinMs: 10 * MINUTE_MS,
    // Three days pass in a world: what goes on by itself all the time would be most of it.
    balancesEveryMs: 24 * 60 * MINUTE_MS,
    requestTimeoutMs: TIMEOUT_MS,
    sealSecret: 'the seal of the shop',
    callbacks: { secrets: [CALLBACK_SECRET], publicUrl: 'https://pay.example' },
    operators: [{ platform: 'slack', channel: CHANNELS.operators }],
    random,
  });
};
