import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { messageComplaints, modalComplaints } from '../support/slack/block-kit.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Ran = { readonly code: number | undefined; readonly output: string; readonly errors: string };

/** The command line in this process, without a person at a terminal. */
const run = async (...words: string[]): Promise<Ran> => {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const written = Promise.all([text(output), text(errors)]);
  // What a command asks for, where it asks.
  input.end('0244123456\n');
  const code = await runCommandLine(words, { input, output, errors });
  output.end();
  errors.end();
  const [printed, complained] = await written;
  return { code, output: printed, errors: complained };
};

const ROOT = process.cwd();
const MAIN = join(ROOT, 'src/main.js');
const NAMES = Object.keys(COMMANDS);
/** Those that run below another. */
const DEEPER = [
  ['access', 'check'],
  ['audit', 'verify'],
  ['audit', 'show'],
];

// Commands read `.env` in the working directory: a developer's own would lead them to a real store.
beforeEach(async () => {
  process.chdir(await tempFolder());
  vi.stubEnv('DATA_DIR', join(await tempFolder(), 'data'));
  vi.stubEnv('ACCESS_FILE', join(await tempFolder(), 'access.yml'));
  vi.stubEnv('DATABASE_URL', '');
});
afterEach(() => {
  process.chdir(ROOT);
  vi.unstubAllEnvs();
});

describe('the help', () => {
  it.each(['--help', '-h', 'help'])('lists every command with %s', async (word) => {
    const { code, output, errors } = await run(word);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    for (const [name, { summary }] of Object.entries(COMMANDS))
      expect(output).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
    expect(output).toContain('Exit codes: 0 done, 1 not done or not found, 64');
  });

  it.each([...NAMES.map((name) => [name]), ...DEEPER])(
    'explains `paythread %s %s`',
    async (...words) => {
      const named = words.filter((word) => word !== undefined);
      const { code, output, errors } = await run(...named, '--help');
      expect({ code, errors }).toEqual({ code: 0, errors: '' });
      const [usage, , what = ''] = output.split('\n');
      expect(usage).toMatch(new RegExp(`^Usage: paythread ${named.join(' ')}( |$)`));
      expect(what).toMatch(/^[A-Z]\w+s? /);
      expect(output).toMatch(/-h, --help +shows this/);
      for (const line of output.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    },
  );

  it('is what no command at all shows', async () => {
    expect(await run()).toEqual(await run('--help'));
  });

  it('of a command is the same behind `help`', async () => {
    expect(await run('help', 'backup')).toEqual(await run('backup', '--help'));
  });

  it('gives examples that the command line understands', async () => {
    const help = await Promise.all(NAMES.map((name) => run(name, '--help')));
    const deeper = await Promise.all(DEEPER.map((words) => run(...words, '--help')));
    const examples = [...help, ...deeper].flatMap(({ output }) =>
      [...output.matchAll(/^ {2}npm run paythread -- (.+)$/gm)].map(([, line = '']) => line),
    );
    expect(examples.length).toBeGreaterThan(8);
    for (const example of new Set(examples)) {
      const { code, errors } = await run(...example.split(' '));
      expect(code, `${example}: ${errors}`).not.toBe(64);
    }
  });

  it('knows the version', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await run('--version')).toEqual({ code: 0, output: `${version}\n`, errors: '' });
  });
});

