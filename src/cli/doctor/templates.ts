import { fieldsIn, mostParts, type Templates } from '../../commands/sms/templates.ts';
import { readTemplatesFile } from '../../commands/sms/templates-file.ts';
import type { Config } from '../../config/config.ts';
import type { Examined } from './examined.ts';

/** The templates of SMS: whether the file can be read, what each costs, and whether receipts can be sent. */
export const examineTemplates = async ({ config, findings }: Examined): Promise<void> => {
  const { sms } = config;
  const read = await readTemplatesFile(sms.templatesFile, sms);
  if (!read.ok) {
    for (const problem of read.problems)
      findings.wrong(
        `The templates file ${sms.templatesFile}: ${problem}`,
        'Correct that line; templates.example.yml shows how it looks.',
      );
    return;
  }
  const templates = read.value;
  examineReceipts(sms, templates, findings);
  if (templates.size === 0) return findings.note('There are no SMS templates.');
  const link = templates.get('link');
  if (link !== undefined && !fieldsIn(link.text).includes('link'))
    findings.wrong(
      'The template link has no {link}, so its SMS brings no link.',
      'Write {link} into its text.',
    );
  const costs = [...templates.values()].map(
    (template) => `${template.name} (up to ${mostParts(template, sms.shop)} SMS)`,
  );
  findings.note(`Templates: ${costs.join(', ')}.`);
};

const examineReceipts = (
  { receipt, senderIds, templatesFile }: Config['sms'],
  templates: Templates,
  findings: Examined['findings'],
): void => {
  if (templates.size > 0 && senderIds.length === 0)
    findings.wrong(
      'There are SMS templates, but SMS_SENDER_ID is not set.',
      'Set SMS_SENDER_ID to a sender id that the payment service has approved.',
    );
  if (receipt === 'always' && !templates.has('receipt'))
    findings.wrong(
      'RECEIPT is always, but there is no template receipt.',
      `Write one into ${templatesFile}; templates.example.yml has an example.`,
    );
};
