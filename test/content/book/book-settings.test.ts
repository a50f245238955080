// What the settings of books say, those that were written for other tools included: redirects, variables, tags, and the
// files that texts of mdBook include.

import { describe, expect, test } from "vitest";
import { addBook } from "../../../src/content/book/add-book";
import { readBook } from "../../../src/content/book/read-book";
import { MAX_TEXT_LENGTH } from "../../../src/content/markdown/limits";
import { findDirectives } from "../../../src/content/mdbook/directives";
import { expandMdBook } from "../../../src/content/mdbook/expand";
import { mergeRevisions } from "../../../src/content/merge";
import { createStoredView } from "../../../src/content/revision/draft";
import { findPageByHtmlPath } from "../../../src/content/revision/html-paths";
import { checkLinkTargets } from "../../../src/content/revision/link-health";
import { expandIncludedFiles } from "../../../src/resources/content/revisions/texts";
import { ExpansionBudget } from "../../../src/utils/expansion-budget";
import { type Contents, Repository, Space } from "./books/trees";

async function imported(contents: Contents) {
  const [repository, space] = [new Repository(contents), new Space()];
  const book = await readBook(repository);
  const laid = await space.import(repository);
  return { repository, space, book, skipped: [...book.skipped, ...laid.skipped] };
}

const pages = {
  "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Guides](guides/README.md)\n  * [Setup](guides/setup.md)\n",
  "README.md": "# Home\n",
  "guides/README.md": "# Guides\n",
  "guides/setup.md": "# Setup\n\n## First\n",
};

describe("redirects", () => {
  const settings = (...lines: string[]) => ({
    ...pages,
    ".gitbook.yaml": ["redirects:", ...lines].map((it, i) => (i === 0 ? it : `  ${it}`)).join("\n"),
  });

  test("redirects lead to pages, anchors and URLs, whether or not a page exists at their path", async () => {
    const contents = settings(
      "old: guides/setup.md",
      "gone/far/below: ./guides/setup.md#first",
      "guides/begin: guides/",
      "out: https://example.com/x",
      "chain: old",
    );
    const { space, skipped, repository } = await imported(contents);
    const { id } = (await space.page("guides/setup.md"))!;
    const { id: guides } = (await space.page("guides/README.md"))!;
    const { view } = space;
    for (const path of ["old", "gone/far/below", "gone/far/below.html", "chain"])
      expect((await view.findPageByPath(path))?.id, path).toBe(id);
    expect((await view.findPageByPath("guides/begin"))?.id).toBe(guides);
    expect(await view.findRedirect("gone/far/below")).toEqual({ kind: "anchor", page: id, anchor: "first" });
    expect(await view.findRedirect("out")).toEqual({ kind: "url", url: "https://example.com/x" });
    expect(await view.findPageByPath("out")).toBeUndefined();
    expect(skipped).toEqual([]);
    expect((await space.export(repository)).contents()).toEqual(repository.contents());
  });

  test("redirects that cannot work are reported one by one", async () => {
    const contents = settings(
      "guides/setup: README.md",
      "a: nowhere.md",
      "b: c",
      "c: b",
      "d: javascript:alert(1)",
      "e: ../outside.md",
      "index.html: README.md",
      "'f#g': README.md",
      "h:",
    );
    const { skipped, space } = await imported(contents);
    const why = Object.fromEntries(
      skipped.map(({ resource, reason }) => [resource, reason.replace("This redirect is ignored: ", "")]),
    );
    expect(why).toEqual({
      "guides/setup": "a page stands at this path, and pages come first.",
      a: "there is no page at nowhere.md.",
      b: "it leads from redirect to redirect, and to no page.",
      c: "it leads from redirect to redirect, and to no page.",
      d: "its address cannot be linked to.",
      e: "its target is outside of the book.",
      "index.html": "the book itself begins at this path.",
      "f#g": "a browser does not send what is behind a #.",
    });
    expect([...(await space.entries()).keys()].filter((key) => key.startsWith("w/"))).toEqual([]);
  });

  test("redirects are part of the settings, take precedence over former paths, and are merged", async () => {
    const { space, repository } = await imported(settings("old: guides/setup.md", "b: README.md"));
    const base = space.root;
    const { id } = (await space.page("guides/setup.md"))!;
    const { id: home } = (await space.page("README.md"))!;
    await space.apply({ operation: "update_page", page: id, slug: "settled" });
    const ours = space.root;
    expect((await space.view.findPageByPath("guides/setup"))?.id).toBe(id);
    space.roots.push(base);
    repository.set(".gitbook.yaml", "redirects:\n  b: guides/setup.md\n  guides/setup/x: README.md\n");
    await space.import(repository);
    const theirs = space.root;
    const { draft } = await mergeRevisions(space.source, { base, ours, theirs }, space.tools);
    await space.save(draft);
    const merged = createStoredView(space.source, space.root);
    expect(await merged.findPageByPath("old")).toBeUndefined();
    expect((await merged.findPageByPath("b"))?.id).toBe(id);
    expect((await merged.findPageByPath("guides/setup/x"))?.id).toBe(home);
    expect((await merged.findPageByPath("guides/settled"))?.id).toBe(id);
  });

  test("redirects of mdBook and HonKit are relative to the former page", async () => {
    const src = Object.fromEntries(Object.entries(pages).map(([path, text]) => [`src/${path}`, text]));
    const toml =
      '[output.html.redirect]\n# old\n"/guides/install.html" = "setup.html#first"\n"./x/y.html" = "../guides/index.html"\n';
    const { space, skipped } = await imported({ ...src, "book.toml": `[book]\ntitle = "B"\n${toml}` });
    expect((await space.view.findPageByPath("guides/install.html"))?.id).toBe(
      (await space.page("guides/setup.md"))!.id,
    );
    expect((await space.view.findPageByPath("x/y"))?.id).toBe((await space.page("guides/README.md"))!.id);
    expect(skipped).toEqual([]);
    const json = { pluginsConfig: { redirect: { redirects: [{ from: "/was.html", to: "/guides/setup.html" }] } } };
    const honkit = await imported({ ...pages, "book.json": JSON.stringify(json) });
    expect((await honkit.space.view.findPageByPath("was"))?.id).toBe((await honkit.space.page("guides/setup.md"))!.id);
  });
});

