// The built-in templates as they are: well-formed, linked within themselves, and small enough for the core.

import { describe, expect, test } from "vitest";
import type { Template, TemplatePage } from "../../../src/content/templates";
import { builtIn } from "../../../src/resources/content/templates/built-in";

/** The most that all texts of all templates take together, in bytes. */
const MAX_TEXT = 14 * 1024;

interface Placed {
  readonly page: TemplatePage;
  /** The slugs from the top, the page's own among them. */
  readonly path: readonly string[];
}

/** Every page of a template with its path. */
function placed(pages: readonly TemplatePage[], above: readonly string[] = []): Placed[] {
  return pages.flatMap((page) => {
    const path = [...above, page.slug ?? "(made from the title)"];
    return [{ page, path }, ...placed(page.pages ?? [], path)];
  });
}

/** A text without its blocks of code: what looks like a link or a tag in there is none. */
function prose(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** Where the links of a text lead, those of content-refs included. */
function linksIn(markdown: string): string[] {
  return [...prose(markdown).matchAll(/\]\(([^)]*)\)|\burl="([^"]*)"/g)].map(([, link, url]) => link ?? url ?? "");
}

/** The path that a relative link means on a page: it starts beside the page, and names the file of its target. */
function resolve(path: readonly string[], link: string): string | undefined {
  if (!link.endsWith(".md")) return undefined;
  const at = path.slice(0, -1);
  for (const name of link.slice(0, -".md".length).split("/")) {
    if (name !== "..") at.push(name);
    else if (at.pop() === undefined) return undefined;
  }
  return at.join("/");
}

/** The links of a template that lead to none of its pages. */
function brokenLinks({ pages }: Template): string[] {
  const all = placed(pages);
  const targets = new Set(all.filter(({ page }) => page.markdown !== undefined).map(({ path }) => path.join("/")));
  return all.flatMap(({ page, path }) =>
    linksIn(page.markdown ?? "")
      .filter((link) => !targets.has(resolve(path, link) ?? ""))
      .map((link) => `${path.join("/")}: ${link}`),
  );
}

/** The tags of a text that do not pair up. */
function unpairedTags(markdown: string): string[] {
  const open: string[] = [];
  for (const [, tag, html = ""] of prose(markdown).matchAll(/\{% ([\w-]+)|<(\/?(?:details|summary))>/g)) {
    const name = tag ?? html.replace("/", "end");
    if (name === `end${open.at(-1)}`) open.pop();
    else open.push(name);
  }
  return open;
}

function variablesIn(markdown: string): string[] {
  return [...markdown.matchAll(/<code class="expression">space\.vars\.(\w+)<\/code>/g)].map(([, name]) => name!);
}

/** Every text that a value holds, names of members aside. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

test("there are four built-in templates with distinct, well-formed ids", () => {
  const ids = builtIn.map(({ id }) => id);
  expect(ids).toEqual(["blank", "product-docs", "api-reference", "knowledge-base"]);
  for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

test("the texts of all templates are small, since they are in the core", () => {
  const bytes = textsIn(builtIn).reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  expect(bytes).toBeLessThanOrEqual(MAX_TEXT);
});

test("a blank space starts with one empty page", () => {
  expect(builtIn.find(({ id }) => id === "blank")?.pages).toEqual([
    { title: "Welcome", slug: "welcome", markdown: "" },
  ]);
});

describe.each(builtIn)("the template $id", (template) => {
  const all = placed(template.pages);
  const documents = all.flatMap(({ page }) => (page.markdown === undefined ? [] : [{ ...page, text: page.markdown }]));

  test("a template has a one-sentence description", () => {
    expect(template.title).not.toBe("");
    expect(template.description).toMatch(/^[A-Z][^.]+\.$/);
  });

  test("a template starts with a page, the home page of the space", () => {
    expect(template.pages[0]?.markdown).toBeDefined();
  });

  test("a template has groups only at the top level, with only a name and pages", () => {
    for (const { page, path } of all.filter(({ page }) => page.markdown === undefined)) {
      expect(path).toHaveLength(1);
      expect(Object.keys(page).sort()).toEqual(["pages", "slug", "title"]);
      expect(page.pages?.length).toBeGreaterThan(0);
    }
  });

  test("a template gives every page a slug that is unique among its siblings", () => {
    for (const { page } of all) expect(page.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(new Set(all.map(({ path }) => path.join("/"))).size).toBe(all.length);
  });

  test("a template does not repeat the title of a page in its text", () => {
    for (const { text } of documents) expect(text).not.toMatch(/^(# |---)/);
  });

  test("a template links only to its own pages", () => {
    expect(brokenLinks(template)).toEqual([]);
  });

  test("a template closes every tag that it opens", () => {
    for (const { text } of documents) expect(unpairedTags(text)).toEqual([]);
  });

  test("a template uses exactly the variables that it defines", () => {
    const used = new Set(documents.flatMap(({ text }) => variablesIn(text)));
    expect([...used].sort()).toEqual(Object.keys(template.variables ?? {}).sort());
    for (const { text } of documents) expect(variablesIn(text)).toHaveLength(text.split("space.vars").length - 1);
  });
});

describe.each(builtIn.filter(({ id }) => id !== "blank"))("the texts of the template $id", ({ pages }) => {
  const texts = placed(pages).flatMap(({ page }) => page.markdown ?? []);

  test("the texts of a template are few and short", () => {
    expect(texts.length).toBeGreaterThanOrEqual(6);
    expect(texts.length).toBeLessThanOrEqual(12);
    for (const text of texts) {
      const words = text.split(/\s+/).filter((word) => /\w/.test(word)).length;
      expect(words).toBeGreaterThanOrEqual(40);
      expect(words).toBeLessThanOrEqual(150);
    }
  });

  test("the texts of a template end with a newline", () => {
    for (const text of texts) expect(text).toMatch(/\S\n$/);
  });
});

describe("the checks of this test", () => {
  const guide = (markdown: string): Template => ({
    id: "control",
    title: "Control",
    description: "A control.",
    pages: [
      { title: "Start", slug: "start", pages: [{ title: "Install", slug: "install", markdown: "" }] },
      { title: "Guides", slug: "guides", pages: [{ title: "First steps", slug: "first-steps", markdown }] },
    ],
  });

  test.each([
    ["a page that is not there", "[a](missing.md)", ["guides/first-steps: missing.md"]],
    ["a path from the wrong folder", "[a](start/install.md)", ["guides/first-steps: start/install.md"]],
    ["a path above the top", "[a](../../install.md)", ["guides/first-steps: ../../install.md"]],
    ["a group", "[a](../start.md)", ["guides/first-steps: ../start.md"]],
    ["a content-ref", '{% content-ref url="b.md" %}', ["guides/first-steps: b.md"]],
    ["a link that is good", "[a](../start/install.md)", []],
    ["code", "```md\n[a](missing.md)\n```", []],
  ])("a broken link is detected: %s", (_, markdown, broken) => {
    expect(brokenLinks(guide(markdown))).toEqual(broken);
  });

  test.each([
    ["{% hint %}\n{% tabs %}\n{% endhint %}", ["hint", "tabs", "endhint"]],
    ["{% endhint %}", ["endhint"]],
    ["<details>\n<summary>a</summary>", ["details"]],
    ['{% hint style="info" %}\n{% endhint %}', []],
  ])("an unpaired tag is detected: %j", (markdown, unpaired) => {
    expect(unpairedTags(markdown)).toEqual(unpaired);
  });
});
