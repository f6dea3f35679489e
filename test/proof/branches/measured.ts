/** Where a branch nobody tried may cost money: all of them have to be tried. */
export const MEASURED = [
  'src/core/payments/transitions.ts',
  'src/core/payments/check-schedule.ts',
  'src/core/notices/owed-notices.ts',
  'src/core/values/money.ts',
  'src/core/values/customer-number.ts',
  'src/core/values/csv-line.ts',
  'src/core/callbacks/callbacks.ts',
  'src/core/http/callback-endpoint.ts',
  'src/bots/sanitise.ts',
  'src/bots/slack/markup.ts',
  'src/bots/telegram/card-to-html.ts',
  'src/commands/access/access.ts',
  'src/commands/access/access-file.ts',
  'src/commands/access/grants.ts',
  'src/commands/access/membership-answers.ts',
  'src/commands/access/role-membership.ts',
  'src/bots/slack/slack-directory.ts',
  'src/bots/telegram/message-author.ts',
  'src/bots/telegram/read-update.ts',
] as const;

/** The tests that try them. The properties are left out: what is covered must not depend on chance. */
export const TESTS = [
  'test/core/payments/{transitions,check-schedule,given-back}.test.ts',
  'test/core/notices/{owed-notices,notify-rules,mirrored-payments}.test.ts',
  'test/core/{values,callbacks,http}/{money,customer-number,csv-line,callbacks,callback-flood,listener,listener-abuse}.test.ts',
  'test/bots/slack/{card-to-blocks,form-to-modal,text-as-typed,guests,person-names,ttl-cache,user-groups,home-tab,picked-place,greeting}.test.ts',
  'test/bots/telegram/{card-to-html,inbound,presses,answers,press-answer,captions,webhook,links,forms,greeting,replies}.test.ts',
  'test/commands/access/{access,access-file,changed-access-file,suspend,ask-access,shop-sections}.test.ts',
  'test/commands/{sms/payment-texts,notify/notify,bulk/bulk,payments/given-back,payments/payment-note}.test.ts',
  'test/bots/receive-file.test.ts',
  'test/journeys/{access-and-quiet,approvals-everywhere,slack-home,slack-shortcuts,telegram-access}.test.ts',
];
