import { describe, expect, it } from 'vitest';
import { Alerts } from '../../../src/core/notices/alerts.ts';
import type { Alert } from '../../../src/core/records/notice.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';

const broken: Alert = { kind: 'access file', file: 'access.yml', problems: ['line 1: no'] };
const mended: Alert = { kind: 'access file mended', file: 'access.yml' };

describe('alerts of many subjects', () => {
  it('are remembered a thousand at a time, so that ids that never come again take no memory', {
    tags: ['F85'],
  }, async () => {
    const clock = new ManualClock();
    const store = await openStore();
    const operators = [{ platform: 'slack', channel: 'C0OPS' }];
    const alerts = new Alerts({ store, clock, log: silentLog, operators });
    const versionAfter = async (subject: string) => {
      await alerts.raise(subject, broken);
      return (await store.get('notice', `${subject}.alert`))?.version;
    };
    expect(await versionAfter('seal.0')).toBe(1);
    expect(await versionAfter('seal.0')).toBe(1);
    for (let at = 1; at <= 1_000; at++) await alerts.raise(`seal.${at}`, broken);
    expect(await versionAfter('seal.1000')).toBe(1);
    expect(await versionAfter('seal.0')).toBe(2);
  });
});

describe('news that every instance finds out by itself', () => {
  const setUp = async () => {
    const clock = new ManualClock();
    const store = await openStore();
    const operators = [{ platform: 'slack', channel: 'C0OPS' }];
    const { log, entries } = capturedLog();
    const instance = () => new Alerts({ store, clock, log, operators });
    /** What is owed now, and then no more, as if it had been told. */
    const told = async (): Promise<unknown[]> => {
      const found = await store.get('notice', 'access.alert');
      if (found === undefined) return [];
      await store.commit({ remove: [{ kind: 'notice', id: found.id, version: found.version }] });
      return [found.about];
    };
    return { clock, instance, told, entries };
  };

  it('is told by the first of them alone', async () => {
    const { clock, instance, told } = await setUp();
    const [one, other] = [instance(), instance()];
    await Promise.all([one.tellOnce('access', broken), other.tellOnce('access', broken)]);
    expect(await told()).toEqual([{ kind: 'alert', alert: broken }]);
    await clock.advance(3_000);
    await other.tellOnce('access', broken);
    expect(await told()).toEqual([]);
  });

  it('is told again when it happens again, however soon', async () => {
    const { instance, told, entries } = await setUp();
    const alerts = instance();
    for (const alert of [broken, mended, broken]) {
      await alerts.tellOnce('access', alert);
      expect(await told()).toEqual([{ kind: 'alert', alert }]);
    }
    // That all is well again is nothing to look into.
    expect(entries.filter(({ level }) => level === 'error')).toHaveLength(2);
  });

  it('is told again later, as after a restart', async () => {
    const { clock, instance, told } = await setUp();
    await instance().tellOnce('access', broken);
    await told();
    await clock.advance(60_000);
    await instance().tellOnce('access', broken);
    expect(await told()).toHaveLength(1);
  });

  it('is over only where it was told, also by the process before', async () => {
    const { instance, told } = await setUp();
    await instance().tellOver('access', mended);
    expect(await told()).toEqual([]);
    await instance().tellOnce('access', broken);
    await told();
    await instance().tellOver('access', mended);
    expect(await told()).toEqual([{ kind: 'alert', alert: mended }]);
    await instance().tellOver('access', mended);
    expect(await told()).toEqual([]);
  });

  it('is not told any more when it is over before anybody could be', async () => {
    const { instance, told } = await setUp();
    await instance().tellOnce('access', broken);
    await instance().tellOver('access', mended);
    expect(await told()).toEqual([{ kind: 'alert', alert: mended }]);
  });
});