it('doctor --cards sends what every command shows to Slack’s check, and no charge to the payment service', async () => {
  const refused: string[] = [];
  const paths = new Set<string | undefined>();
  const slack = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const [message, view] = ['message', 'view'].map((name) => form.get(name));
    const complaints =
      view === null || view === undefined
        ? messageComplaints({ ...JSON.parse(message ?? '{}'), text: 'beside the blocks' })
        : modalComplaints(JSON.parse(view));
    paths.add(request.url);
    if (request.url === '/api/blocks.validate') refused.push(...complaints);
    response.end(JSON.stringify({ ok: request.url === '/api/blocks.validate' }));
  }).listen(0, '127.0.0.1');
  await once(slack, 'listening');
  onTestFinished(() => void slack.close());
  const address = `http://127.0.0.1:${(slack.address() as AddressInfo).port}`;
  vi.stubEnv('SLACK_API_URL', `${address}/api`);
  vi.stubEnv('PAYMENTS_BASE_URL', `${address}/pay`);
  for (const name of ['CLIENT_KEY', 'SECRET_KEY', 'NICKNAME'])
    vi.stubEnv(`PAYMENTS_${name}`, 'adjoa');
  vi.stubEnv('PAYMENTS_SERVICE_ID', '1');
  vi.stubEnv('PUBLIC_URL', address);
  vi.stubEnv('SMS_SENDER_ID', 'AdjoaStores');
  const { output } = await run('doctor', '--cards');
  expect(refused).toEqual([]);
  expect([...paths].filter((path) => /make_payment|send_sms/.test(path ?? ''))).toEqual([]);
  const cards = output.slice(output.indexOf('Cards in Slack: fine'));
  for (const name of ['Charge GHS 50.00?', 'pending', 'completed', 'Day', 'Report', 'Balances'])
    expect(cards).toMatch(new RegExp(`Slack takes the card ".*${name.replace('?', '[?]')}`));
  for (const title of ['Charge a customer', 'Send an SMS', 'Why did you refuse?'])
    expect(cards).toContain(`Slack takes the form "${title}"`);
});

describe('the manifest', () => {
  it('is manifest.yml to the byte without options', async () => {
    const output = readFileSync(join(ROOT, 'manifest.yml'), 'utf8');
    expect(await run('manifest')).toEqual({ code: 0, output, errors: '' });
  });

  it('has the prefix and the address of its options', async () => {
    const { code, output } = await run(
      ...['manifest', '--prefix', 'pay-', '--http', 'https://pay.example.com'],
    );
    expect(code).toBe(0);
    expect(output).toContain('- command: /pay-charge\n');
    expect(output).toContain('url: https://pay.example.com/slack/events\n');
    expect(output).toContain('socket_mode_enabled: false');
  });
});

describe('a command line that is wrong leaves with 64 and says', () => {
  it.each([
    [['bakup'], "Unknown command 'bakup'. Did you mean backup?"],
    [['help', 'nothing'], 'Usage: paythread'],
    [['--quick'], "Unknown option '--quick'."],
    [['start', 'now'], "Too many arguments for 'start'. Expected 0 arguments but got 1"],
    [['doctor', '--fix'], "Unknown option '--fix'."],
    [['access'], 'Usage: paythread access'],
    [['access', 'chek'], "Unknown command 'chek'. Did you mean check?"],
    [['access', 'check', 'slack:U1', '--in'], "Option '--in <conversation>' argument missing."],
    [['audit', 'verify', 'x'], "Too many arguments for 'verify'."],
    [['audit', 'verify', '--from', 'x'], '"x" is not the head of an audit trail'],
    [['audit', 'show'], "Missing required argument 'id'."],
    [['audit', 'show', 'x'], 'Example: npm run audit -- show'],
    [['backup'], "Missing required argument 'folder'."],
    [['backup', '/a', '/b'], "Too many arguments for 'backup'."],
    [['restore'], "Missing required argument 'folder'."],
    [['reconcile', 'nonsense'], '"nonsense" is not a transaction id of Paythread.'],
    [['forget', '12345'], '0244123456'],
    [['forget', '0244123456', '--loook'], "Unknown option '--loook'. Did you mean --look?"],
    [['manifest', '--prefix', 'Pay'], 'A prefix has up to 20 small letters'],
    [['manifest', '--http', 'http://localhost:3000'], 'Slack needs an https address.'],
    [['manifest', '--http', 'nonsense'], 'Slack needs an https address.'],
    [['migrate', '--grant'], "Option '--grant <role>' argument missing."],
    [['migrate-store', 'x'], "Too many arguments for 'migrate-store'."],
  ])('%j: %s', async (words, said) => {
    const { code, output, errors } = await run(...words);
    expect({ code, output }).toEqual({ code: 64, output: '' });
    expect(errors).toContain(said);
    expect(errors).not.toContain('error:');
    expect(errors).not.toContain('    at ');
  });
});

