import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { connectionSettings } from '../../../../src/core/store/postgres/connection-settings.ts';
import { Database } from '../../../../src/core/store/postgres/database.ts';
import { isCut, isWorthAnotherTry } from '../../../../src/core/store/postgres/database-errors.ts';
import { inDatabase } from '../../../../src/core/store/postgres/in-database.ts';
import { asStartError } from '../../../../src/core/store/postgres/start-refusals.ts';
import { openInstance, startPostgres } from '../../../support/postgres.ts';
import { silentLog } from '../../../support/silent-log.ts';

const postgres = await startPostgres();

const withState = (code: string): DatabaseError =>
  Object.assign(new DatabaseError('said', 0, 'error'), { code });

const ofSocket = (code: string, syscall?: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), {
    code,
    ...(syscall === undefined ? {} : { syscall }),
  });

const CUT: readonly Error[] = [
  withState('57P01'),
  withState('08006'),
  ofSocket('ECONNRESET', 'read'),
  ofSocket('EPIPE', 'write'),
  // Of TLS that was not ready: without a syscall.
  ofSocket('ECONNRESET'),
  ofSocket('ENOENT', 'connect'),
  ofSocket('EACCES', 'connect'),
  ofSocket('ENOTFOUND', 'getaddrinfo'),
  ofSocket('DEPTH_ZERO_SELF_SIGNED_CERT'),
  ofSocket('ERR_STREAM_DESTROYED'),
  ofSocket('ERR_SSL_WRONG_VERSION_NUMBER'),
  Object.assign(new AggregateError([ofSocket('ECONNREFUSED', 'connect')]), {
    code: 'ECONNREFUSED',
  }),
  new Error('Connection terminated unexpectedly'),
  new Error('Connection terminated due to connection timeout'),
  new Error('Client has encountered a connection error and is not queryable'),
  new Error('Client was closed and is not queryable'),
  new Error('timeout exceeded when trying to connect'),
  new Error('timeout expired'),
  new Error('The server does not support SSL connections'),
];

const OURS: readonly Error[] = [
  new TypeError("Cannot read properties of undefined (reading 'amount')"),
  new RangeError('Invalid time value'),
  new SyntaxError('Unexpected end of JSON input'),
  new Error('Query values must be an array'),
  new Error('The store is closed.'),
  Object.assign(new TypeError('The "list[0]" argument must be of type Buffer'), {
    code: 'ERR_INVALID_ARG_TYPE',
  }),
  ofSocket('ENOENT', 'open'),
  withState('23505'),
];

describe('an error of a call to the database', () => {
  it.each(CUT)('is a cut connection when it is %s', { tags: ['F81'] }, (error) => {
    expect([isCut(error), isWorthAnotherTry(error)]).toEqual([true, true]);
    expect(String(asStartError(error, 'the database x'))).toMatch(
      /The database x cannot be reached/,
    );
  });

  it.each(OURS)('is no cut connection when it is %s', { tags: ['F81'] }, (error) => {
    expect([isCut(error), isWorthAnotherTry(error)]).toEqual([false, false]);
    expect(String(asStartError(error, 'the database x'))).not.toContain('cannot be reached');
  });

  it('is thrown as it is, after one try, when it is a mistake in the program', {
    tags: ['F81'],
  }, async () => {
    await openInstance(postgres.url());
    let tries = 0;
    const mistake = new TypeError('of ours');
    const work = async () => {
      tries += 1;
      throw mistake;
    };
    await expect(inDatabase(postgres.url(), work, 5)).rejects.toBe(mistake);
    expect(tries).toBe(1);
  });

  it('is found by the driver itself once, when a statement is wrong', {
    tags: ['F81'],
  }, async () => {
    let connections = 0;
    const database = new Database(connectionSettings(postgres.url()), {
      clock: systemClock,
      log: silentLog,
      onConnect: async () => void connections++,
    });
    // What the driver throws before anything is sent.
    const wrong = database.rows({ text: 'SELECT $1', values: 7 as unknown as unknown[] });
    await expect(wrong).rejects.toThrow('Query values must be an array');
    expect(connections).toBe(1);
    await database.close();
  });
});
