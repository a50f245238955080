// The limits of content: the deepest tree, the longest names, names in every script, long and unusual links. Every
// input is stored or refused, and none is an internal error.

import { describe, expect, test } from "vitest";
import type { BatchChange } from "../../../src/content/revision/changes";
import { createDraft } from "../../../src/content/revision/draft";
import { keys, type PageEntry } from "../../../src/content/revision/entries";
import { BatchError } from "../../../src/content/revision/errors";
import { MAX_LINKS_PER_TEXT } from "../../../src/content/revision/texts";
import { MAX_PAGE_DEPTH } from "../../../src/content/revision/view";
import { isSlug } from "../../../src/content/slugs";
import { sha256Hex } from "../../../src/utils/sha256";
import { Content } from "./revision-content";

let ids = 0;
const newId = (kind: string) => `${kind.slice(0, 3)}_${++ids}`;
const page = (title: string, markdown = "", more: object = {}): BatchChange => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ...more,
});

/** Makes changes; the ids of the pages that they made or changed. */
async function make(content: Content, ...changes: BatchChange[]): Promise<string[]> {
  const { outcomes } = await content.apply(changes, newId);
  return outcomes.flatMap((outcome) => ("page" in outcome ? [outcome.page] : []));
}

/** What a batch is refused with; undefined when it is made. Anything else fails the test. */
async function refusal(content: Content, ...changes: BatchChange[]): Promise<string | undefined> {
  try {
    await content.apply(changes, newId);
    return undefined;
  } catch (error) {
    if (error instanceof BatchError) return `${error.index}.${error.path}`;
    throw error;
  }
}

describe("the tree", () => {
  test("pages nest to the maximum depth and no deeper, whether created or moved", async () => {
    const content = new Content();
    const [top] = await make(content, page("Top"));
    let below = top!;
    for (let depth = 2; depth <= MAX_PAGE_DEPTH; depth++)
      [below] = (await make(content, page("P", "", { into: below }))) as [string];
    expect(await refusal(content, page("P", "", { into: below }))).toBe("0.into");
    const [other] = await make(content, page("Other"));
    expect(await refusal(content, { operation: "move_page", page: top!, into: other! })).toBe("0.into");
    expect(await refusal(content, { operation: "move_page", page: other!, into: below })).toBe("0.into");
    expect((await content.view.getAncestry(below)).length).toBe(MAX_PAGE_DEPTH);
    await make(content, { operation: "delete_page", page: top! });
    expect((await content.view.listPages()).map(({ id }) => id)).toEqual([other]);
  });

  test.each([
    ["the longest slug", "a".repeat(100)],
    ["one with a dash where the number has to go", `${"a".repeat(97)}-bc`],
    ["one of letters that are two units each", "𠮷".repeat(50)],
  ])("a slug that is taken gets a number and stays valid, and the page can be moved with it: %s", async (_, slug) => {
    const content = new Content();
    const pages = await make(content, page("A", "", { slug }), page("B", "", { slug }), page("C", "", { slug }));
    const slugs = (await content.view.getPages(pages)).map((it) => it!.slug);
    expect(new Set(slugs).size).toBe(3);
    for (const it of slugs) expect(isSlug(it), it).toBe(true);
    expect(await refusal(content, { operation: "move_page", page: pages[2]!, into: pages[0]! })).toBeUndefined();
  });

  test("a page that is repeatedly put into one place gets there or is rejected", async () => {
    const content = new Content();
    const [first, second] = await make(content, page("First"), page("Second"));
    // As if two and a half thousand pages had been put between the two, one after another, and taken away again.
    const draft = createDraft(content.source, content.root);
    const { id: _, ...entry } = (await draft.getPage(second!))!;
    const order = `a0${"0".repeat(495)}1`;
    draft.delete(keys.child(null, entry.order));
    draft.put(keys.child(null, order), second!);
    draft.put(keys.page(second!), { ...entry, order } satisfies PageEntry);
    await content.save(draft);
    for (let n = 0; n < 60; n++) if (await refusal(content, page(`Between ${n}`, "", { at: 1 }))) break;
    const siblings = await content.view.listChildIds(null);
    expect([siblings[0]!.id, siblings.at(-1)!.id]).toEqual([first, second]);
  });
});

