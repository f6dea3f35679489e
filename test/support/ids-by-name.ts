/** Ids as settings write them, by the name that a test has for each: `<@ama>` a person, `<#sales>` a conversation, `<!finance>` a user group. */
export type IdsByName = ReadonlyMap<string, string>;

/** The text with ids in the place of names, so that one access file serves every platform. Throws at an unknown name. */
export const withIds = (text: string, ids: IdsByName): string =>
  text.replaceAll(/<[@#!]\w+>/g, (name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`this test knows no ${name}`);
    return id;
  });
