import type { Env } from './run-app.ts';
import { fileWith } from './secret-file.ts';

/** The settings of a shop that sends SMS, with these templates. */
export const templateSettings = async (templates: string): Promise<Env> => ({
  TEMPLATES_FILE: await fileWith(templates),
  SMS_SENDER_ID: 'SHOP',
  PAYMENTS_NICKNAME: 'Adjoa Stores',
});
