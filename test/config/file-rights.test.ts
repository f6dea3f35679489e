import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig, readConfig } from '../../src/config/config.ts';
import { closingCommand, isHandedIn, isOpenToOthers } from '../../src/config/file-rights.ts';
import { readSecretFile } from '../../src/config/setting-files.ts';
import { refusal } from '../support/refusal.ts';
import { fileWith } from '../support/secret-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

const CANARY = 'canary-of-a-secret-setting';

describe('a secret file that others may open', () => {
  const refusalOf = (path: string): string =>
    refusal(() => readConfig({ TELEGRAM_WEBHOOK_SECRET_FILE: path })).message;

  it.each(['640', '604', '620', '644', '444'])(
    'is refused with %s, and told what to type',
    { tags: ['T24'] },
    async (mode) => {
      const path = await fileWith(CANARY, Number.parseInt(mode, 8));
      expect(
        refusalOf(path),
      ).toContain(`  TELEGRAM_WEBHOOK_SECRET_FILE names a file that others on this machine may open.
    Expected: a file of 16 KiB at most that holds the secret alone, and that its owner alone may open.
    Type:     chmod 600 ${path}
`);
      spawnSync('sh', ['-c', /Type: +(.*)/.exec(refusalOf(path))?.[1] ?? '']);
      expect(readSecretFile(path, [])).toEqual({ ok: true, text: CANARY });
    },
  );
});

describe('what to type against that', () => {
  const self = process.getuid?.() ?? 0;
  const stats = { uid: self } as Parameters<typeof closingCommand>[1];

  it('can be pasted into a shell, whatever the path', () => {
    expect(closingCommand("/run/Ama's key", stats)).toBe("chmod 600 '/run/Ama'\\''s key'");
  });
});

describe('what a container runtime or systemd hands in', () => {
  /** Root's, and open to all, on every machine that has users. */
  const roots = { path: '/etc/passwd', folder: '/etc' };

  it('may be open to others, when root owns it: its rights are not ours to change', () => {
    expect(readSecretFile(roots.path, [])).toMatchObject({ ok: false, what: /others/ });
    expect(readSecretFile(roots.path, ['/nowhere', roots.folder])).toMatchObject({ ok: true });
  });

  it('comes from the folder that systemd names, and from no other', async () => {
    const env = { PAYMENTS_SECRET_KEY_FILE: roots.path };
    const why = (extra: Record<string, string>, file = '') =>
      refusal(() => readConfig({ ...env, ...extra }, file)).message;
    // Accepted as a file, it is refused for its many lines.
    expect(why({ CREDENTIALS_DIRECTORY: roots.folder })).toContain('as PAYMENTS_SECRET_KEY_FILE');
    expect(why({})).toContain('others on this machine');
    expect(why({ CREDENTIALS_DIRECTORY: await tempFolder() })).toContain('others on this machine');
    expect(why({}, `CREDENTIALS_DIRECTORY=${roots.folder}`)).toContain('others on this machine');
  });

  it('is not open when it belongs to somebody else than root, or somebody else may write it', async () => {
    const folder = await tempFolder();
    const path = join(folder, 'secret');
    writeFileSync(path, CANARY);
    chmodSync(path, 0o646);
    expect(readSecretFile(path, [folder])).toMatchObject({ ok: false, what: /others/ });
    chmodSync(path, 0o444);
    if (process.getuid?.() === 0) chownSync(path, 12_345, 12_345);
    expect(readSecretFile(path, [folder])).toMatchObject({ ok: false, what: /others/ });
  });

  it('does not lie behind a link that leads out of the folder', async () => {
    const folder = await tempFolder();
    const link = join(folder, 'secret');
    symlinkSync(roots.path, link);
    expect(readSecretFile(link, [folder])).toMatchObject({ ok: false, what: /others/ });
  });
});

describe('the file .env', () => {
  const home = process.cwd();
  const inFolderWith = async (text: string, mode: number): Promise<void> => {
    process.chdir(await tempFolder());
    onTestFinished(() => process.chdir(home));
    writeFileSync('.env', text);
    chmodSync('.env', mode);
  };

  it('is read and warned of when it holds secrets and others may open it, with what to type', async () => {
    await inFolderWith(`PORT=8080\nCALLBACK_SECRET=${CANARY}\n`, 0o644);
    const { callbackSecrets, warnings } = loadConfig();
    expect(callbackSecrets).toEqual([CANARY]);
    expect(warnings).toEqual([
      'others on this machine may open the file .env, which holds CALLBACK_SECRET; take that away with: chmod 600 .env',
    ]);
  });

  it('may be open to others without a secret in it, and closed with some', async () => {
    await inFolderWith('PORT=8080\nCALLBACK_SECRET=\nCALLBACK_SECRET_FILE=\n', 0o644);
    expect(loadConfig()).toMatchObject({ listener: { port: 8080 }, warnings: [] });
    writeFileSync('.env', `CALLBACK_SECRET=${CANARY}`);
    chmodSync('.env', 0o600);
    expect(loadConfig().callbackSecrets).toEqual([CANARY]);
  });
});

describe('Windows', () => {
  it('has no such rights, and every file seems open there', async () => {
    const { mode } = statSync(await fileWith(CANARY, 0o666));
    const stats = { mode, uid: 1 } as Parameters<typeof isOpenToOthers>[0];
    expect([isOpenToOthers(stats, 'win32'), isOpenToOthers(stats, 'linux')]).toEqual([false, true]);
    expect(isHandedIn('/etc/passwd', stats, ['/etc'])).toBe(false);
  });
});