describe("book.js", () => {
  test("book.js is read as data, and what would need to run is named and skipped", async () => {
    const js = `const pkg = require("../package.json");
      module.exports = { // settings
        title: 'A', root: "docs", structure: { readme: \`INTRO.md\`, summary: 'TOC.md', },
        version: pkg.version, hooks: { init() { return { x: "}" }; } },
        variables: { name: 'it\\'s', count: 2, deep: { a: 1 }, made: \`\${pkg.name}\` },
        pluginsConfig: { redirect: { "old.html": "setup.html" } },
      };`;
    const { space, book, skipped, repository } = await imported({
      "book.js": js,
      "docs/TOC.md": "* [Setup](setup.md)\n",
      "docs/INTRO.md": "# Intro\n",
      "docs/setup.md": "# Setup\n",
    });
    expect(book.chapters.map((it) => "path" in it && it.path)).toEqual(["INTRO.md", "setup.md"]);
    expect(await space.view.getVariables()).toEqual({ name: "it's", count: 2 });
    expect((await space.view.findPageByPath("old"))?.id).toBe((await space.page("setup.md"))!.id);
    expect(skipped.map(({ resource }) => resource)).toEqual([
      "book.js: version",
      "book.js: hooks.init",
      "book.js: variables.made",
      "variables.deep",
    ]);
    expect((await space.export(repository)).contents()).toEqual(repository.contents());
  });

  test.each([
    "module.exports = make();",
    `module.exports = { a: ${"{a:".repeat(50)}`,
    "{",
    `module.exports = { a: "${"/* ".repeat(9)}`,
  ])("book.js without literal values is ignored: %s", async (js) => {
    const { skipped } = await imported({ ...pages, "book.js": js });
    expect(skipped).toEqual([{ resource: "book.js", reason: expect.stringContaining("Code isn't run") }]);
  });
});

