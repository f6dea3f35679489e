import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { platforms } from '../../../src/bots/all-platforms.ts';
import { Access } from '../../../src/commands/access/access.ts';
import type { IsGuest, MembersOf } from '../../../src/commands/access/membership-answers.ts';
import { RIGHTS } from '../../../src/commands/all-commands.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export const caller = (platform: string, id: string, channel = 'C1'): Caller => ({
  ...{ platform, id, name: 'Ama' },
  conversation: { platform, channel },
});
export const terminal = caller('terminal', 'local', 'terminal');

export const ONE_ROLE = 'roles: {sales: {commands: [charge, lookup]}}\n';

/** An access file in a folder of its own, and those who read it until the test has finished. */
export class AccessFileInUse {
  readonly clock = new ManualClock();
  readonly log = capturedLog();
  /** What was told of the file, in order. */
  readonly troubles: (readonly string[])[] = [];
  readonly folder: string;
  readonly path: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.path = join(folder, 'access.yml');
  }

  static async create(): Promise<AccessFileInUse> {
    const created = new AccessFileInUse(await tempFolder());
    onTestFinished(() => expect(created.clock.sleeping).toBe(0));
    return created;
  }

  write(text: string): void {
    writeFileSync(this.path, text);
  }

  /** Reads it, with this text if one is given, and looks at it from then on. */
  async open(
    text?: string,
    membersOf: MembersOf = async () => new Set(),
    isGuest?: IsGuest,
  ): Promise<Access> {
    if (text !== undefined) this.write(text);
    const access = await Access.open({
      ...{ platforms, rights: RIGHTS, file: this.path, currency: 'GHS', membersOf },
      ...(isGuest === undefined ? {} : { isGuest }),
      onTrouble: (problems) => void this.troubles.push(problems),
      clock: this.clock,
      log: this.log.log,
    });
    onTestFinished(() => access.stop());
    return access;
  }
}
