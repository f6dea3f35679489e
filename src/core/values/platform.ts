/** What an id of a platform names: a person, everyone in a channel or group chat, or the members of a user group. */
export type IdKind = 'person' | 'place' | 'group';

/** An id with its platform, as the access file and `/whoami` write it: `slack:U024BE7LH`. */
export type PlatformId = {
  readonly platform: string;
  readonly kind: IdKind;
  readonly id: string;
};

/** A chat platform as data. The record of each platform is in its folder, the list in `src/bots/all-platforms.ts`. */
export type Platform = {
  /** The prefix of its ids, and part of each conversation: `slack`. */
  readonly name: string;
  /** For people: `Slack`. */
  readonly title: string;
  /** How its ids look, without the name in front. No id matches two of them. */
  readonly ids: readonly {
    readonly kind: IdKind;
    readonly form: RegExp;
    /** For messages; a form without one is not shown there. */
    readonly example?: string;
  }[];
  /**
   * Channels of the bot with one person whose id does not name the person, so the channel is known to be a
   * person's only from what they typed there. A conversation that has its person's id needs no such form.
   */
  readonly directChannels?: RegExp;
  /** How people let the bot pin messages. @default it pins none */
  readonly toPin?: string;
  /** Larger files are better sent as several. @default no limit */
  readonly mostFileBytes?: number;
  /** Its only user started the program: without an access file that person may do everything. */
  readonly isLocal?: true;
};

export type Platforms = readonly Platform[];

/** The id that a text such as `slack:U024BE7LH` names; undefined when it has no platform's form. */
export const parsePlatformId = (platforms: Platforms, text: string): PlatformId | undefined => {
  const [, platform, id = ''] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  const known = platforms.find(({ name }) => name === platform);
  const form = known?.ids.find((each) => each.form.test(id));
  return known === undefined || form === undefined
    ? undefined
    : { platform: known.name, kind: form.kind, id };
};

/** One id of each platform that has such ids, for messages: `slack:C0FINANCE`, `telegram:-1001234567890`. */
export const exampleIds = (platforms: Platforms, kind: IdKind): readonly string[] =>
  platforms.flatMap(({ name, ids }) =>
    ids.flatMap((form) =>
      form.kind === kind && form.example !== undefined ? [`${name}:${form.example}`] : [],
    ),
  );