test("the README and the glossary of HonKit are pages, listed or not", async () => {
  const contents = {
    ...pages,
    "book.json": "{}",
    "SUMMARY.md": "* [Setup](guides/setup.md)\n",
    "GLOSSARY.md": "## Term\n\nIt.\n",
  };
  const { space, repository } = await imported(contents);
  expect(await space.outline()).toEqual(["Home (home)", "Setup (setup)", "Glossary (glossary)"]);
  expect((await space.export(repository)).contents()).toEqual(repository.contents());
});

test("entries of a table of contents may use reference links, whose definitions are not entries", async () => {
  const summary =
    "# Summary\n\n[Home](README.md)\n\n- [Guides][g]\n  - [The *setup*][]\n- [Draft]()\n\n[g]: guides/README.md\n[the *setup*]: guides/setup.md\n";
  const src = Object.fromEntries(Object.entries(pages).map(([path, text]) => [`src/${path}`, text]));
  const { space, repository, skipped } = await imported({ ...src, "book.toml": "", "src/SUMMARY.md": summary });
  expect(await space.outline()).toEqual(["Home (home)", "Guides (guides)", "  Setup (setup)", "Draft (draft)"]);
  expect(skipped).toEqual([]);
  expect((await space.export(repository)).contents()).toEqual(repository.contents());
  await space.apply({ operation: "insert_page", title: "New", document: {} });
  expect((await space.export(repository)).text("src/SUMMARY.md")).toBe(
    "# Summary\n\n[Home](README.md)\n\n* [Guides](guides/README.md)\n  * [The setup](guides/setup.md)\n* [Draft]()\n* [New](new.md)\n",
  );
});

describe("old paths stated in texts", () => {
  const stated = (front: string, title: string) => `---\n${front}\n---\n\n# ${title}\n`;
  const contents = {
    ...pages,
    ".gitbook.yaml": "redirects:\n  taken: README.md\n",
    "README.md": stated("redirect_from: /home.html", "Home"),
    "guides/README.md": stated("aliases: [/manual/, /guides/setup/, /taken, https://x.example/a, /b#c]", "Guides"),
    "guides/setup.md": stated("redirect_from:\n  - /install/\n  - old/install.html\naliases:\n  - begin\n", "Setup"),
  };
  const leads = async (space: Space, ...paths: string[]) =>
    Promise.all(paths.map(async (path) => (await space.view.findPageByPath(path))?.title));
  const cannot = (resource: string, why: string) => ({ resource, reason: expect.stringContaining(why) });

  test("old paths stated in texts are redirects in a Git book as long as the texts state them", async () => {
    const { space, repository, skipped } = await imported(contents);
    expect(
      await leads(space, "home", "home.html", "manual", "install", "old/install", "guides/begin", "taken"),
    ).toEqual(["Home", "Home", "Guides", "Setup", "Setup", "Setup", "Home"]);
    const dead = [cannot("guides/setup", "a page stands"), cannot("taken", "another one")];
    expect(skipped).toEqual(dead);
    expect((await space.export(repository)).contents()).toEqual(repository.contents());
    // Nothing changed, so no text is read again.
    expect((await space.import(repository)).skipped).toEqual(dead);
    expect(await leads(space, "manual", "install")).toEqual(["Guides", "Setup"]);
    const changed = { ...contents, ".gitbook.yaml": "", "guides/setup.md": stated("aliases: /set/", "Setup") };
    await space.import(new Repository(changed));
    expect(await leads(space, "install", "guides/begin", "set", "taken")).toEqual([
      undefined,
      undefined,
      "Setup",
      "Guides",
    ]);
    const { "guides/setup.md": _, ...rest } = contents;
    await space.import(
      new Repository({ ...rest, "SUMMARY.md": "* [Home](README.md)\n* [Guides](guides/README.md)\n" }),
    );
    expect(await leads(space, "set", "install", "manual", "home")).toEqual([undefined, undefined, "Guides", "Home"]);
  });

  test("old paths stated in texts are redirects of pages that are created or added", async () => {
    const space = new Space();
    const [id] = await space.apply({
      operation: "insert_page",
      document: { markdown: stated("aliases: [/a]", "One") },
    });
    await space.apply({ operation: "insert_page", document: { markdown: stated("aliases: [/a, /b]", "Two") } });
    expect(await leads(space, "a", "b")).toEqual(["One", "Two"]);
    const draft = space.draft();
    const book = await readBook(new Repository({ "c.md": stated("aliases: [/b, /one, /d/]", "Three") }));
    const { skipped } = await addBook(draft, book, { parentId: null }, space.tools);
    await space.save(draft);
    expect(skipped).toEqual([cannot("b", "another one"), cannot("one", "a page stands")]);
    expect(await leads(space, "b", "d")).toEqual(["Two", "Three"]);
    const document = { markdown: stated("aliases: [/e]", "One") };
    await space.apply({ operation: "update_page", page: id!, document });
    expect(await leads(space, "a", "e")).toEqual([undefined, "One"]);
    await space.apply({ operation: "delete_page", page: id! });
    expect(await leads(space, "e", "d")).toEqual([undefined, "Three"]);
  });
});