describe("names", () => {
  test("variables have names in any script, and the longest one is stored", async () => {
    const content = new Content();
    const variables = { größe: "XL", 製品: 1, ["ж".repeat(100)]: true, product: "Octavo" };
    expect(await refusal(content, { operation: "set_variables", variables })).toBeUndefined();
    expect(await content.view.getVariables()).toEqual(variables);
    expect(await refusal(content, { operation: "set_variables", variables: { 製品: null } })).toBeUndefined();
    expect(Object.keys(await content.view.getVariables())).not.toContain("製品");
  });

  test("a page whose text loses its title keeps its former title", async () => {
    const content = new Content();
    const [id] = await make(content, page("", "# Told\n\nText.\n"));
    for (const markdown of ["#\n\nText.\n", "# \n", "Text.\n", '---\ntitle: ""\n---\nText.\n', ""]) {
      await make(content, { operation: "update_page", page: id!, document: { markdown } });
      expect((await content.view.getPage(id!))!.title, JSON.stringify(markdown)).toBe("Told");
    }
    await make(content, { operation: "revert_page", page: id! });
    expect((await content.view.getPage(id!))!.title).toBe("Told");
  });

  test("titles with half a surrogate pair and names that every object has are ordinary names", async () => {
    const content = new Content();
    const odd = ["\ud800", "__proto__", "constructor", "\u202e", "𠮷\udc00"];
    const pages = await make(content, ...odd.map((title) => page(title, `## ${title}\n`)));
    expect((await content.view.getPages(pages)).map((it) => it!.title)).toEqual(odd);
    expect(await refusal(content, page("X", "", { into: "__proto__" }))).toBe("0.into");
    expect(await refusal(content, { operation: "delete_page", page: "constructor" })).toBe("0.page");
  });
});

test("a text with half a surrogate pair is stored without it, under the hash of what is stored", async () => {
  const content = new Content();
  const [id] = await make(content, page("Half", "One \ud800 half.\n"));
  const { body } = (await content.view.getPage(id!))!;
  expect(content.text(body!)).toBe("One \ufffd half.\n");
  expect(sha256Hex(new TextEncoder().encode(content.text(body!)))).toBe(body);
});

describe("links", () => {
  test.each([
    ["Latin", "a".repeat(2040)],
    ["Japanese", "日".repeat(2040)],
    ["escapes", "%01".repeat(680)],
    ["quotes", "'\"".repeat(1020)],
  ])("a very long broken link is stored or omitted: %s", async (_, name) => {
    const content = new Content();
    const [above] = await make(content, page("A", "", { slug: "日".repeat(100) }));
    expect(
      await refusal(content, page("B", `[x](${name}.md) [y](/pages/${above})\n`, { into: above! })),
    ).toBeUndefined();
    const [link] = (await content.view.getIncomingLinks(`p:${above}`)).slice(-1);
    expect(link).toBeDefined();
  });

  test("of a text with too many links, the first ones are stored", async () => {
    const content = new Content();
    const [to] = await make(content, page("To"));
    const [from] = await make(content, page("From", `[x](/pages/${to})\n`.repeat(MAX_LINKS_PER_TEXT + 5)));
    expect((await content.view.getLinks(from!)).length).toBe(MAX_LINKS_PER_TEXT);
    expect(await content.view.get(keys.linkCount(`p:${to}`))).toBe(MAX_LINKS_PER_TEXT);
    await make(content, { operation: "delete_page", page: from! });
    expect(await content.view.get(keys.linkCount(`p:${to}`))).toBeUndefined();
    expect(await content.view.count({ under: "i/" })).toBe(0);
  });

  test.each([
    ["[guide](guide)", "[guide](/pages/ID)"],
    ["[guide](./guide.md#part)", "[guide](/pages/ID#part)"],
    ['[x](guide "guide")', '[x](/pages/ID "guide")'],
    ["[x](<guide>)", "[x](</pages/ID>)"],
    ["![guide](guide)", "![guide](/pages/ID)"],
    ["`[x](guide)` [x](guide)", "`[x](guide)` [x](/pages/ID)"],
    ["[a][b]\n\n[b]: guide", "[a][b]\n\n[b]: /pages/ID"],
    ["[![guide](guide)](guide)", "[![guide](/pages/ID)](/pages/ID)"],
  ])("a ref of the batch is resolved only where the link is: %s", async (text, wanted) => {
    const content = new Content();
    const [guide, from] = await make(content, page("Guide", "", { ref: "guide" }), page("From", `${text}\n`));
    const { body } = (await content.view.getPage(from!))!;
    expect(content.text(body!)).toBe(`${wanted.replaceAll("ID", guide!)}\n`);
  });
});
