import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nameOfUser } from '../../src/cli/shell-command.ts';
import { verifyFolder } from '../../src/core/store/sqlite/verify-folder.ts';
import { aPayment } from '../support/a-payment.ts';
import { csvRows } from '../support/csv-rows.ts';
import { merchantsFile } from '../support/merchants-file.ts';
import { runCommand } from '../support/run-command.ts';
import { openStoreIn } from '../support/store-folder.ts';
import { storePayments } from '../support/stored-payments.ts';
import { tempFolder } from '../support/temp-folder.ts';

const aShop = async () => {
  const dir = await tempFolder();
  const store = await openStoreIn(dir);
  await storePayments(store, [
    { id: 'P0', state: 'completed' },
    { id: 'P1', state: 'failed' },
  ]);
  return { dir, store };
};

const exported = (dir: string, ...words: string[]) =>
  runCommand('export', words, { DATA_DIR: dir });

describe('npm run paythread -- export', () => {
  it('is in the audit trail with who, what, how many and the digest, once no Paythread runs', async () => {
    const { dir, store } = await aShop();
    await store.close();
    const before = await verifyFolder(dir);
    const { code, output } = await exported(dir, '--state', 'completed');
    expect(code).toBe(0);
    const [csv = '', rest = ''] = output.split(/1 payment\n/);
    expect(rest).toBe('');
    expect(csvRows(csv)).toMatchObject([{ transaction_id: 'P0' }]);
    const after = await openStoreIn(dir);
    const name = nameOfUser();
    expect(await after.auditOf('exports')).toMatchObject([
      {
        what: 'exported',
        who: { platform: 'terminal', id: name, name },
        detail: { words: 'completed', isWhole: true, rows: 1, sha256: hash('sha256', csv) },
      },
    ]);
    // The payments of this test have no story of their own; their places are the only ones.
    expect((await verifyFolder(dir)).places).toEqual(before.places);
  });

  it('says that it is not in the audit trail while a Paythread keeps the store', async () => {
    const { dir, store } = await aShop();
    const { code, output } = await exported(dir);
    expect(code).toBe(0);
    expect(output).toMatch(/2 payments\nThis export is not in the audit trail: Paythread runs/);
    expect(await store.auditOf('exports')).toEqual([]);
  });

  it('names the merchant as payers see it', async () => {
    const { dir, store } = await aShop();
    const terms = { ...aPayment().terms, merchant: 'osu' };
    await storePayments(store, [{ id: 'P9', state: 'completed', terms }]);
    await store.close();
    const MERCHANTS_FILE = await merchantsFile({ osu: 'slack:C0OSU' });
    const service = {
      PAYMENTS_BASE_URL: 'https://pay.example.com',
      PUBLIC_URL: 'https://shop.example.com',
    };
    const { output } = await runCommand('export', [], {
      DATA_DIR: dir,
      MERCHANTS_FILE,
      ...service,
    });
    expect(output).toMatch(/P9,completed[^\n]*,Adjoa osu,/);
  });

  it('leaves no row when nothing could be exported', async () => {
    const { dir, store } = await aShop();
    await store.close();
    await expect(exported(dir, 'Adwoa')).resolves.toMatchObject({ code: 64 });
    const after = await openStoreIn(dir);
    expect(await after.auditOf('exports')).toEqual([]);
  });
});
