import { type PlantedBug, replaced } from './planted-bug.ts';

/** The controls of test/THREATS.md, each switched off in the smallest way. */
export const SWITCHED_OFF: readonly PlantedBug[] = [
  {
    name: 'any address takes callbacks',
    edits: replaced('src/core/callbacks/callbacks.ts', '.includes(true);', '.length > 0;'),
  },
  {
    name: 'every callback brings a status check of its own',
    edits: replaced(
      'src/core/payments/check-schedule.ts',
      'return lastCheckAtMs > nowMs ? nowMs : Math.max(nowMs, lastCheckAtMs + spacingMs);',
      'return Math.min(nowMs, lastCheckAtMs + nowMs + spacingMs);',
    ),
  },
  {
    name: 'every callback is kept with its whole body',
    edits: replaced(
      'src/core/callbacks/hint-recorder.ts',
      'const MOST_KEPT = 5;',
      'const MOST_KEPT = 1e9;',
    ),
  },
  {
    name: 'callbacks that were counted bring no check any more',
    edits: replaced(
      'src/core/callbacks/hint-recorder.ts',
      'isWritten ||= this.#opensTally(id) || !addsOnlyACount(before, after);',
      'isWritten ||= this.#opensTally(id) && !addsOnlyACount(before, after);',
    ),
  },
  {
    name: 'a callback may be of any length',
    edits: replaced(
      'src/core/http/callback-endpoint.ts',
      'const LARGEST_CALLBACK_BYTES = 64 * 1024;',
      'const LARGEST_CALLBACK_BYTES = 1e12;',
    ),
  },
  {
    name: 'unsigned bodies are held without a bound',
    edits: replaced(
      'src/core/http/unverified-bodies.ts',
      'this.#heldBytes + length > this.#mostBytes',
      'this.#heldBytes + length < 0',
    ),
  },
  {
    name: 'an unsigned body may be of any length',
    edits: replaced(
      'src/bots/slack/http-endpoint.ts',
      'const LARGEST_BODY_BYTES = 256 * 1024;',
      'const LARGEST_BODY_BYTES = 1e12;',
    ),
  },
  {
    name: 'slow senders are waited for as long as Node does',
    edits: replaced('src/core/http/listener.ts', '        ...timeouts,\n', ''),
  },
  {
    name: 'one sender may hold any number of connections',
    edits: replaced(
      'src/core/http/connection-cap.ts',
      'const CONNECTIONS_PER_SENDER = 512;',
      'const CONNECTIONS_PER_SENDER = 1e9;',
    ),
  },
  {
    name: 'refusals are not limited',
    edits: replaced(
      'src/core/http/client-error-limit.ts',
      'const BURST = 100;',
      'const BURST = 1e9;',
    ),
  },
  {
    name: "Slack's signature is not looked at",
    edits: replaced(
      'src/bots/slack/http-endpoint.ts',
      '      signingSecret: options.signingSecret,\n',
      '      signingSecret: options.signingSecret,\n      signatureVerification: false,\n',
    ),
  },
  {
    name: 'requests may be signed ahead of time',
    edits: replaced(
      'src/bots/slack/http-endpoint.ts',
      'const LARGEST_SKEW_SECONDS = 5 * 60;',
      'const LARGEST_SKEW_SECONDS = 1e12;',
    ),
  },
  {
    name: "any secret of the right length is Telegram's",
    edits: replaced(
      'src/bots/telegram/webhook.ts',
      'timingSafeEqual(hash(given), hash(secret));',
      'hash(given).length === hash(secret).length && given.length === secret.length;',
    ),
  },
  {
    name: 'an empty secret of the webhook lets everybody in',
    edits: replaced('src/bots/telegram/webhook.ts', "secret !== '' && ", ''),
  },
  {
    name: "anybody may press somebody else's button",
    edits: replaced(
      'src/commands/draft-buttons.ts',
      'if (draft?.requester.platform !== caller.platform || draft.requester.id !== caller.id) {',
      'if (draft?.requester.platform !== caller.platform) {',
    ),
  },
  {
    name: 'a press is not asked whether it is still granted',
    edits: replaced(
      'src/commands/router.ts',
      'const isFree = checksAccessItself === true || this.#allowed(command, context);',
      'const isFree = checksAccessItself !== false;',
    ),
  },
  {
    name: 'anybody may say why an approver refused',
    edits: replaced(
      'src/commands/charge/refusal-reason.ts',
      'if (by.id !== caller.id) {',
      "if (caller.id === '') {",
    ),
  },
  {
    name: 'people of other workspaces are served',
    edits: replaced(
      'src/bots/slack/dispatcher.ts',
      'return teams.some((team) => team !== undefined && team !== this.#identity.teamId);',
      "return teams.some((team) => team === '' && team !== this.#identity.teamId);",
    ),
  },
  {
    name: 'mentions in channels shared with other companies are served',
    edits: replaced(
      'src/bots/slack/dispatcher.ts',
      '    if (said.is_ext_shared_channel === true) return this.#refusals.sharedChannel(inbound);\n',
      '',
    ),
  },
  {
    name: 'guests count as members',
    edits: replaced(
      'src/commands/access/role-membership.ts',
      'if (isGuest === false) return there;',
      "if (isGuest !== 'not told') return there;",
    ),
  },
  {
    name: 'guests count as members when the app may not ask',
    edits: replaced(
      'src/bots/slack/guests.ts',
      'failure.code === NO_ACCOUNTS',
      "[NO_ACCOUNTS, 'missing_scope'].includes(failure.code)",
    ),
  },
  {
    name: 'other bots are obeyed in Slack',
    edits: replaced(
      'src/bots/slack/dispatcher.ts',
      'if (user === undefined || byBot || notNew) return undefined;',
      'if (user === undefined || notNew) return undefined;',
    ),
  },
  {
    name: 'forwarded messages are obeyed in Telegram',
    edits: replaced(
      'src/bots/telegram/writer.ts',
      "if (message.forward_origin !== undefined || 'forward_date' in message)",
      "if ('forward_date' in message)",
    ),
  },
  {
    name: 'who asked may approve',
    edits: replaced(
      'src/commands/charge/charge-presses.ts',
      'const isTheirs = caller.id === draft.requester.id;',
      "const isTheirs = caller.id === '';",
    ),
  },
  {
    name: 'amounts above maxCharge need nobody else',
    edits: replaced(
      'src/commands/charge/charge-limits.ts',
      'compareMoney(amount, maxCharge) > 0;',
      'maxCharge.amountMinor < 0;',
    ),
  },
  {
    name: 'the daily limit holds for each charge alone',
    edits: replaced(
      'src/commands/charge/charge-limits.ts',
      'if (compareMoney(addMoney(used, amount), dailyLimit) <= 0) return undefined;',
      'if (compareMoney(amount, dailyLimit) <= 0) return undefined;',
    ),
  },
  {
    name: 'presses of two people do not see each other in the total of their role',
    edits: replaced(
      'src/core/guards/limit-guards.ts',
      '    ...roles.map((role) => ',
      '    ...[].map((role: string) => ',
    ),
  },
  {
    name: "signs of Slack's markup come alive",
    edits: replaced(
      'src/bots/slack/plain-words.ts',
      ".replaceAll('&', '&amp;').replaceAll('<', '&lt;')",
      ".replaceAll('&', '&amp;')",
    ),
  },
  {
    name: 'marks that turn the writing round are shown in Slack',
    edits: replaced('src/bots/slack/plain-words.ts', '\\p{Bidi_Control}', ''),
  },
  {
    name: 'Slack opens links by itself to show what is behind them',
    edits: replaced('src/bots/slack/outbound.ts', 'unfurl_links: false', 'unfurl_links: true'),
  },
  {
    name: 'a charge is read out of a sentence',
    edits: replaced(
      'src/commands/charge/parse-charge.ts',
      "const words = text.split(' ');",
      "const words = text.replace(/^[a-z ]+/i, '').split(' ');",
    ),
  },
  {
    name: 'talk in a group is taken for words to the bot',
    edits: replaced(
      'src/bots/telegram/read-update.ts',
      "if (isForUs) return { kind: 'text', text };",
      "return { kind: 'text', text };",
    ),
  },
  {
    name: '"5²" is read as 52',
    edits: replaced(
      'src/core/values/normalise-input.ts',
      ".normalize('NFC')",
      ".normalize('NFKC')",
    ),
  },
  {
    name: 'the question does not say whose account it is',
    edits: replaced(
      'src/commands/charge/charge.ts',
      '...(customer.name === undefined ? {} : { customerName: customer.name }),',
      '',
    ),
  },
  {
    name: 'a suspension counts for nothing',
    edits: replaced(
      'src/commands/access/suspended-access.ts',
      'return suspended === undefined\n',
      "return suspended?.of !== ''\n",
    ),
  },
  {
    name: 'a confirmation on its way does not notice a suspension',
    edits: replaced(
      'src/core/guards/suspensions.ts',
      '        await guardPut({ store: this.#store, clock: this.#clock }, of, what),\n',
      '',
    ),
  },
  {
    name: 'an approval on its way does not notice that the approver was suspended',
    edits: replaced(
      'src/commands/charge/confirm-charge.ts',
      '      presser,\n',
      '      presser: caller,\n',
    ),
  },
  {
    name: 'what was confirmed and waits goes out after a suspension',
    edits: replaced(
      'src/core/guards/stopped-people.ts',
      'if (stopped === undefined) return undefined;',
      "if (stopped?.id !== '') return undefined;",
    ),
  },
  {
    name: 'full phone numbers are logged',
    edits: replaced(
      'src/core/runtime/masking.ts',
      'maskPhones(maskShapes(hideSecrets(text)))',
      'maskShapes(hideSecrets(text))',
    ),
  },
  {
    name: 'the log says what the service answered, word for word',
    edits: replaced(
      'src/core/payments/payment-submitter.ts',
      '{ payment: id, ...loggedOutcome(outcome) }',
      '{ payment: id, ...loggedOutcome(outcome), outcome }',
    ),
  },
  {
    name: 'our own secrets are logged',
    edits: replaced(
      'src/core/runtime/masking.ts',
      'maskPhones(maskShapes(hideSecrets(text)))',
      "maskPhones(text === '' ? hideSecrets(maskShapes(text)) : text)",
    ),
  },
  {
    name: 'others on the machine may read the store',
    edits: replaced(
      'src/core/store/disk.ts',
      'const FILE_MODE = 0o600;',
      'const FILE_MODE = 0o644;',
    ),
  },
  {
    name: 'others on the machine may read the log',
    edits: replaced(
      'src/core/runtime/log.ts',
      'chmodSync(file, 0o600);',
      'chmodSync(file, 0o644);',
    ),
  },
  {
    name: 'what is typed is not looked through for cards',
    edits: replaced(
      'src/commands/router.ts',
      'if (!typed.some(isCardTyped)) return handle();',
      'if (typed.length > 0) return handle();',
    ),
  },
  {
    name: 'what is typed into a modal is not looked through for cards',
    edits: replaced(
      'src/commands/forms/form.ts',
      'isCardTyped(answer) ? neverTypeCards() : field.check(answer, answers)',
      'field.check(answer, answers)',
    ),
  },
  {
    name: 'captions are not looked through for cards',
    edits: replaced(
      'src/bots/telegram/read-update.ts',
      'if (isForUs && isCardTyped(caption))',
      "if (caption === '4111')",
    ),
  },
  {
    name: 'a line of the log may order a terminal about',
    edits: replaced('src/core/runtime/log.ts', '.replace(UNSAFE, escaped)}\\n`;', '}\\n`;'),
  },
  {
    name: 'a changed line of the journal is not noticed',
    edits: replaced(
      'src/core/store/sealed-json.ts',
      "return bytes.toString('latin1', sealAt) === sealWith(sum)",
      "return bytes.toString('latin1', sealAt) !== sum",
    ),
  },
  {
    name: 'the audit trail of the database can be changed',
    edits: replaced(
      'src/core/store/postgres/migrations/0001-records-and-audit.sql',
      'CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit',
      'CREATE TRIGGER audit_stays BEFORE TRUNCATE ON audit',
    ),
  },
  {
    name: 'the audit trail is offered as a spreadsheet',
    edits: replaced(
      'src/cli/audit-report.ts',
      'export const auditReport =',
      "export const AS_TABLE = 'text/csv';\n\nexport const auditReport =",
    ),
  },
  {
    name: 'an earlier charge is not mentioned',
    edits: replaced('src/commands/charge/charge.ts', 'repeats.slice(0, 1)', 'repeats.slice(0, 0)'),
  },
  {
    name: 'any certificate will do',
    edits: replaced(
      'src/core/gateway/single-use-connection.ts',
      'rejectUnauthorized: true,',
      'rejectUnauthorized: false,',
    ),
  },
  {
    name: 'plain http is good enough for a real service',
    edits: replaced(
      'src/config/formats.ts',
      "return protocol === 'https:' || isLoopback(hostname);",
      "return protocol !== '' || isLoopback(hostname);",
    ),
  },
  {
    name: 'answers go to any address that a request names',
    edits: replaced(
      'src/bots/slack/response-url.ts',
      "return ofApi || (protocol === 'https:' && SLACK.test(hostname));",
      "return ofApi || hostname !== '';",
    ),
  },
  {
    name: 'people without any grant are answered like everyone else',
    edits: replaced(
      'src/commands/router.ts',
      'surface = surface.sparing ?? surface;',
      "this.#log.debug({}, 'no grant');",
    ),
  },
  {
    name: 'a private message is edited at any address that is stored',
    edits: replaced(
      'src/bots/slack/outbound.ts',
      'if (!isSlacks(ref.message, this.#apiUrl))',
      "if (ref.message === '')",
    ),
  },
  {
    name: 'an address in a callback is asked',
    edits: replaced(
      'src/core/callbacks/hint-recorder.ts',
      'const message = hintMessage(body);',
      'const message = hintMessage(body);\n    if (body.length < 0) void fetch(body);',
    ),
  },
  {
    name: 'a forged address is told from an unknown one',
    edits: replaced(
      'src/core/http/callback-endpoint.ts',
      '    answer(response, NOT_FOUND);\n    return;',
      "    answer(response, token.length === 64 ? { ...NOT_FOUND, text: 'forged' } : NOT_FOUND);\n    return;",
    ),
  },
  {
    name: 'what begins like a signature is looked at again',
    edits: replaced(
      'src/core/callbacks/callbacks.ts',
      '.map((secret) => sameText(signature(secret, paymentId), token))',
      '.map((secret) => token.startsWith(signature(secret, paymentId).slice(0, 4)) && sameText(signature(secret, paymentId), token))',
    ),
  },
  {
    name: 'of two amounts under one name the last one counts',
    edits: replaced(
      'src/core/gateway/schemas.ts',
      'return written === kept ? parsed : undefined;',
      'return written >= kept ? parsed : undefined;',
    ),
  },
  {
    name: 'numbers of the service pass through a float',
    edits: replaced(
      'src/core/gateway/schemas.ts',
      "return typeof value === 'number' ? (context.source ?? String(value)) : value;",
      "return typeof value === 'number' && context.source !== '' ? String(value) : value;",
    ),
  },
  {
    name: 'a package may be newer than the one that was looked at',
    edits: replaced('package.json', '"zod": "', '"zod": "^'),
  },
  {
    name: 'one more package may run something while it is installed',
    edits: replaced('package.json', '"node": true,', '"node": true,\n    "zod": true,'),
  },
  {
    name: 'secrets are read from files that are open to others',
    edits: replaced('src/config/file-rights.ts', '(mode & 0o077) !== 0;', '(mode & 0o777) === 0;'),
  },
  {
    name: 'the role in the database has to be able to change the audit trail',
    edits: replaced(
      'src/core/store/postgres/server-checks.ts',
      "('audit', 'SELECT, INSERT')",
      "('audit', 'SELECT, INSERT, UPDATE')",
    ),
  },
  {
    name: 'only the first secret of callbacks counts',
    edits: replaced(
      'src/core/callbacks/callbacks.ts',
      'return this.#secrets\n',
      'return this.#secrets\n      .slice(0, 1)\n',
    ),
  },
  {
    name: 'whole names and numbers stand where others read along',
    edits: replaced('src/commands/cards/visibility.ts', ": 'others too';", ": 'one person';"),
  },
  {
    name: 'anybody may reveal a number',
    edits: replaced(
      'src/commands/cards/reveal.ts',
      "if (!grants.reveal && !(isTheirs && grants.may('charge'))) {",
      "if (!isTheirs && caller.id === '') {",
    ),
  },
  {
    name: 'what goes elsewhere is as whole as where it was typed',
    edits: replaced(
      'src/commands/notices/messenger.ts',
      'audienceOf(shownIn, requester, conversation)',
      'audienceOf(conversation, requester, conversation)',
    ),
  },
  {
    name: 'approvers read whole numbers and names',
    edits: replaced(
      'src/commands/charge/approval-card.ts',
      "chargeFacts(draft, 'others too')",
      "chargeFacts(draft, 'one person')",
    ),
  },
  {
    name: 'balances are told to the group',
    edits: replaced('src/commands/balance.ts', 'surface.whisper(', 'surface.say('),
  },
  {
    name: 'a forgotten number is looked for as it is stored, and in no other way of writing it',
    edits: replaced(
      'src/core/privacy/erasure.ts',
      'text.replace(inText, pseudonym)',
      'text.replace(number, pseudonym)',
    ),
  },
  {
    name: 'what the service wrote about a forgotten customer stays but for the names of the lookup',
    edits: replaced(
      'src/core/privacy/erasure.ts',
      'if (FOREIGN_TEXTS.has(key)) return undefined;',
      "if (FOREIGN_TEXTS.has(key) && text === '') return undefined;",
    ),
  },
  {
    name: 'a forgotten payment keeps its version',
    edits: replaced('src/core/privacy/forgotten-records.ts', 'version: version + 1', 'version'),
  },
  {
    name: 'a month that was made anew is believed whatever it ends with',
    edits: replaced('src/core/store/seams.ts', 'return reached.has(is);', 'return true;'),
  },
  {
    name: 'what has no outcome loses its customer with age',
    edits: replaced('src/core/privacy/retention.ts', '  isSettled(payment) &&\n', ''),
  },
  {
    name: 'what is stored is sent without a look at its seal',
    edits: [
      ...replaced(
        'src/core/payments/payment-submitter.ts',
        "    if (!this.#seal.isOn(payment)) return this.#withhold(payment.id, 'given up');\n",
        '',
      ),
      ...replaced(
        'src/core/payments/payment-submitter.ts',
        "    if (!this.#seal.isOn(recorded.payment)) return this.#withhold(id, 'not sent');\n",
        '',
      ),
    ],
  },
  {
    name: 'the seal says nothing of the amount',
    edits: replaced(
      'src/core/payments/confirmation-seal.ts',
      '    [amount.currency, amount.amountMinor],\n',
      '',
    ),
  },
  {
    name: 'people are asked for before any check',
    edits: replaced(
      'src/core/gateway/fair-queue.ts',
      "this.#servedLast === 'person' ? 'background' : 'person'",
      "'person'",
    ),
  },
  {
    name: 'a payment waits its turn among the questions',
    edits: replaced(
      'src/core/gateway/client.ts',
      "await ask('make_payment', 'money', ()",
      "await ask('make_payment', 'person', ()",
    ),
  },
  {
    name: 'a person may ask the service as often as they like',
    edits: replaced(
      'src/core/guards/question-budget.ts',
      'asked.length >= MOST_QUESTIONS',
      'false',
    ),
  },
  {
    name: 'a press counts without a look at what its question said',
    edits: replaced(
      'src/commands/draft-buttons.ts',
      '  if (!(await drafts.isAsShown(draft))) return { why: changedCard(draft), over: true };\n',
      '',
    ),
  },
  {
    name: 'the seal of a question does not say whether its requester pressed',
    edits: replaced(
      'src/core/payments/draft-seal.ts',
      '[id, revision, status],',
      '[id, revision],',
    ),
  },
  {
    name: 'an SMS is sent without a look at its seal',
    edits: replaced(
      'src/core/sms/sms-sender.ts',
      'if (!this.#seal.isOn(batch)) {',
      'if (this.#seal.isOn(batch) === undefined) {',
    ),
  },
  {
    name: 'what people without rights typed is gone through',
    edits: replaced(
      'src/commands/router.ts',
      'if (denial !== undefined) return context.surface.say(denial);\n      // Together',
      'if (denial !== undefined && !isCardTyped(words)) return context.surface.say(denial);\n      // Together',
    ),
  },
  {
    name: 'a text of any length is gone through',
    edits: replaced(
      'src/core/values/normalise-input.ts',
      'LONGEST_TYPED = 10_000',
      'LONGEST_TYPED = 1e7',
    ),
  },
  {
    name: 'links in links are unwrapped one at a time',
    edits: replaced(
      'src/core/values/normalise-input.ts',
      'pass < MAX_PASSES',
      'pass < text.length',
    ),
  },
];