test("headings of included pages are anchors of the including page", async () => {
  const one = '# One\n\n## Own part\n\n{% include ".gitbook/includes/note.md" %}\n';
  const contents = {
    "SUMMARY.md": "* [One](README.md)\n* [Two](two.md)\n",
    "README.md": one,
    "two.md": "# Two\n\n[a](README.md#own-part) [b](README.md#the-note) [c](README.md#inner) [d](README.md#gone)\n",
    ".gitbook/includes/note.md": '---\ntitle: Note\n---\n\n## The note\n\n{% include "inner.md" %}\n',
    ".gitbook/includes/inner.md": '---\ntitle: Inner\n---\n\n## Inner\n\n{% include "note.md" %}\n',
  };
  const { space } = await imported(contents);
  const health = async (path: string) =>
    checkLinkTargets(
      space.view,
      (await space.view.getLinks((await space.page(path))!.id)).map(({ to }) => to),
    );
  expect(await health("two.md")).toEqual(["ok", "ok", "ok", "broken"]);
  const changed = { ...contents, ".gitbook/includes/note.md": "---\ntitle: Note\n---\n\n## Another\n" };
  await space.import(new Repository(changed));
  expect(await health("two.md")).toEqual(["ok", "broken", "broken", "broken"]);

  const book = {
    "book.toml": "",
    "src/SUMMARY.md": "- [One](one.md)\n- [Two](two.md)\n",
    "src/one.md": "# One\n\n{{#include ../parts/more.md}}\n",
    "src/two.md": "# Two\n\n[a](one.md#more-of-it) [b](one.md#last)\n",
    "parts/more.md": "## More of it\n",
  };
  await space.import(new Repository(book));
  expect(await health("two.md")).toEqual(["ok", "broken"]);
  await space.import(new Repository({ ...book, "parts/more.md": "## Last\n" }));
  expect(await health("two.md")).toEqual(["broken", "ok"]);
});

test("addresses of the HTML output of a book lead to its pages", async () => {
  const { space } = await imported({
    "book.toml": "",
    "src/SUMMARY.md": "[Start](start.md)\n\n- [Guides](guides/README.md)\n  - [Setup](ch01-setup.md)\n",
    "src/start.md": "# Start\n",
    "src/guides/README.md": "# Guides\n",
    "src/ch01-setup.md": "# Setup\n",
  });
  const titles = [
    "ch01-setup.html",
    "start.html",
    "guides/index.html",
    "guides/ch01-setup.html",
    "ch01-setup",
    "x.html",
  ];
  expect(await Promise.all(titles.map(async (path) => (await findPageByHtmlPath(space.view, path))?.title))).toEqual([
    "Setup",
    "Start",
    "Guides",
    undefined,
    undefined,
    undefined,
  ]);
});

