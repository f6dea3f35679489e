import { storeContract } from '../../../contracts/store-contract.ts';
import { openStoreIn } from '../../../support/store-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

storeContract('the SQLite store', async () => {
  const dir = await tempFolder();
  let store = await openStoreIn(dir);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openStoreIn(dir);
      return store;
    },
    close: () => store.close(),
  };
});
