import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

/** The package has a browser for these machines alone; on others what needs one does not run. */
export const hasBrowser = process.platform === 'linux' && process.arch === 'x64';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/paythread-browser');

/** The package unpacks into the folder for temporary files, and the libraries that a bare machine lacks only there. */
const UNPACK = "await (await import('@sparticuz/chromium')).default.executablePath()";
const ON_LAMBDA = { AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };

/** The one font of the package, and those of the machine. */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(CACHE, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir>${join(CACHE, 'fontconfig')}</cachedir>
</fontconfig>
`;

const ARGS = [
  // Containers run tests as root, and let no process make a sandbox.
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
];

/** A headless Chromium of the npm registry, unpacked once in a checkout. */
export const openBrowser = async (): Promise<Browser> => {
  if (!existsSync(CACHE)) await unpack();
  const executablePath = join(CACHE, 'chromium');
  const launch = (env: Record<string, string>): Promise<Browser> =>
    chromium.launch({ executablePath, args: ARGS, env: { ...environment(), ...env } });
  try {
    return await launch({});
  } catch (error) {
    // A bare machine lacks libraries such as libnss3.
    return await launch({ LD_LIBRARY_PATH: join(CACHE, 'al2023/lib') }).catch(() => {
      throw error;
    });
  }
};

const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: CACHE,
  FONTCONFIG_FILE: join(CACHE, 'fonts.conf'),
});

/** Into a folder of its own first: a half unpacked browser would count as a whole one. */
const unpack = async (): Promise<void> => {
  const folder = `${CACHE}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  const env = { ...process.env, ...ON_LAMBDA, TMPDIR: folder };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK], { env });
  await writeFile(join(folder, 'fonts.conf'), FONTS);
  await rename(folder, CACHE).catch(async (error: NodeJS.ErrnoException) => {
    // Another test file was faster.
    await rm(folder, { recursive: true, force: true });
    if (!existsSync(CACHE)) throw error;
  });
};
