import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sdkLog } from '../../../src/bots/slack/sdk.ts';
import { createLog } from '../../../src/core/runtime/log.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const TOKEN = 'canary.slack/app+token';

it('shows no part of a token, wherever a long text of the SDK is cut', {
  tags: ['I15'],
}, async () => {
  const file = join(await tempFolder(), 'log');
  const log = sdkLog(createLog({ level: 'info', secrets: [TOKEN], destination: file }));
  for (let before = 400; before <= 520; before++)
    log.error(`${'x'.repeat(before)} ${TOKEN}`, new Error(`of ${TOKEN}`));
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(121);
  expect(lines.filter((line) => line.includes('can'))).toEqual([]);
  expect(lines[0]).toContain(`${'x'.repeat(400)} [secret]`);
});
