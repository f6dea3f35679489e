import { onTestFinished } from 'vitest';
import { AppProcess } from './app-process.ts';

/** The real program in a process of its own, killed when the test has finished. */
export class SpawnedApp extends AppProcess {
  constructor(port: number, env: Readonly<Record<string, string>>) {
    super(port, env);
    onTestFinished(async () => void (await this.kill('SIGKILL')));
  }
}
