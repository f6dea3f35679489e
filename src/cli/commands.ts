import type { ShellCommand } from './shell-command.ts';

/** Every command by its name, in the order of the help. `load` imports that one alone, which keeps the start fast. */
export const COMMANDS: Readonly<
  Record<string, { readonly summary: string; readonly load: () => Promise<ShellCommand> }>
> = {
  start: {
    summary: 'runs Paythread, as it does without a command',
    load: async () => (await import('./start.ts')).start,
  },
  doctor: {
    summary: 'checks every setting against the real services',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  manifest: {
    summary: 'prints the manifest of the chat app',
    load: async () => (await import('./manifest.ts')).manifest,
  },
  access: {
    summary: 'checks the access file, and shows what a person may do',
    load: async () => (await import('./access.ts')).access,
  },
  audit: {
    summary: 'checks the audit trail, and shows what happened to a payment',
    load: async () => (await import('./audit.ts')).audit,
  },
  backup: {
    summary: 'copies the store to a new folder, while Paythread runs or not',
    load: async () => (await import('./backup.ts')).backup,
  },
  restore: {
    summary: 'puts a backup back; charges then wait for reconcile',
    load: async () => (await import('./restore.ts')).restore,
  },
  reconcile: {
    summary: 'asks the payment service what a restore may have lost',
    load: async () => (await import('./reconcile.ts')).reconcile,
  },
  forget: {
    summary: "erases a customer's number and name, and keeps what was paid",
    load: async () => (await import('./forget.ts')).forget,
  },
  export: {
    summary: 'writes payments to standard output as CSV, with whole numbers',
    load: async () => (await import('./export.ts')).exportPayments,
  },
  migrate: {
    summary: 'makes the tables in PostgreSQL, as their owner',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  'migrate-store': {
    summary: 'moves the embedded store to PostgreSQL',
    load: async () => (await import('./migrate-store.ts')).migrateStore,
  },
};
