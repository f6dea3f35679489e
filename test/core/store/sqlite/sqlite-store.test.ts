import { storeContract } from '../../../contracts/store-contract.ts';
import { openSqliteIn } from '../../../support/sqlite-store.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

storeContract('the SQLite store', async () => {
  const dir = await tempFolder();
  let store = await openSqliteIn(dir);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openSqliteIn(dir);
      return store;
    },
    close: () => store.close(),
  };
});
