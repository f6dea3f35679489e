import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startPostgres } from '../support/postgres.ts';
import { PASSWORD } from '../support/postgres-database.ts';
import { openServiceShop } from '../support/service-shop.ts';
import { postgresPremises, ShopInHand } from '../support/shop-in-hand.ts';
import { openSlackShop } from '../support/slack-shop.ts';

const postgres = await startPostgres();
beforeEach(() => postgres.empty());

/** From now on the database does this instead of storing a payment that is in this state. */
const atStoring = async (state: string, statement: string): Promise<void> => {
  await postgres.query(`
    CREATE SEQUENCE paythread.trouble;
    CREATE FUNCTION paythread.trouble() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.body->>'state' = '${state}' THEN ${statement} END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER trouble BEFORE INSERT OR UPDATE ON paythread.records
      FOR EACH ROW EXECUTE FUNCTION paythread.trouble()`);
  onTestFinished(() => postgres.empty());
};

describe('a database that has no room for "submitting"', () => {
  it('lets nothing be sent; once it has room again, it is sent once', {
    tags: ['F38'],
  }, async () => {
    const shop = await ShopInHand.open(await postgresPremises(postgres));
    await atStoring('submitting', `RAISE EXCEPTION 'no space left' USING ERRCODE = '53100';`);
    await shop.charge();
    await shop.pass(20_000);
    expect(shop.gateway.sent).toEqual([]);
    await postgres.query('DROP FUNCTION paythread.trouble CASCADE');
    await shop.pass(60_000);
    expect(shop.gateway.sent).toHaveLength(1);
  });
});

describe('a database that breaks off a transaction to let others go on (40001)', () => {
  it('is asked again, and the charge is sent once', { tags: ['F41'] }, async () => {
    const shop = await ShopInHand.open(await postgresPremises(postgres));
    await atStoring(
      'submitting',
      `IF nextval('paythread.trouble') < 3 THEN RAISE EXCEPTION 'busy' USING ERRCODE = '40001'; END IF;`,
    );
    await shop.charge();
    await shop.pass(1_000);
    expect(shop.gateway.sent).toHaveLength(1);
    const [row] = await postgres.query<{ tries: string }>(
      'SELECT last_value AS tries FROM trouble',
    );
    const stored = await postgres.query(
      `SELECT FROM audit WHERE entry::json->>'after' = 'submitting'`,
    );
    expect([row?.tries, stored.length]).toEqual(['3', 1]);
  });
});

describe('a transaction id that is taken', () => {
  it('is refused before anything is sent, and the charge gets another id', {
    tags: ['F16'],
  }, async () => {
    // Two ids of the same millisecond that chance made the same.
    const random = { fraction: () => 0.5, bytes: (count: number) => new Uint8Array(count) };
    const shop = await ShopInHand.open(await postgresPremises(postgres), { random });
    const [first] = await shop.type('/charge 0244123456 50');
    const [second] = await shop.type('/charge 0201234567 70');
    await shop.press(first, 'Charge');
    const [answer] = await shop.press(second, 'Charge');
    expect(JSON.stringify(answer)).toMatch(/Nothing was charged.*Type the command again\./);
    await shop.pass(1_000);
    const [another] = await shop.type('/charge 0201234567 70');
    await shop.press(another, 'Charge');
    await shop.pass(1_000);
    const ids = shop.gateway.sent.map(({ transactionId }) => transactionId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('a database that takes no more connections', () => {
  it('lets callbacks be asked for again at once, and people be told that nothing was recorded', {
    tags: ['F37'],
  }, async () => {
    await postgres.query(`
      CREATE ROLE few_callers LOGIN PASSWORD '${PASSWORD}'; CREATE SCHEMA paythread AUTHORIZATION few_callers;
      GRANT EXECUTE ON FUNCTION pg_control_system() TO few_callers`);
    const shop = await openServiceShop(
      { status: () => 'pending' },
      { DATABASE_URL: postgres.url({ user: 'few_callers' }), STATUS_CHECK_SCHEDULE: '10h' },
    );
    const { service } = shop;
    await shop.charge('0244123456 50');
    await shop.shows('GHS 50.00 pending');

    await postgres.query(`
      ALTER ROLE few_callers CONNECTION LIMIT 0;
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'few_callers'`);
    expect(await service.taken[0]?.callBack('{}')).toBe(503);
    await shop.ask('/charge 0201234567 70', 'this was not recorded');

    await postgres.query('ALTER ROLE few_callers CONNECTION LIMIT -1');
    await eventually(async () => expect(await service.taken[0]?.callBack('{}')).toBe(200));
    await shop.stop();
    await postgres.query('DROP OWNED BY few_callers CASCADE; DROP ROLE few_callers');
  });
});

describe('a database that is slow when Slack waits for its answer', () => {
  it('holds no acknowledgement up, and what was typed is answered when it is stored', {
    tags: ['F57'],
  }, async () => {
    const { slack, ama } = await openSlackShop({
      people: ['ama'],
      env: { DATABASE_URL: postgres.url() },
    });
    const slow = await postgres.connect();
    const slowly = async (act: () => Promise<unknown>) => {
      await slow.query('BEGIN; LOCK TABLE records, payments IN ACCESS EXCLUSIVE MODE');
      await act();
      await eventually(async () => {
        const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
        expect((await postgres.query(waiting)).length).toBeGreaterThan(0);
      });
      expect(ama.ephemerals().join('\n')).not.toMatch(/Charge GHS|Confirmed/);
      await slow.query('COMMIT');
    };
    await slowly(() => ama.slash('sales', '/charge', '0244123456 50'));
    const question = await ama.ephemeral(/Charge GHS 50\.00\?/);
    await ama.press(question, 'Charge GHS 50.00');
    await slack.message('sales', /: completed/);
    expect(slack.acks.filter(({ ok }) => !ok)).toEqual([]);

    // Too slow to wait for: said so, and the same again works.
    await slow.query('BEGIN; LOCK TABLE records, payments IN ACCESS EXCLUSIVE MODE');
    await ama.ask('sales', '/charge 0244123457 60', /Something went wrong here|was not recorded/);
    await slow.query('COMMIT');
    await ama.ask('sales', '/charge 0244123457 60', /Charge GHS 60\.00\?/);
    expect(slack.acks.filter(({ ok }) => !ok)).toEqual([]);
  });
});