describe("LANGS.md", () => {
  const languages = {
    "LANGS.md": "# Languages\n\n* [English](en/)\n* [Deutsch](de/)\n* [Gone](xx/)\n",
    "book.json": "{}",
    "en/SUMMARY.md": "# Summary\n\n* [Setup](setup.md)\n",
    "en/README.md": "# Home\n\n[German](../de/setup.md)\n",
    "en/setup.md": "# Setup\n",
    "de/SUMMARY.md": "# Inhalt\n\n* [Start](README.md)\n\n## Teil\n\n* [Aufbau](setup.md)\n",
    "de/README.md": "# Start\n",
    "de/setup.md": "# Aufbau\n\n![](bild.png)\n",
    "de/bild.png": new Uint8Array([1, 2]),
  };

  test("LANGS.md makes the first language the book and each other one a group, and is written back", async () => {
    const { space, repository, skipped } = await imported(languages);
    const outline = ["Home (home)", "Setup (setup)", "group: Deutsch (de)", "  Start (de)", "  Teil (teil)"];
    expect(await space.outline()).toEqual([...outline, "    Aufbau (setup)"]);
    expect(skipped).toEqual([
      { resource: "LANGS.md", reason: "It lists the folder xx/, which doesn't exist." },
      { resource: "LANGS.md", reason: expect.stringContaining("each other one is a group") },
    ]);
    const [link] = await space.view.getLinks((await space.page("README.md"))!.id);
    expect(link!.to).toBe(`p:${(await space.page("../de/setup.md"))!.id}`);
    expect((await space.export(repository)).contents()).toEqual(repository.contents());
    const german = (await space.view.findPageByPath("de"))!.id;
    await space.apply(
      { operation: "insert_page", title: "Neu", into: german, document: {} },
      { operation: "insert_page", title: "New", at: 2, document: {} },
    );
    const written = await space.export(repository);
    expect(written.text("de/SUMMARY.md")).toBe(
      "# Inhalt\n\n* [Start](README.md)\n* [Teil]()\n  * [Aufbau](setup.md)\n* [Neu](neu.md)\n",
    );
    expect(written.text("de/neu.md")).toBe("# Neu\n");
    expect(written.text("en/SUMMARY.md")).toBe(
      "# Summary\n\n* [Home](README.md)\n* [Setup](setup.md)\n* [New](new.md)\n",
    );
    expect(written.text("en/new.md")).toBe("# New\n");
    const ids = await space.ids();
    await space.import(written);
    expect(await space.ids()).toEqual(ids);
  });

  const inBoth = {
    ...languages,
    "en/README.md": "# Home\n\n[German](../de/setup.md)\n",
    "en/SUMMARY.md": "# Summary\n\n* [Setup](setup.md)\n* [Only here](guides/only.md)\n",
    "en/guides/only.md": "# Only here\n",
    "de/README.md": "# Start\n\n[a](/setup.md) [b](../en/setup.md) [c](guides/only.md#x) [d](nowhere.md)\n",
  };

  test("pages at the same path in two languages are translations, and links stay in their language", async () => {
    const { space, repository } = await imported(inBoth);
    const idAt = async (path: string) => (await space.page(path))!.id;
    const ids = { home: await idAt("README.md"), setup: await idAt("setup.md"), only: await idAt("guides/only.md") };
    const german = { home: await idAt("../de/README.md"), setup: await idAt("../de/setup.md") };
    const group = (await space.view.findPageByPath("de"))!;
    const said = async () =>
      Object.fromEntries((await space.view.listPages()).map(({ id, translations }) => [id, translations]));
    const teil = (await space.view.findPageByPath("de/teil"))!.id;
    expect(await said()).toEqual({
      [ids.home]: { en: ids.home, de: german.home },
      [german.home]: { en: ids.home, de: german.home },
      [ids.setup]: { en: ids.setup, de: german.setup },
      [german.setup]: { en: ids.setup, de: german.setup },
      [ids.only]: { en: ids.only },
      [group.id]: { de: group.id },
      [teil]: { de: teil },
    });
    const links = async () => (await space.view.getLinks(german.home)).map(({ to }) => to);
    const [a, b, , d] = [`p:${german.setup}`, `p:${ids.setup}`, "", expect.stringMatching(/^n:/)];
    expect(await links()).toEqual([a, b, `p:${ids.only}:x`, d]);
    expect((await space.export(repository)).contents()).toEqual(repository.contents());
    // An edit of the text leaves the links as they are written.
    const text = `${inBoth["de/README.md"]}\nMehr.\n`;
    await space.apply({ operation: "update_page", page: german.home, document: { markdown: text } });
    expect((await space.export(repository)).text("de/README.md")).toBe(text);
    // What is translated later is meant from then on, and a book of one language has no translations.
    const summary = `${languages["de/SUMMARY.md"]}* [Nur hier](guides/only.md)\n`;
    await space.import(new Repository({ ...inBoth, "de/SUMMARY.md": summary, "de/guides/only.md": "# Nur hier\n" }));
    expect(await links()).toEqual([a, b, `p:${await idAt("../de/guides/only.md")}:x`, d]);
    expect((await said())[ids.only]).toEqual({ en: ids.only, de: await idAt("../de/guides/only.md") });
    await space.import(new Repository({ ...inBoth, "LANGS.md": "* [English](en)\n" }));
    expect(await said()).toEqual({ [ids.home]: undefined, [ids.setup]: undefined, [ids.only]: undefined });
  });

  test("an added book keeps its languages, and a folder without a language has none", async () => {
    const space = new Space();
    const listed = {
      ...inBoth,
      "LANGS.md": "* [English](en)\n* [Deutsch](de)\n* [Other](other)\n",
      "other/x.md": "# X\n",
    };
    const book = await readBook(new Repository(listed));
    expect(book.skipped).toContainEqual({ resource: "LANGS.md", reason: expect.stringMatching(/^other is no code/) });
    for (let n = 0; n < 2; n++) {
      const draft = space.draft();
      await addBook(draft, book, { parentId: null }, space.tools);
      await space.save(draft);
    }
    const setups = [await space.view.findPageByPath("setup"), await space.view.findPageByPath("setup-1")];
    for (const [i, setup] of setups.entries()) {
      const german = (await space.view.getPage(setup!.translations!.de!))!;
      expect([german.title, german.translations]).toEqual(["Aufbau", { en: setup!.id, de: german.id }]);
      const home = (await space.view.findPageByPath(i === 0 ? "de" : "de-1"))!;
      const start = (await space.view.getPages((await space.view.listChildIds(home.id)).map(({ id }) => id)))[0]!;
      expect(home.translations).toEqual({ de: home.id });
      expect((await space.view.getLinks(start.id)).map(({ to }) => to).slice(0, 2)).toEqual([
        `p:${german.id}`,
        `p:${setup!.id}`,
      ]);
    }
    expect((await space.view.findPageByPath("other/x"))!.translations).toBeUndefined();
  });

  test("a language folder can be the project folder, and one without a table of contents uses its folder structure", async () => {
    const book = await readBook(new Repository(languages), { directory: "de" });
    expect(book.chapters.map(({ title }) => title)).toEqual(["Start", "Teil"]);
    const { "de/SUMMARY.md": _, ...rest } = languages;
    const { space, repository } = await imported(rest);
    expect((await space.outline()).slice(2)).toEqual(["group: Deutsch (de)", "  Start (de)", "  Aufbau (setup)"]);
    expect((await space.export(repository)).text("en/SUMMARY.md")).toBe(languages["en/SUMMARY.md"]);
  });
});

