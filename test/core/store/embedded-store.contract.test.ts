import { storeContract } from '../../contracts/store-contract.ts';
import { emptyFolder, openStore } from '../../support/store-folder.ts';

storeContract('the embedded store', async () => {
  const dir = emptyFolder();
  let store = await openStore(dir);
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openStore(dir);
      return store;
    },
    close: () => store.close(),
  };
});
