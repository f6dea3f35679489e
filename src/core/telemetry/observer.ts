import type { Gateway } from '../gateway/gateway.ts';
import type { Change } from '../records/records.ts';
import type { Store } from '../store/store.ts';

/** `failed`: the store threw, so it is not known whether the change was stored. */
export type CommitResult = 'stored' | 'stale' | 'failed';

/** Called with each change before it is stored; the function returned is called with the result. */
export type OnCommit = (change: Change) => (result: CommitResult) => void;

/** Called around each operation of the gateway; returns what the call returned. */
export type AroundCall = <T extends { readonly kind: string }>(
  operation: string,
  call: () => Promise<T>,
) => Promise<T>;

export const observedStore = (store: Store, onCommit: OnCommit): Store => ({
  get: (kind, id) => store.get(kind, id),
  commit: (change) => {
    const ended = onCommit(change);
    const stored = store.commit(change);
    stored.then(
      (done) => ended(done ? 'stored' : 'stale'),
      // The error itself reaches the caller through `stored`.
      () => ended('failed'),
    );
    return stored;
  },
  claim: (queue, options) => store.claim(queue, options),
  release: (...lease) => store.release(...lease),
  nextDueMs: (queue) => store.nextDueMs(queue),
  onDue: (listener) => store.onDue(listener),
  listPayments: (filter, page) => store.listPayments(filter, page),
  totalPayments: (filter) => store.totalPayments(filter),
  paymentFigures: (asked) => store.paymentFigures(asked),
  auditOf: (id) => store.auditOf(id),
  countDue: (queue) => store.countDue(queue),
  draftsIn: (status, requester) => store.draftsIn(status, requester),
  close: () => store.close(),
});

/** The same gateway, its operations observed under the names of the service's endpoints. */
export const observedGateway = (gateway: Gateway, around: AroundCall): Gateway => ({
  makePayment: (request) => around('make_payment', () => gateway.makePayment(request)),
  lookUpAccount: (query) => around('payment_account_lookup', () => gateway.lookUpAccount(query)),
  checkStatus: (...asked) =>
    around('check_transaction_status', () => gateway.checkStatus(...asked)),
  sendSms: (message) => around('send_sms', () => gateway.sendSms(message)),
  checkBalance: (...asked) => around('check_sms_balance', () => gateway.checkBalance(...asked)),
});
