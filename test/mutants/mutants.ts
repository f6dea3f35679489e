import { type PlantedBug, replaced } from './planted-bug.ts';

/** A planted bug, and what has to notice it. */
export type Mutant = PlantedBug & {
  /** `simulation`: by some seed among many; otherwise the test files that have to notice. */
  readonly caughtBy: 'simulation' | readonly string[];
  /** Only the tests of these files whose name ends like this. @default all */
  readonly titles?: string;
};

const RECOVERY =
  "for await (const { id } of everyPayment(this.#store, { states: ['submitting'] }, PAGE))\n      await this.#presumeLost(id);";

/** What has gone wrong in programs like this one, each as a small change of ours. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a payment request without an answer is sent again',
    edits: replaced(
      'src/core/payments/payment-submitter.ts',
      "await this.#payments.record(id, { kind: 'lost', answer, reason });",
      "await this.#payments.record(id, { kind: 'rate limited', answer, retryAtMs: this.#clock.now() + 1_000, submitByMs: payment.submitByMs + (reason === '' ? 0 : SUBMIT_WITHIN_MS) });",
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'digits with a space between them become one amount',
    edits: replaced(
      'src/commands/charge/charge-amount.ts',
      "const text = words.join(' ');",
      "const text = words.join('');",
    ),
    caughtBy: ['test/commands/charge/awkward-inputs.test.ts'],
  },
  {
    name: 'a network that was typed for a checkout is dropped',
    edits: replaced(
      'src/commands/charge/charge-form.ts',
      "...(network !== undefined && option === 'CRM' ? { network } : {}),",
      '',
    ),
    caughtBy: ['test/commands/charge/paid-by.test.ts'],
  },
  {
    name: 'what stands after a comma and is no number is taken for the text of an SMS',
    edits: replaced(
      'src/commands/sms/recipient-list.ts',
      'if (!mayBeNumber(next)) return askAfterComma(next);',
      'if (!mayBeNumber(next)) return parsed({ numbers: [...numbers.values()], leftOut: bad, rest: next });',
    ),
    caughtBy: ['test/commands/sms/parse-sms.test.ts'],
  },
  {
    name: 'a choice is taken for another question than the one it stands under',
    edits: replaced(
      'src/commands/forms/form-steps.ts',
      '(verb === PICK && field?.name !== name)',
      '(verb === PICK && name === undefined)',
    ),
    caughtBy: ['test/journeys/telegram.test.ts'],
    titles: 'takes no choice for another question than the one it stands under',
  },
  {
    name: 'a payment found on its way after a crash is sent again',
    edits: replaced(
      'src/core/payments/payment-submitter.ts',
      "if (payment.state === 'submitting') return this.#presumeLost(payment.id);",
      "if (payment.state === 'submitting') { await this.#payments.record(payment.id, { kind: 'rate limited', answer: {}, retryAtMs: this.#clock.now(), submitByMs: this.#clock.now() + SUBMIT_WITHIN_MS }); return; }",
    ).concat(
      replaced(
        'src/core/payments/payment-submitter.ts',
        RECOVERY,
        "for await (const each of everyPayment(this.#store, { states: ['submitting'] }, PAGE)) await this.serve(each);",
      ),
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'a request goes out again after 429 although the service has called back about it',
    edits: replaced(
      'src/core/payments/payment-moves.ts',
      'export const isKnown = ({ hints }: Payment): boolean => hints > 0;',
      'export const isKnown = ({ hints }: Payment): boolean => hints < 0;',
    ).concat(
      replaced(
        'src/core/payments/transitions.ts',
        "if (payment.state === 'confirmed') return contradicted(hinted, nowMs, policy);",
        "if (payment.state === 'confirmed') return hinted;",
      ),
      replaced(
        'src/core/payments/payment-submitter.ts',
        "payment?.state === 'submitting' && payment.hints === 0",
        "payment?.state === 'submitting'",
      ),
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'a callback while the request waits for its turn does not stop it',
    edits: replaced(
      'src/core/payments/payment-submitter.ts',
      "payment?.state === 'submitting' && payment.hints === 0",
      "payment?.state === 'submitting'",
    ),
    caughtBy: ['test/core/payments/life.test.ts'],
  },
  {
    name: 'what was answered with 429 and then given up is not looked at again',
    edits: replaced(
      'src/core/payments/payments.ts',
      'const isNew = isSettled(after) && !isSettled(before) && after.submittedAtMs !== undefined;',
      'const isNew = isSettled(after) && !isSettled(before) && after.submittedAtMs !== undefined && after.rateLimits === 0;',
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'a failure without its transaction or amount settles',
    edits: replaced(
      'src/core/payments/status-checker.ts',
      'const missing = missingIn(outcome);',
      "const missing = outcome.status === 'failed' ? undefined : missingIn(outcome);",
    ),
    caughtBy: ['test/core/payments/life.test.ts'],
  },
  {
    name: "trouble of the merchant is told as the customer's",
    edits: replaced(
      'src/core/gateway/failure-reason.ts',
      'const cause = OTHERS.test(all)\n    ? undefined\n    : CAUSES',
      'const cause = all === OTHERS.source\n    ? undefined\n    : CAUSES',
    ),
    caughtBy: ['test/core/gateway/failure-reason.test.ts'],
  },
  {
    name: 'the minutes since a payment count from its confirmation',
    edits: replaced(
      'src/commands/charge/charge-warnings.ts',
      "{ states: ['completed'] as const, endedSinceMs: clock.now() - RECENT_MS },",
      "{ states: ['completed'] as const, sinceMs: clock.now() - RECENT_MS },",
    ),
    caughtBy: ['test/commands/charge/charge-again.test.ts'],
  },
  {
    name: 'what the service contradicts does not count against the day',
    edits: replaced(
      'src/commands/charge/charge-limits.ts',
      "  { states: ['failed', 'refused', 'not sent'], flag: 'conflict' },\n",
      '',
    ),
    caughtBy: ['test/commands/charge/limits.test.ts'],
  },
  {
    name: 'a number is shown in what the service says about the id of another',
    edits: replaced(
      'src/commands/payments/status.ts',
      "text === undefined ? 'not available' : maskPhones(text);",
      "text === undefined ? 'not available' : text + maskPhones('');",
    ),
    caughtBy: ['test/commands/cards/service-words.test.ts'],
  },
  {
    name: 'what a callback says is believed',
    edits: replaced(
      'src/core/callbacks/hint-recorder.ts',
      'this.#payments.record(id, hinted(message), causeOf)',
      "this.#payments.record(id, /complet|success/i.test(body) ? { kind: 'checked', finding: { kind: 'completed', answer: {} } } : hinted(message), causeOf)",
    ),
    caughtBy: 'simulation',
  },
  {
    name: '"not found" counts as failed',
    edits: replaced(
      'src/core/payments/status-checker.ts',
      "if (outcome.kind !== 'status') return { kind: 'nothing', answer };",
      "if (outcome.kind === 'noStatus') return { kind: 'failed', answer, reason: 'not found' };\n  if (outcome.kind !== 'status') return { kind: 'nothing', answer };",
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'HTTP 500 counts as a refusal',
    edits: replaced(
      'src/core/gateway/classify-response.ts',
      'const REFUSALS = new Set([400,',
      'const REFUSALS = new Set([500, 400,',
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'an event delivered twice makes two drafts',
    edits: replaced(
      'src/core/payments/drafts.ts',
      'id: shortIdFrom(eventId),',
      "id: shortIdFrom(eventId + (what.kind === 'charge' ? what.paymentId : '')),",
    ),
    caughtBy: ['test/core/payments/drafts.test.ts', 'test/journeys/slack.test.ts'],
  },
  {
    name: 'a callback is answered before it is stored',
    edits: replaced(
      'src/core/callbacks/callbacks.ts',
      'const isStored = await this.#hints.record(paymentId, body, contentType);',
      'const isStored = this.#hints.record(paymentId, body, contentType) !== undefined;',
    ),
    caughtBy: ['test/core/http/listener.test.ts', 'test/journeys/callbacks.test.ts'],
  },
  {
    name: 'a change is acknowledged before it is flushed',
    edits: replaced(
      'src/core/store/journal.ts',
      '    await file.datasync();\n',
      '    void file.datasync().catch(() => {});\n',
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'notices are stored after the state they tell, in a commit of their own',
    edits: replaced(
      'src/core/payments/payments.ts',
      '          ...(await this.#noticesFor(before, after, nowMs)),\n',
      '',
    ).concat(
      replaced(
        'src/core/payments/payments.ts',
        '      this.#tell(after);\n      return { payment: after, changed: true };',
        '      this.#tell(after);\n      await this.#store.commit({ put: await this.#noticesFor(before, after, nowMs) });\n      return { payment: after, changed: true };',
      ),
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'a settled payment takes another outcome',
    edits: replaced(
      'src/core/payments/after-check.ts',
      '  if (isSettled(payment)) return afterLateCheck(checked, finding);\n',
      '',
    ),
    caughtBy: 'simulation',
  },
  {
    name: "leases go by each instance's own clock",
    edits: replaced(
      'src/core/store/postgres/time-source.ts',
      'export const databaseTime: GivenTime = () => null;',
      'export const databaseTime: GivenTime = (nowMs) => nowMs;',
    ),
    caughtBy: ['test/core/store/postgres/instances.test.ts'],
  },
  {
    name: 'an event that Slack delivers again is dropped by its retry header',
    edits: replaced(
      'src/bots/slack/http-endpoint.ts',
      'const isSignedAtAnotherTime = (request: IncomingMessage): boolean =>\n',
      "const isSignedAtAnotherTime = (request: IncomingMessage): boolean =>\n  request.headers['x-slack-retry-num'] !== undefined ||\n",
    ),
    caughtBy: ['test/bots/slack/http.test.ts', 'test/journeys/slack.test.ts'],
  },
  {
    name: "retries of Slack's SDK are on",
    edits: replaced(
      'src/bots/slack/web-clients.ts',
      'retryConfig: { retries: 0 },',
      'retryConfig: { retries: 3, minTimeout: 10, maxTimeout: 20 },',
    ),
    caughtBy: ['test/bots/slack/outbound.test.ts'],
  },
  {
    name: 'a name grants what an id should',
    edits: replaced(
      'src/commands/access/role-membership.ts',
      "kind === 'person' && id === caller.id)",
      "kind === 'person' && (id === caller.id || id === caller.name))",
    ),
    caughtBy: ['test/commands/access/access.test.ts', 'test/properties/access.test.ts'],
  },
  {
    name: 'amounts pass through a float',
    edits: replaced(
      'src/core/values/money.ts',
      'return minor.ok ? parsed({ amountMinor: minor.value, currency: currency.value }) : minor;',
      'return minor.ok ? parsed({ amountMinor: Math.floor((minor.value / 100) * 100), currency: currency.value }) : minor;',
    ),
    caughtBy: ['test/core/values/money.test.ts', 'test/properties/money.test.ts'],
  },
  {
    name: '"<" is not escaped for Telegram',
    edits: replaced('src/bots/telegram/escape.ts', "    .replaceAll('<', '&lt;')\n", ''),
    caughtBy: ['test/bots/telegram/card-to-html.test.ts', 'test/properties/shown-cards.test.ts'],
  },
  {
    name: 'callback signatures are compared by ===',
    edits: replaced(
      'src/core/callbacks/callbacks.ts',
      'return one.length === other.length && timingSafeEqual(one, other);',
      'return one.length === other.length && expected === given;',
    ),
    caughtBy: ['test/layers.test.ts'],
  },
  {
    name: 'redirects of the service are followed',
    edits: replaced('src/core/gateway/post-json.ts', "redirect: 'manual',", "redirect: 'follow',"),
    caughtBy: ['test/core/gateway/faults.test.ts', 'test/core/gateway/client.test.ts'],
  },
  {
    name: 'Retry-After is waited for however long',
    edits: replaced(
      'src/core/payments/payment-submitter.ts',
      'const LONGEST_RATE_LIMIT_WAIT_MS = 60_000;',
      'const LONGEST_RATE_LIMIT_WAIT_MS = 1e12;',
    ),
    caughtBy: ['test/core/payments/life.test.ts'],
  },
  {
    name: 'checks do not keep to the rate',
    edits: replaced(
      'src/core/gateway/client.ts',
      'await queue.take(share, sendByMs - askedAtMs)',
      'true',
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'a notice is removed before it is sent',
    edits: replaced(
      'src/core/notices/notices.ts',
      'const delivery = await this.#deliver(notice, isOurs);',
      "await this.#done(notice, 'delivered');\n      const delivery = await this.#deliver(notice, isOurs);",
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'instances change the schema without a lock',
    edits: replaced(
      'src/core/store/postgres/migrations.ts',
      "  await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);\n",
      '',
    ),
    caughtBy: [
      'test/core/store/postgres/instances.test.ts',
      'test/core/store/postgres/postgres-store.test.ts',
    ],
  },
  {
    name: 'a failed flush is tried again',
    edits: replaced(
      'src/core/store/journal.ts',
      '    await file.datasync();\n',
      '    await file.datasync().catch(() => file.datasync());\n',
    ),
    caughtBy: ['test/core/store/disk-failure.test.ts', 'test/core/store/disk-faults.test.ts'],
  },
  {
    name: 'a button confirms what it did not show',
    edits: replaced(
      'src/commands/charge/charge-presses.ts',
      'if (revision !== (draft.revision ?? 0)) return showAgain(draft, context);\n    if (neededApproval(',
      'if (neededApproval(',
    ),
    caughtBy: ['test/commands/charge/charge-again.test.ts'],
  },
  {
    name: 'an older edit stands on the card for good',
    edits: replaced('src/commands/notices/messenger.ts', ": { kind: 'overtaken' };", ': delivery;'),
    caughtBy: ['test/commands/notices/messenger.test.ts'],
  },
  {
    name: 'audit rows are stored in a second commit',
    edits: replaced(
      'src/core/payments/payments.ts',
      '        audit: [auditRow(before, after, event, cause, nowMs)],\n',
      '',
    ).concat(
      replaced(
        'src/core/payments/payments.ts',
        '      this.#tell(after);\n      return { payment: after, changed: true };',
        '      this.#tell(after);\n      await this.#store.commit({ audit: [auditRow(before, after, event, cause, nowMs)] });\n      return { payment: after, changed: true };',
      ),
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'a request goes out again on a second connection',
    edits: replaced(
      'src/core/gateway/single-use-connection.ts',
      "        if (phase !== 'idle') return callback(new Error('A line connects only once'), null);\n",
      '',
    ),
    caughtBy: ['test/core/gateway/faults.test.ts', 'test/core/gateway/client.test.ts'],
  },
  {
    name: 'a reference turns a charge into a payout',
    edits: replaced(
      'src/core/gateway/client.ts',
      "trans_type: 'CTM',",
      "trans_type: /MTC/.test(request.reference) ? 'MTC' : 'CTM',",
    ),
    caughtBy: ['test/properties/gateway-requests.test.ts'],
  },
  {
    name: 'the body of a callback is logged',
    edits: replaced(
      'src/core/callbacks/hint-recorder.ts',
      'const message = hintMessage(body);',
      "const message = hintMessage(body);\n    this.#log.info({ body }, 'a callback');",
    ),
    caughtBy: ['test/core/callbacks/callbacks.test.ts'],
  },
  {
    name: 'health says only that the process is alive',
    edits: replaced(
      'src/core/http/health-pages.ts',
      'const lateMs = await health.lateMs();',
      'await health.lateMs();\n    const lateMs = 0;',
    ),
    caughtBy: ['test/core/http/listener.test.ts'],
  },
  {
    name: 'nobody looks again after a payment failed',
    edits: replaced(
      'src/core/payments/payments.ts',
      'const isNew = isSettled(after) && !isSettled(before) && after.submittedAtMs !== undefined;',
      "const isNew = isSettled(after) && after.state !== 'failed' && !isSettled(before) && after.submittedAtMs !== undefined;",
    ),
    caughtBy: 'simulation',
  },
  {
    name: 'two presses at the same moment do not see each other',
    edits: replaced('src/core/payments/payments.ts', '        ...guards,\n', ''),
    caughtBy: ['test/commands/charge/charge-again.test.ts'],
  },
  {
    name: 'payments that were on their way are forgotten at the next start',
    edits: replaced(
      'src/core/payments/payment-submitter.ts',
      RECOVERY,
      "for await (const { id } of everyPayment(this.#store, { states: ['submitting'] }, PAGE)) this.#log.debug({ id });",
    ),
    caughtBy: ['test/core/payments/life.test.ts'],
  },
  {
    name: 'an approval that is not given in time ends without a word',
    edits: replaced(
      'src/core/payments/expire-records.ts',
      "  if (kind === 'draft' && (await drafts.runOut(record))) return;\n",
      '',
    ),
    caughtBy: ['test/commands/charge/approvals.test.ts'],
  },
  {
    name: 'the time for an approval began with the question to the requester',
    edits: replaced(
      'src/core/payments/drafts.ts',
      'const expiresAtMs = nowMs + this.#confirmWithinMs;',
      'const { expiresAtMs } = draft;',
    ),
    caughtBy: ['test/commands/charge/approvals.test.ts'],
  },
  {
    name: 'the question to approvers keeps its buttons after the approval',
    edits: replaced(
      'src/core/notices/approval-notices.ts',
      "  edit(draft, nowMs, 'approval'),\n",
      '',
    ),
    caughtBy: ['test/commands/charge/approvals.test.ts'],
  },
];
