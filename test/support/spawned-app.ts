import { onTestFinished } from 'vitest';
import { AppProcess } from './app-process.ts';

/** The real program in a process of its own, killed when the test has finished. */
export class SpawnedApp extends AppProcess {
  constructor(
    port: number,
    env: Readonly<Record<string, string>>,
    wrapped: readonly string[] = [],
  ) {
    super(port, env, wrapped);
    onTestFinished(async () => void (await this.kill('SIGKILL')));
  }
}