describe("tags", () => {
  test.each([
    "beta: { label: Beta }\nnew:\n",
    "- beta\n- tag: new\n",
    "tags:\n  - id: beta\n    label: Beta\n  - id: new\n",
  ])("tags missing from .gitbook/tags.yaml are reported: %j", async (yaml) => {
    const update =
      '{% updates %}\n{% update date="2026-01-01" tags="new,odd" %}\nx\n{% endupdate %}\n{% endupdates %}\n';
    const { skipped, space, repository } = await imported({
      ...pages,
      ".gitbook/tags.yaml": yaml,
      "README.md": `---\ntags:\n  - beta\n  - lost\n---\n\n# Home\n\n${update}`,
    });
    expect(skipped).toEqual([
      { resource: "README.md", reason: 'Its tag "lost" is not in .gitbook/tags.yaml.' },
      { resource: "README.md", reason: 'Its tag "odd" is not in .gitbook/tags.yaml.' },
    ]);
    expect((await space.export(repository)).contents()).toEqual(repository.contents());
  });
});

describe("mdBook includes", () => {
  const listing =
    "fn one() {}\n// ANCHOR: part\nfn two() {\n    // ANCHOR: deep\n    2\n    // ANCHOR_END: deep\n}\n// ANCHOR_END: part\n";
  const book = {
    "book.toml": '[book]\ntitle = "B"\n[output.html.code.hidelines]\npython = "~"\n',
    "src/SUMMARY.md": "# Summary\n\n[Intro](intro.md)\n",
    "src/intro.md": "# Intro\n\n```rust\n{{#rustdoc_include ../listings/a.rs:part}}\n```\n\n{{#include more.md}}\n",
    "src/more.md": "More {{#include parts/deep.txt}}.\n",
    "src/parts/deep.txt": "words\n",
    "listings/a.rs": listing,
  };
  const shown = async (space: Space, path = "intro.md") => {
    const page = (await space.page(path))!;
    return expandIncludedFiles(
      space.text,
      space.view,
      { id: page.id, body: page.body!, page },
      await space.text(page.body!),
      new ExpansionBudget(MAX_TEXT_LENGTH),
    );
  };

  test("included files are shown to readers, while the stored text and the repository keep the include", async () => {
    const { space, repository, skipped } = await imported(book);
    expect(skipped).toEqual([]);
    expect(await shown(space)).toBe("# Intro\n\n```rust\nfn two() {\n    2\n}\n```\n\nMore words.\n");
    expect(await space.text((await space.page("intro.md"))!.body!)).toBe(book["src/intro.md"]);
    expect((await space.export(repository)).contents()).toEqual(repository.contents());
    const links = await space.view.getLinks((await space.page("intro.md"))!.id);
    expect(links.map(({ href, as, ref }) => [href, as, ref.kind])).toEqual([
      ["../listings/a.rs", "include", "file"],
      ["more.md", "include", "file"],
    ]);
    // Nothing is forgotten because the text was not read again; and a changed file shows at once.
    repository.set("listings/a.rs", listing.replace("    2\n", "    3\n"));
    await space.import(repository);
    await space.import(repository);
    expect(await shown(space)).toBe("# Intro\n\n```rust\nfn two() {\n    3\n}\n```\n\nMore words.\n");
    repository.set("src/intro.md", "# Intro\n");
    const { files } = await space.import(repository);
    expect(files.deleted).toBe(3);
  });

  test("missing includes, anchors and files outside the book are reported, and the text stays unchanged", async () => {
    const text =
      "{{#include gone.rs}} {{#include ../../x.rs}} {{#include ../listings/a.rs:none}} {{#include ../logo.png}}\n";
    const { space, skipped } = await imported({ ...book, "src/intro.md": text, "logo.png": new Uint8Array([255, 0]) });
    expect(skipped.map(({ resource, reason }) => `${resource}: ${reason}`)).toEqual([
      "src/intro.md: It includes gone.rs, and there is no such file.",
      "src/intro.md: It includes ../../x.rs, which is outside of the repository.",
      "src/intro.md: It includes ../listings/a.rs, which has no anchor none.",
      "src/intro.md: It includes ../logo.png, which is not a text.",
    ]);
    expect(await shown(space)).toBe(text);
  });

  test("a restricted page is not shown inside another page", async () => {
    const contents = {
      ...book,
      "src/SUMMARY.md":
        "# Summary\n\n[Intro](intro.md)\n\n- [Open](open.md)\n- [Closed](closed.md)\n  - [Below](below.md)\n",
      "src/intro.md": "{{#include open.md}} {{#include closed.md}} {{#include below.md}}\n",
      "src/open.md": "Open.\n",
      "src/closed.md": "---\nif: visitor.claims.a\n---\n\n# Closed\n",
      "src/below.md": "# Below\n",
    };
    const { space } = await imported(contents);
    expect(await shown(space)).toBe("Open. {{#include closed.md}} {{#include below.md}}\n");
  });

  test("includes are resolved into the text when a book is added to a space", async () => {
    const space = new Space();
    const draft = space.draft();
    const added = await addBook(draft, await readBook(new Repository(book)), { parentId: null }, space.tools);
    await space.save(draft);
    const [page] = await space.view.listPages();
    expect(await space.text(page!.body!)).toBe("# Intro\n\n```rust\nfn two() {\n    2\n}\n```\n\nMore words.\n");
    expect(added).toMatchObject({ pages: 1, files: 0, skipped: [] });
  });

  test("a space synchronized before rereads its texts once, and directives of other generators are plain text", async () => {
    const { "book.toml": _, ...plain } = book;
    const repository = new Repository({ ...plain, "SUMMARY.md": "* [Intro](src/intro.md)\n" });
    const space = new Space();
    await space.import(repository);
    expect(await shown(space, "src/intro.md")).toBe(book["src/intro.md"]);
    repository.set("book.toml", book["book.toml"]).files.delete("SUMMARY.md");
    await space.import(repository);
    expect(await shown(space)).toContain("fn two()");
    expect((await space.view.getLinks((await space.page("intro.md"))!.id)).length).toBe(2);
  });

  const files = new Map(
    Object.entries({
      "a.rs": "1\n2\n3\n4\n",
      "loop.md": "x {{#include loop.md}}",
      "end.md": "x {% endif %}",
      "wide.md": "{{#include wider.md}}".repeat(9),
      "wider.md": "{{#include a.rs}}".repeat(999),
    }),
  );
  const show = (text: string, hidelines = {}) =>
    expandMdBook(text, { hidelines }, async (path) => (files.has(path) ? { path, text: files.get(path)! } : undefined));

  test.each([
    ["{{#include a.rs:2}}", "2"],
    ["{{#include a.rs:2:3}}", "2\n3"],
    ["{{#include a.rs::2}}", "1\n2"],
    ["{{ #include a.rs:3: }}", "3\n4"],
    ["{{#playground a.rs:1:1 editable}}", "```rust,editable\n1\n```"],
    ["{{#title Other}}# T", "# T"],
    ["\\{{#include a.rs}}", "{{#include a.rs}}"],
    ["{{#nothing a.rs}} {{include a.rs}}", "{{#nothing a.rs}} {{include a.rs}}"],
    ["* x\n  ```\n  {{#include a.rs:1:2}}\n  ```", "* x\n  ```\n  1\n  2\n  ```"],
    ["> {{#include a.rs:1:2}}", "> 1\n> 2"],
    ["{{#include loop.md}}", "x {{#include loop.md}}"],
    ["{% if a %}\n{{#include end.md}}\nb\n{% endif %}", "{% if a %}\n{{#include end.md}}\nb\n{% endif %}"],
    [
      "```rust\n# hidden\n#\n## kept\n#[x]\n  # also\nfn a() {}\n```\n# Heading",
      "```rust\n# kept\n#[x]\nfn a() {}\n```\n# Heading",
    ],
    ["```sh\n# kept\n```", "```sh\n# kept\n```"],
    ["~~~python\n~x\ny\n~~~", "~~~python\ny\n~~~"],
    ["```java,hidelines=!!\n  !!x\ny\n```", "```java,hidelines=!!\ny\n```"],
  ])("the include %j is shown as %j", async (text, expected) => {
    expect(await show(text, { python: "~" })).toBe(expected);
  });

  test("files that include each other are bounded", async () => {
    expect((await show("{{#include wide.md}}".repeat(50))).length).toBeLessThan(50_000);
    expect(findDirectives(`${"{{#include ".repeat(100_000)}}}`)).toEqual([]);
  });
});
