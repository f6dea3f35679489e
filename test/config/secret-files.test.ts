import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { fileVariables } from '../../src/config/setting-files.ts';
import { names, variables } from '../../src/config/variables.ts';
import { commandEnv } from '../support/command-env.ts';
import { refusal } from '../support/refusal.ts';
import { fileWith } from '../support/secret-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const CANARY = 'canary-of-a-secret-setting';
const SANDBOX = { PAYMENTS_BASE_URL: 'sandbox' };

/** Why a webhook secret from this file is refused. */
const refusalOf = (path: string): string => {
  const error = refusal(() => readConfig({ TELEGRAM_WEBHOOK_SECRET_FILE: path, PORT: 'many' }));
  expect(error.exitCode).toBe(78);
  // One message for everything, and never the content.
  expect(error.message).toContain('PORT is not right.');
  expect(`${error.message}${error.stack}${String(error.cause)}`).not.toContain('canary');
  return error.message;
};

describe('a secret in a file', () => {
  const secretNames = names.filter((name) => variables[name].secret);

  it('is what every secret setting can be', () => {
    expect([...fileVariables]).toEqual(secretNames.map((name) => `${name}_FILE`));
    expect(secretNames).toHaveLength(12);
  });

  it.each(secretNames)('is the same as %s in the environment, also for the log', async (name) => {
    const others = { ...SANDBOX, PUBLIC_URL: 'https://pay.example.com' };
    const needed = name.startsWith('SLACK')
      ? { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' }
      : name === 'TELEGRAM_WEBHOOK_SECRET'
        ? { TELEGRAM_BOT_TOKEN: '1:a' }
        : {};
    const { [name]: _, ...rest } = { ...others, ...needed } as Record<string, string>;
    const { example } = variables[name];
    const path = await fileWith(`${example}\n`);
    const config = readConfig({ ...rest, [`${name}_FILE`]: path });
    expect(config).toEqual(readConfig({ ...rest, [name]: example }));
    expect(config.secrets).toContain(example);
    expect(readConfig(rest, `${name}_FILE=${path}`)).toEqual(config);
  });

  it.each([
    ['nothing', 'secret-key', 'secret-key'],
    ['one line end', 'secret-key\n', 'secret-key'],
    ['one line end of Windows, and its mark before it', '\uFEFFsecret-key\r\n', 'secret-key'],
    ['one of two line ends, which is then refused', 'secret-key\n\n', undefined],
    ['one line of two, which is then refused', 'secret-key\nanother\n', undefined],
    ['no blank: it may belong to the secret', ' secret key ', ' secret key '],
  ])('loses %s', async (_what, content, secret) => {
    const path = await fileWith(content);
    const env = { PAYMENTS_SECRET_KEY_FILE: path };
    if (secret !== undefined) expect(readConfig(env).secrets).toContain(secret);
    else
      expect(refusal(() => readConfig(env)).message).toContain(
        '  PAYMENTS_SECRET_KEY is not right, as PAYMENTS_SECRET_KEY_FILE has it.',
      );
  });

  it('may have been put in place by a link, as in Kubernetes', async () => {
    const path = await fileWith('xoxb-linked-canary');
    const link = `${path}-link`;
    symlinkSync(path, link);
    const env = { ...SANDBOX, SLACK_BOT_TOKEN_FILE: link, SLACK_APP_TOKEN: 'xapp-1' };
    expect(readConfig(env).chats).toMatchObject([{ settings: { botToken: 'xoxb-linked-canary' } }]);
  });

  it('is refused beside the same setting in the environment: which one holds?', async () => {
    const path = await fileWith(CANARY);
    const env = { TELEGRAM_BOT_TOKEN: `${CANARY}-2`, TELEGRAM_BOT_TOKEN_FILE: path };
    const { message } = refusal(() => readConfig({ ...SANDBOX, ...env }));
    expect(message).toContain(
      'TELEGRAM_BOT_TOKEN_FILE is set, and TELEGRAM_BOT_TOKEN as well: take one of the two away.',
    );
    expect(message).not.toContain('canary');
  });

  it('that cannot be read is not called missing, and what it needs is still named', () => {
    const { message } = refusal(() => readConfig({ SLACK_BOT_TOKEN_FILE: '/nowhere/canary' }));
    const named = [...message.matchAll(/^ {2}([A-Z_]+) .*/gm)].map(([line]) => line.trim());
    expect(named).toEqual([
      'PAYMENTS_BASE_URL is not set, and with a chat platform configured it has no default.',
      'SLACK_BOT_TOKEN_FILE names a file that is not there.',
      'SLACK_APP_TOKEN is not set, and there is no SLACK_SIGNING_SECRET either: Slack needs one of the two.',
    ]);
  });

  it('is only for secrets: the name of another setting is called misspelt', async () => {
    const path = await fileWith('Adjoa Stores');
    expect(readConfig({ PAYMENTS_NICKNAME_FILE: path }).warnings).toEqual([
      'PAYMENTS_NICKNAME_FILE is set, but there is no such setting. Is it misspelt?',
    ]);
    expect(readConfig({ PAYMENTS_CLIENT_KEY_FILE: await fileWith('key') }).warnings).toEqual([]);
  });
});

describe('a file that is named for a secret is refused when', () => {
  it('it is not there, without its name: that may be the secret, pasted one line too low', () => {
    expect(refusalOf(`/${CANARY}`)).toContain('_FILE names a file that is not there.');
  });

  it('it is a folder', async () => {
    expect(refusalOf(await tempFolder())).toContain('_FILE names a folder.');
  });

  it('it cannot be opened', async () => {
    expect(refusalOf(join(await fileWith(CANARY), CANARY))).toContain(
      '_FILE names what cannot be read (ENOTDIR).',
    );
  });

  it('it is a pipe, which nobody may ever write to', async () => {
    const pipe = join(await tempFolder(), 'pipe');
    spawnSync('sh', ['-c', 'mkfifo -m 600 "$1"', 'sh', pipe]);
    expect(refusalOf(pipe)).toContain('_FILE names something that is not a file.');
  });

  it.each([
    ['empty', ''],
    ['blank', ' \n'],
    ['empty', '\n'],
  ])('it is %s', async (_what, content) => {
    expect(refusalOf(await fileWith(content))).toContain('_FILE names a file that is empty.');
  });

  it('it is larger than any secret', async () => {
    const path = await fileWith(CANARY.repeat(1_000));
    expect(refusalOf(path)).toContain('_FILE names a file that is too large for a secret.');
  });

  it('it is not text', async () => {
    const path = await fileWith(Buffer.from([0xff, 0xfe, 0x63, 0x00]));
    expect(refusalOf(path)).toContain('_FILE names a file that is not text.');
  });
});

describe('every command', () => {
  it.each([
    ['start', []],
    ['doctor', []],
    ['backup', ['/nowhere']],
    ['restore', ['/nowhere']],
    ['reconcile', []],
    ['audit', ['verify']],
    ['migrate-store', []],
  ])('reads its secrets in the same way: %s', async (command, args) => {
    const path = await fileWith(`postgres://u:${CANARY}@localhost/x`, 0o640);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [resolve('src/main.js'), command, ...args],
      {
        cwd: await tempFolder(),
        env: { ...commandEnv(), DATABASE_URL_FILE: path },
        encoding: 'utf8',
      },
    );
    expect({ status, stdout, stderr }).toEqual({
      status: 78,
      stdout: '',
      stderr: expect.stringContaining(`chmod 600 ${path}`),
    });
    expect(stderr).not.toContain('canary');
  });
});
