import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { examined, healthyEnv } from '../../support/examined.ts';
import { freePort } from '../../support/free-port.ts';
import { runApp } from '../../support/run-app.ts';
import { sandboxSettings } from '../../support/sandbox-settings.ts';
import { fileWith } from '../../support/secret-file.ts';
import { serveHttp } from '../../support/serve-http.ts';

describe('the payment service', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox({ clock: systemClock });
    return () => sandbox.stop();
  });
  const env = async (changes: Record<string, string> = {}): Promise<Record<string, string>> => {
    const healthy = await healthyEnv();
    return {
      ...healthy,
      ...sandboxSettings(sandbox),
      PAYMENTS_NICKNAME: 'Shop',
      PUBLIC_URL: `http://127.0.0.1:${healthy['PORT']}`,
      ...changes,
    };
  };

  it('is fine when it takes the keys, and is asked for nothing but the balance', async () => {
    const { findings, text } = await examined(await env());
    expect(findings).toEqual([]);
    expect(text).toContain('takes the keys');
    const paths = sandbox.requests.map((request) => JSON.stringify(request));
    expect(paths.filter((each) => /make_payment|send_sms/.test(each))).toEqual([]);
  });

  it('that refuses the keys is a finding, without the keys', async () => {
    const { of, text } = await examined(await env({ PAYMENTS_SECRET_KEY: 'canary-91x-secret' }));
    expect(of('Payment service')).toEqual([expect.stringContaining('refuses us')]);
    expect(text).not.toContain('canary-91x');
  });

  it('is asked with the keys of each merchant, and says whose it refuses', async () => {
    const [right, wrong] = [await fileWith(sandbox.secretKey), await fileWith('canary-91x-secret')];
    const entry = async (secretKeyFile: string, place: string) => ({
      nickname: 'Shop',
      serviceId: sandbox.serviceId,
      clientKeyFile: await fileWith(sandbox.clientKey),
      secretKeyFile,
      conversations: [place],
    });
    const merchants = {
      osu: await entry(right, 'slack:C0OSU'),
      tema: await entry(wrong, 'slack:C0TEMA'),
    };
    const MERCHANTS_FILE = await fileWith(JSON.stringify({ merchants }));
    const {
      PAYMENTS_CLIENT_KEY: _client,
      PAYMENTS_SECRET_KEY: _secret,
      PAYMENTS_SERVICE_ID: _id,
      ...others
    } = await env({ MERCHANTS_FILE });
    const { of, text } = await examined(others);
    expect(of('Payment service')).toEqual([expect.stringContaining('refuses the keys of tema')]);
    expect(text).toContain('takes the keys of osu');
    expect(text).not.toContain('canary-91x');
  });

  it('that is not there is a finding', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const { of } = await examined(await env({ PAYMENTS_BASE_URL: nobody }));
    expect(of('Payment service')).toEqual([expect.stringContaining('no usable answer')]);
  });

  it('that has another time shows that the clock is wrong', { tags: ['F46'] }, async () => {
    const late = { ...systemClock, now: () => systemClock.now() - 60_000 };
    const { of } = await examined(await env(), late);
    expect(of('Clock')).toContainEqual(
      expect.stringMatching(
        /^This machine's clock is \d\d s behind that of the payment service\.$/,
      ),
    );
    const nearly = { ...systemClock, now: () => systemClock.now() + 20_000 };
    expect((await examined(await env(), nearly)).of('Clock')).toEqual([]);
  });

  describe('reaches the callback address', () => {
    it('of a running Paythread', async () => {
      const settings = await env();
      await runApp(settings);
      const { findings, text } = await examined(settings);
      expect(findings).toEqual([]);
      expect(text).toContain('Paythread runs here');
    });

    it('only with the secret that the running one has as well', async () => {
      const settings = await env({ CALLBACK_SECRET: 'secret-of-the-running-one' });
      const { app } = await runApp(settings);
      expect((await examined(settings)).findings).toEqual([]);
      const rotated = { ...settings, CALLBACK_SECRET: 'another-canary-secret' };
      const { of, text } = await examined(rotated);
      expect(of('Callback address')).toEqual([expect.stringContaining('another CALLBACK_SECRET')]);
      expect(text).not.toContain('canary');
      expect(await app.store.listPayments({}, { limit: 1 })).toMatchObject({ payments: [] });
    });

    it('not when Paythread runs and its proxy leads elsewhere', async () => {
      const settings = await env();
      await runApp(settings);
      const elsewhere = await serveHttp((_, response) => response.writeHead(404).end('Not Found'));
      const { of } = await examined({ ...settings, PUBLIC_URL: elsewhere });
      expect(of('Callback address')).toEqual([
        expect.stringContaining('something else answers with 404'),
      ]);
    });

    it('of another instance, while this one does not run yet', async () => {
      const first = await env();
      await runApp(first);
      const second = await env({
        PUBLIC_URL: first['PUBLIC_URL'] ?? '',
        DATABASE_URL: `postgres://u:p@127.0.0.1:${await freePort()}/x`,
      });
      const { of } = await examined(second);
      expect(of('Callback address')).toEqual([]);
      const { DATABASE_URL: _, ...alone } = second;
      expect((await examined(alone)).of('Callback address')).toEqual([
        expect.stringMatching(/\/callbacks\/doctor does not lead to Paythread/),
      ]);
    });

    it('through a proxy', async () => {
      const settings = await env();
      const proxy = await serveHttp((request, response) => {
        void fetch(`${settings['PUBLIC_URL']}${request.url}`, {
          method: request.method ?? '',
        }).then(
          async (answer) => response.writeHead(answer.status).end(await answer.text()),
          () => response.writeHead(502).end(),
        );
      });
      expect((await examined({ ...settings, PUBLIC_URL: proxy })).findings).toEqual([]);
    });

    it('and turns away what others send there meanwhile, so that they send it again', {
      tags: ['F95'],
    }, async () => {
      const settings = await env();
      const own = settings['PUBLIC_URL'] ?? '';
      const said: number[] = [];
      const proxy = await serveHttp(async (request, response) => {
        for (const path of ['/callbacks/01JD2M4X9QK7T3VB/01', '/telegram/webhook', '/slack/events'])
          said.push((await fetch(`${own}${path}`, { method: 'POST', body: '{}' })).status);
        said.push((await fetch(`${own}/callbacks/doctor?guessed`, { method: 'POST' })).status);
        const answer = await fetch(`${own}${request.url}`, { method: 'POST', body: '{}' });
        response.writeHead(answer.status).end(await answer.text());
      });
      expect((await examined({ ...settings, PUBLIC_URL: proxy })).findings).toEqual([]);
      expect(said.length).toBeGreaterThan(3);
      expect(new Set(said)).toEqual(new Set([503]));
    });

    it.each([
      ['nobody listens', undefined, 'nothing listens there'],
      ['a proxy without this path', 404, 'something else answers with 404'],
      ['a proxy that redirects', 308, 'something else answers with 308'],
    ])('not when %s', async (_name, status, said) => {
      const publicUrl =
        status === undefined
          ? `http://127.0.0.1:${await freePort()}`
          : await serveHttp((_, response) => response.writeHead(status).end('elsewhere'));
      const { of } = await examined(await env({ PUBLIC_URL: publicUrl }));
      expect(of('Callback address')).toEqual([expect.stringContaining(said)]);
    });

    it('not when another program has the port', async () => {
      const other = await serveHttp((_, response) => response.end('hello'));
      const port = new URL(other).port;
      const { of } = await examined(await env({ PORT: port, PUBLIC_URL: other }));
      expect(of('Callback address')).toEqual([
        `Another program uses port ${port}.`,
        expect.stringContaining('does not lead to Paythread'),
      ]);
    });

    it('not when nothing can listen there', async () => {
      const { of } = await examined(await env({ HOST: '192.0.2.1' }));
      expect(of('Callback address')).toEqual([expect.stringContaining('(EADDRNOTAVAIL)')]);
    });

    it('not when its name is private and the service is not', async () => {
      const { of } = await examined(
        await env({ PAYMENTS_BASE_URL: 'https://payments.invalid/api' }),
      );
      expect(of('Callback address')).toEqual([expect.stringContaining('127.0.0.1, which')]);
    });
  });
});
