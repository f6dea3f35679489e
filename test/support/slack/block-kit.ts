import { z } from 'zod';

/**
 * Block Kit's documented limits, checked strictly: an unknown field, an empty text, one character too many
 * or a token that could come alive is a complaint, as it would be `invalid_blocks` in Slack. Only the blocks
 * that a bot of ours may use are known.
 */

const LONGEST_MESSAGE_TEXT = 4_000;
/** Slack refused 11,341 characters; below this nothing was refused. */
const LONGEST_BLOCK_TEXTS = 10_000;

/** Mentions of a person or a user group are the only live tokens allowed; broadcasts, links and bare signs are not. */
const MENTION = /<(@[UW]|!subteam\^S)[A-Z0-9]+>/g;

const harmless = (text: string): boolean =>
  !/[<>]|&(?!amp;|lt;|gt;)/.test(text.replaceAll(MENTION, ''));

const id = z.string().min(1).max(255);
const visible = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => text.trim() !== '', 'must have a visible text')
    .refine((text) => text.isWellFormed(), 'has half a character');

const plainText = (longest: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: visible(longest),
    emoji: z.boolean().optional(),
  });

const mrkdwn = (longest: number) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: visible(longest).refine(harmless, 'has a live token or a bare &'),
    verbatim: z.boolean().optional(),
  });

const anyText = (longest: number) => z.union([plainText(longest), mrkdwn(longest)]);

const button = z.strictObject({
  type: z.literal('button'),
  text: plainText(75),
  action_id: id,
  value: z.string().min(1).max(2_000).optional(),
  url: z.url().max(3_000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});

const option = z.strictObject({ text: plainText(75), value: z.string().min(1).max(150) });

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    action_id: id,
    placeholder: plainText(150).optional(),
    options: z.array(option).min(1).max(100),
    initial_option: option.optional(),
  })
  .refine(
    ({ options, initial_option: initial }) =>
      initial === undefined ||
      options.some((each) => each.value === initial.value && each.text.text === initial.text.text),
    'initial_option is none of the options',
  )
  .refine(({ options }) => allDifferent(options.map(({ value }) => value)), 'values repeat');

const plainTextInput = z.strictObject({
  type: z.literal('plain_text_input'),
  action_id: id,
  multiline: z.boolean().optional(),
  initial_value: z.string().min(1).max(3_000).optional(),
  placeholder: plainText(150).optional(),
});

const conversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  action_id: id,
  placeholder: plainText(150).optional(),
  initial_conversation: z
    .string()
    .regex(/^[CG][A-Z0-9]+$/)
    .optional(),
  filter: z
    .strictObject({
      include: z.array(z.enum(['im', 'mpim', 'private', 'public'])).min(1),
      exclude_external_shared_channels: z.boolean().optional(),
      exclude_bot_users: z.boolean().optional(),
    })
    .optional(),
});

const style = z.strictObject({
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  strike: z.boolean().optional(),
  code: z.boolean().optional(),
});

const richElement = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: z
      .string()
      .min(1)
      .refine((text) => text.isWellFormed(), 'has half a character'),
    style: style.optional(),
  }),
  z.strictObject({ type: z.literal('user'), user_id: z.string().regex(/^[UW][A-Z0-9]+$/) }),
  z.strictObject({
    type: z.literal('usergroup'),
    usergroup_id: z.string().regex(/^S[A-Z0-9]+$/),
  }),
  z.strictObject({
    type: z.literal('channel'),
    channel_id: z.string().regex(/^[CG][A-Z0-9]+$/),
  }),
  z.strictObject({
    type: z.literal('link'),
    url: z.url(),
    text: z.string().min(1).optional(),
    style: style.optional(),
  }),
]);
const richElements = z.array(richElement).min(1);
const richSection = z.strictObject({
  type: z.literal('rich_text_section'),
  elements: richElements,
});

const blockId = { block_id: id.optional() };

const header = z.strictObject({ type: z.literal('header'), text: plainText(150), ...blockId });
const divider = z.strictObject({ type: z.literal('divider'), ...blockId });
const section = z
  .strictObject({
    type: z.literal('section'),
    text: anyText(3_000).optional(),
    fields: z.array(anyText(2_000)).min(1).max(10).optional(),
    ...blockId,
  })
  .refine(({ text, fields }) => text !== undefined || fields !== undefined, 'is empty');
