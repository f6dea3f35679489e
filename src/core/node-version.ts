import { StartError } from './errors.ts';

const NEEDED = [22, 18] as const;

/** Older releases cannot run TypeScript as it is. */
export const needNode = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw new StartError(
    `Paythread needs Node.js ${NEEDED.join('.')} or newer and this is ${version}. Start it with "npm start", which brings its own.`,
  );
};