describe('an answer that is no leaves with 1', () => {
  it.each([
    [['access', 'check', 'slack:U1']],
    [['audit', 'verify']],
    [['audit', 'show', '01JD2M4X9QK7T3VB']],
    [['backup', '/nowhere/at/all']],
    [['restore', '/nowhere/at/all']],
    [['reconcile']],
    [['forget', '0244123456']],
  ])('%j', async (words) => {
    const { code, output, errors } = await run(...words);
    expect(code).toBe(1);
    expect(output + errors).toMatch(/^\S.*\.\n$/);
  });
});

describe('settings that are not right leave with 78', () => {
  it.each([
    [['start']],
    [['doctor']],
    [['access', 'check']],
    [['audit', 'verify']],
    [['audit', 'show', '01JD2M4X9QK7T3VB']],
    [['backup', '/nowhere']],
    [['restore', '/nowhere']],
    [['reconcile']],
    [['forget', '0244123456']],
    [['migrate']],
    [['migrate-store']],
  ])('%j', async (words) => {
    vi.stubEnv('PORT', 'many');
    const { code, output, errors } = await run(...words);
    expect({ code, output }).toEqual({ code: 78, output: '' });
    expect(errors).toContain('PORT=3000');
  });
});

describe('package.json', () => {
  const { scripts, bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
    bin: Record<string, string>;
  };

  it('has a short script for every command, and none of a command that is not there', () => {
    expect(scripts['start']).toMatch(/^node .*src\/main\.js start$/);
    for (const name of NAMES.filter((each) => each !== 'start'))
      expect(scripts[name]).toBe(`node src/main.js ${name}`);
    const run = Object.values(scripts).flatMap((line) => /main\.js (\S+)/.exec(line)?.[1] ?? []);
    expect(new Set(run)).toEqual(new Set(NAMES));
  });

  it('installs `paythread`', () => {
    expect(bin).toEqual({ paythread: 'src/main.js' });
    expect(scripts['paythread']).toBe('node src/main.js');
    expect(readFileSync(MAIN, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

describe('the process', () => {
  const spawned = (main: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '' },
    });
    return { status, stdout, stderr };
  };

  it('leaves with the exit code, with help on standard output and mistakes on standard error', () => {
    expect(spawned(MAIN, 'forget', '--help')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Usage: paythread forget /),
      stderr: '',
    });
    expect(spawned(MAIN, 'forgt')).toEqual({
      status: 64,
      stdout: '',
      stderr: expect.stringContaining('Did you mean forget?'),
    });
  });

  it('ends quietly with its exit code when the reader of its output closes the pipe early', async () => {
    const env = { PATH: process.env['PATH'] ?? '' };
    const child = spawn(process.execPath, [MAIN, 'forget', '--help'], { env });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  it('is found through a link, as npm makes one for the name `paythread`', async () => {
    const link = join(await tempFolder(), 'paythread');
    symlinkSync(MAIN, link);
    expect(spawned(link, 'backup', '--help')).toMatchObject({ status: 0, stderr: '' });
  });

  it('runs below node_modules, where Node.js strips no types, and says nothing of it', async () => {
    const modules = join(await tempFolder(), 'node_modules');
    mkdirSync(join(modules, 'paythread'), { recursive: true });
    cpSync(join(ROOT, 'src'), join(modules, 'paythread/src'), { recursive: true });
    writeFileSync(
      join(modules, 'paythread/package.json'),
      readFileSync(join(ROOT, 'package.json')),
    );
    symlinkSync(join(ROOT, 'node_modules'), join(modules, 'paythread/node_modules'));
    const main = join(modules, 'paythread/src/main.js');
    expect(spawned(main, 'doctor', '--help')).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^Usage: paythread doctor /),
      stderr: '',
    });
  });
});