const context = z.strictObject({
  type: z.literal('context'),
  elements: z.array(anyText(3_000)).min(1).max(10),
  ...blockId,
});
const actions = z
  .strictObject({
    type: z.literal('actions'),
    elements: z.array(button).min(1).max(25),
    ...blockId,
  })
  .refine(
    ({ elements }) => allDifferent(elements.map(({ action_id }) => action_id)),
    'action ids repeat',
  );
const richText = z.strictObject({
  type: z.literal('rich_text'),
  elements: z
    .array(
      z.discriminatedUnion('type', [
        richSection,
        z.strictObject({ type: z.literal('rich_text_preformatted'), elements: richElements }),
        z.strictObject({ type: z.literal('rich_text_quote'), elements: richElements }),
        z.strictObject({
          type: z.literal('rich_text_list'),
          style: z.enum(['bullet', 'ordered']),
          elements: z.array(richSection).min(1),
        }),
      ]),
    )
    .min(1),
  ...blockId,
});
const input = z.strictObject({
  type: z.literal('input'),
  label: plainText(2_000),
  element: z.discriminatedUnion('type', [plainTextInput, staticSelect, conversationsSelect]),
  hint: plainText(2_000).optional(),
  optional: z.boolean().optional(),
  ...blockId,
});

const messageBlock = z.discriminatedUnion('type', [
  header,
  divider,
  section,
  context,
  actions,
  richText,
]);
const modalBlock = z.discriminatedUnion('type', [
  header,
  divider,
  section,
  context,
  actions,
  richText,
  input,
]);

export type MessageBlock = z.infer<typeof messageBlock>;

export type Button = z.infer<typeof button>;

const message = z.object({
  text: visible(LONGEST_MESSAGE_TEXT).refine(harmless, 'has a live token or a bare &'),
  blocks: z
    .array(messageBlock)
    .max(50)
    .refine((blocks) => textLength(blocks) <= LONGEST_BLOCK_TEXTS, 'has too much text in all')
    .optional(),
});

const modal = z
  .strictObject({
    type: z.literal('modal'),
    title: plainText(24),
    submit: plainText(24).optional(),
    close: plainText(24).optional(),
    callback_id: id.optional(),
    private_metadata: z.string().max(3_000).optional(),
    blocks: z.array(modalBlock).min(1).max(100),
  })
  .refine(
    ({ submit, blocks }) => submit !== undefined || blocks.every(({ type }) => type !== 'input'),
    'has inputs and no submit',
  )
  .refine(
    ({ blocks }) => allDifferent(blocks.flatMap(({ block_id }) => block_id ?? [])),
    'block ids repeat',
  );
export type Modal = z.infer<typeof modal>;

const home = z.strictObject({
  type: z.literal('home'),
  blocks: z.array(messageBlock).min(1).max(100),
});

const metadata = z.strictObject({
  event_type: z.string().min(1).max(255),
  event_payload: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/** What is wrong with a message's text, blocks and metadata; empty when Slack would take them. */
export const messageComplaints = (args: Record<string, unknown>): string[] => [
  ...complaints(message, args),
  ...(args.metadata === undefined ? [] : complaints(metadata, args.metadata)),
];

/** What is wrong with a modal; empty when Slack would open it. */
export const modalComplaints = (view: unknown): string[] => complaints(modal, view);

/** What is wrong with a Home tab; empty when Slack would publish it. */
export const homeComplaints = (view: unknown): string[] => complaints(home, view);

/** The blocks of a view that passed {@link homeComplaints}. */
export const asHomeBlocks = (view: unknown): MessageBlock[] => home.parse(view).blocks;

/** A view that passed {@link modalComplaints}. */
export const asModal = (view: unknown): Modal => modal.parse(view);

/** Blocks that passed {@link messageComplaints}. */
export const asBlocks = (blocks: unknown): MessageBlock[] =>
  z.array(messageBlock).parse(blocks ?? []);

const complaints = (schema: z.ZodType, value: unknown): string[] => {
  const result = schema.safeParse(value);
  return result.success ? [] : [z.prettifyError(result.error)];
};

const allDifferent = (values: readonly string[]): boolean => new Set(values).size === values.length;

const textLength = (value: unknown): number => {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + textLength(each), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'text' in value && typeof value.text === 'string' ? value.text.length : 0;
  return own + Object.values(value).reduce((sum: number, each) => sum + textLength(each), 0);
};
