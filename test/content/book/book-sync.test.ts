// Changes on either side of a synchronization: only the changed file or page changes, and ids are kept.

import { describe, expect, test } from "vitest";
import { readBook } from "../../../src/content/book/read-book";
import { mergeRevisions } from "../../../src/content/merge";
import { folders, gitbook, mdbook } from "./books/corpus";
import { type Contents, Repository, Space } from "./books/trees";

async function imported(contents: Contents = gitbook): Promise<{ space: Space; repository: Repository }> {
  const [repository, space] = [new Repository(contents), new Space()];
  await space.import(repository);
  return { space, repository };
}

/** The keys whose values differ. */
async function changedKeys(space: Space, change: () => Promise<unknown>): Promise<string[]> {
  const before = await space.entries();
  await change();
  const after = await space.entries();
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)))
    .sort();
}

describe("links in a repository", () => {
  test("links in a repository lead where its generator would lead them, and the files stay unchanged", async () => {
    const contents: Contents = {
      "hugo.toml": "",
      "static/images/logo.png": Uint8Array.of(1, 2),
      "content/en/_index.md":
        "# Home\n\n[a](/guides/) [b](/guides/set-up/#do-it) [c](/guides/setting_up) [d](/nowhere/)\n",
      "content/en/guides/_index.md": "# Guides\n\n[e](../) ![f](/images/logo.png) [g](/guides/Other.md)\n",
      "content/en/guides/set-up.md": "# Set up\n\n## Do it!\n\n[h](../setting_up/) [i](setting_up.html)\n",
      "content/en/guides/Setting_Up.md": "# Setting up\n\n[k](/content/en/guides/set-up.md)\n",
      "content/en/glossary.md": "# Glossary\n",
    };
    const { space, repository } = await imported(contents);
    const links: Record<string, string> = {};
    for (const { id } of await space.view.listPages())
      for (const { href, to } of await space.view.getLinks(id)) {
        const [kind, target = ""] = to.split(":");
        const page = await space.view.getPage(target);
        links[href] = kind === "n" ? "nowhere" : (page?.git?.path ?? kind!).replace("content/en/", "");
      }
    expect(links).toEqual({
      "/guides/": "guides/_index.md",
      "/guides/set-up/#do-it": "guides/set-up.md",
      "/guides/setting_up": "guides/Setting_Up.md",
      "/nowhere/": "nowhere",
      "../": "_index.md",
      "/images/logo.png": "f",
      "/guides/Other.md": "nowhere",
      "../setting_up/": "guides/Setting_Up.md",
      "setting_up.html": "nowhere",
      "/content/en/guides/set-up.md": "guides/set-up.md",
    });
    expect(await space.page("content/en/glossary.md")).toBeDefined();
    const written = await space.export(repository);
    for (const [path, text] of Object.entries(contents))
      expect(await written.read(path)).toEqual(typeof text === "string" ? new TextEncoder().encode(text) : text);
  });
});

describe("changes in the repository", () => {
  test("a change to one file in the repository updates one page and reads nothing else", async () => {
    const { space, repository } = await imported();
    repository.set("guides/start/first-steps.md", "# First steps\n\nQuite [different](install.md) now.\n").reads = [];
    const { id } = (await space.page("guides/start/first-steps.md"))!;
    const { id: install } = (await space.page("guides/start/install.md"))!;
    space.textReads = 0;
    const keys = await changedKeys(space, () => space.import(repository));
    expect(keys).toEqual(
      [
        "g/guides%2Fstart%2Ffirst-steps.md",
        `i/p:${install}/${id}/000000`,
        `i/p:${install}:requirements/${id}/000000`,
        `o/${id}/000000`,
        `p/${id}`,
        `t/p:${install}`,
        `t/p:${install}:requirements`,
      ].sort(),
    );
    expect([...new Set(repository.reads)].sort()).toEqual([
      ".gitbook.yaml",
      ".gitbook/tags.yaml",
      ".gitbook/vars.yaml",
      "SUMMARY.md",
      "guides/start/first-steps.md",
    ]);
    expect(space.textReads).toBe(0);
  });

  test.each([
    ["is moved as it is", (text: string) => text],
    [
      "is moved and changed a little",
      (text: string) => text.replace("Nothing to do.", "Little to do.\n\nVery little."),
    ],
  ])("a renamed file keeps the id of its page: %s", async (_, change) => {
    const { space, repository } = await imported();
    const { id } = (await space.page("guides/start/install/linux.md"))!;
    const text = repository.text("guides/start/install/linux.md")!;
    repository.files.delete("guides/start/install/linux.md");
    repository.set("guides/start/install/gnu-linux.md", change(text));
    repository.set("SUMMARY.md", repository.text("SUMMARY.md")!.replace("install/linux.md", "install/gnu-linux.md"));
    const laid = await space.import(repository);
    const page = (await space.page("guides/start/install/gnu-linux.md"))!;
    expect(page).toMatchObject({ id, slug: "gnu-linux" });
    expect(laid.pages).toEqual({ created: 0, updated: 1, deleted: 0 });
    expect((await space.view.findPageByPath("guides/start/install/linux"))?.id).toBe(id);
  });

  test("a renamed folder keeps the ids of all its pages, even if two have the same text", async () => {
    const { space, repository } = await imported({
      "SUMMARY.md": "* [A](old/a.md)\n* [B](old/b.md)\n* [C](old/c.md)\n",
      "old/a.md": "# A\n\nThe same.\n",
      "old/b.md": "# B\n\nSomething of its own, at some length.\n",
      "old/c.md": "# C\n\nAnother thing of its own, and longer.\n",
    });
    const before = Object.values(await space.ids());
    for (const name of ["a", "b", "c"]) {
      repository.set(`new/${name}.md`, repository.text(`old/${name}.md`)!);
      repository.files.delete(`old/${name}.md`);
    }
    repository.set("SUMMARY.md", repository.text("SUMMARY.md")!.replaceAll("old/", "new/"));
    await space.import(repository);
    expect(await space.ids()).toEqual({ "new/a.md": before[0], "new/b.md": before[1], "new/c.md": before[2] });
  });

  test("deleted pages are removed, and links to them are broken until they return", async () => {
    const { space, repository } = await imported();
    const summary = repository.text("SUMMARY.md")!;
    const without = summary.replace("    * [On Linux](guides/start/install/linux.md)\n", "");
    repository.set("README.md", `${repository.text("README.md")}\n[Linux](guides/start/install/linux.md)\n`);
    await space.import(repository);
    const { id: home } = (await space.page("README.md"))!;
    const led = async () => (await space.view.getLinks(home)).find(({ href }) => href.endsWith("linux.md"))!.to;
    expect(await led()).toMatch(/^p:/);
    const text = repository.text("guides/start/install/linux.md")!;
    repository.set("SUMMARY.md", without).files.delete("guides/start/install/linux.md");
    expect((await space.import(repository)).pages.deleted).toBe(1);
    expect(await led()).toMatch(/^n:/);
    repository.set("SUMMARY.md", summary).set("guides/start/install/linux.md", text);
    await space.import(repository);
    expect(await led()).toBe(`p:${(await space.page("guides/start/install/linux.md"))!.id}`);
  });

  test("an image that an existing text refers to is imported when it appears, and one without references is removed", async () => {
    const { space, repository } = await imported(folders);
    repository.set("docs/usage.md", "![new](new.png)\n");
    await space.import(repository);
    repository.set("docs/new.png", "PNG").set("docs/2-setup.md", "# Setup\n\nNo picture.\n");
    const laid = await space.import(repository);
    expect(laid.files).toEqual({ created: 1, updated: 0, deleted: 1 });
    const fresh = new Space();
    await fresh.import(repository);
    const paths = async (it: Space) =>
      [...(await it.entries())].flatMap(([key, value]) =>
        key.startsWith("f/") ? [(value as { path: string }).path] : [],
      );
    expect(await paths(space)).toEqual(await paths(fresh));
    const { id } = (await space.page("docs/usage.md"))!;
    expect((await space.view.getLinks(id))[0]!.ref.kind).toBe("file");
  });

  test("a changed or renamed image keeps its id", async () => {
    const { space, repository } = await imported();
    const fileId = async (path: string) =>
      [...(await space.entries())].find(
        ([key, it]) => key.startsWith("f/") && (it as { path: string }).path === path,
      )?.[0];
    const id = await fileId(".gitbook/assets/setup.txt");
    repository.set(".gitbook/assets/setup.txt", "Run it twice.\n");
    expect((await space.import(repository)).files).toEqual({ created: 0, updated: 1, deleted: 0 });
    expect(await fileId(".gitbook/assets/setup.txt")).toBe(id);
    repository.files.delete(".gitbook/assets/setup.txt");
    repository.set(".gitbook/assets/run.txt", "Run it twice.\n");
    expect((await space.import(repository)).files).toEqual({ created: 0, updated: 1, deleted: 0 });
    expect(await fileId(".gitbook/assets/run.txt")).toBe(id);
  });

  test("a changed order moves as few pages as possible", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const contents = Object.fromEntries(names.map((name) => [`${name}.md`, `# ${name}\n`]));
    const { space, repository } = await imported({
      ...contents,
      "SUMMARY.md": names.map((it) => `* [${it}](${it}.md)\n`).join(""),
    });
    repository.set("SUMMARY.md", ["e", "a", "b", "c", "d"].map((it) => `* [${it}](${it}.md)\n`).join(""));
    expect((await space.import(repository)).pages).toEqual({ created: 0, updated: 1, deleted: 0 });
    expect(await space.outline()).toEqual(["e (e)", "a (a)", "b (b)", "c (c)", "d (d)"]);
  });

  test("a changed group title keeps the id of the group", async () => {
    const { space, repository } = await imported();
    const group = async (title: string) =>
      (await space.view.listPages()).find((page) => page.type === "group" && page.title === title)?.id;
    const id = await group("Reference");
    repository.set("SUMMARY.md", repository.text("SUMMARY.md")!.replace("## Reference", "## All about it"));
    await space.import(repository);
    expect(await group("All about it")).toBe(id);
  });

  test("changed variables are set and removed", async () => {
    const { space, repository } = await imported();
    expect(await space.view.getVariables()).toEqual({ product: "Octavo", version: 3, beta: true });
    repository.set(".gitbook/vars.yaml", "product: Quarto\nnew: 1\n");
    await space.import(repository);
    expect(await space.view.getVariables()).toEqual({ product: "Quarto", new: 1 });
  });

  test("fields that a text no longer states are removed from its page", async () => {
    const { space, repository } = await imported();
    expect(await space.page("README.md")).toMatchObject({ description: "What this is", icon: "house" });
    repository.set("README.md", "---\nicon: star\n---\n\n# Welcome\n");
    await space.import(repository);
    const page = (await space.page("README.md"))!;
    expect([page.description, page.icon]).toEqual([undefined, "star"]);
  });

  test("former paths of pages redirect readers", async () => {
    const { space } = await imported();
    expect((await space.view.findPageByPath("old-start"))?.git?.path).toBe("guides/start.md");
  });

  test("the cover that a text names is a file of the space", async () => {
    const { space } = await imported();
    expect((await space.page("guides/start.md"))!.cover).toMatchObject({ ref: { kind: "file" }, yPos: 12 });
  });
});

describe("changes in the space", () => {
  test("a changed text in the space writes one file", async () => {
    const { space, repository } = await imported();
    const { id } = (await space.page("guides/start/install.md"))!;
    await space.apply({ operation: "update_page", page: id, document: { markdown: "# Install\n\nShort.\n" } });
    space.textReads = 0;
    const { files, deletedPaths: deleted } = await space.write({ previousTree: repository });
    expect([...files.keys()]).toEqual(["guides/start/install.md"]);
    expect(deleted).toEqual([]);
    expect(space.textReads).toBe(1);
    const there = await space.export(repository);
    const before = space.root;
    await space.import(there);
    expect(space.root).toBe(before);
  });

  test("new pages in the space become files beside their parents, with titles, fields and links", async () => {
    const { space, repository } = await imported();
    const { id: start } = (await space.page("guides/start.md"))!;
    const { id: home } = (await space.page("README.md"))!;
    const [upper, lower] = await space.apply(
      {
        operation: "insert_page",
        title: "Upper",
        icon: "bolt",
        into: start,
        ref: "upper",
        document: { markdown: `[home](/pages/${home}#a) [gone](/pages/gone) [x](https://x.org)\n` },
      },
      {
        operation: "insert_page",
        title: "Lower & [other]",
        into: "upper",
        document: { markdown: `---\ndescription: D\n---\nText [up](/pages/${start}).\n` },
      },
    );
    const there = await space.export(repository);
    expect(there.text("guides/start/upper/README.md")).toBe(
      "---\nicon: bolt\n---\n\n# Upper\n\n[home](../../../README.md#a) [gone](broken-reference) [x](https://x.org)\n",
    );
    expect(there.text("guides/start/upper/lower-other.md")).toBe(
      "---\ndescription: D\n---\n\n# Lower & \\[other]\n\nText [up](../../start.md).\n",
    );
    expect(there.text("SUMMARY.md")).toContain(
      "  * [First steps](guides/start/first-steps.md)\n  * [Upper](guides/start/upper/README.md)\n    * [Lower \\& \\[other\\]](guides/start/upper/lower-other.md)\n",
    );
    expect(there.text("SUMMARY.md")).toContain('* [Changelog](changelog.md "What changed")\n');
    const before = space.root;
    await space.import(there);
    expect(space.root).toBe(before);
    expect(await space.ids()).toMatchObject({
      "guides/start/upper/README.md": upper,
      "guides/start/upper/lower-other.md": lower,
    });
  });

  test("exported pages are recognized even if their files were not recorded", async () => {
    const { space, repository } = await imported();
    const [id] = await space.apply({ operation: "insert_page", title: "New", document: { markdown: "Text.\n" } });
    await space.import(await repository.with(await space.write({ previousTree: repository })));
    expect((await space.ids())["new.md"]).toBe(id);
  });

  test("deleting a page in the space deletes its file, and files that the import skipped stay", async () => {
    const { space, repository } = await imported({ ...gitbook, ".gitbook/assets/big\n.png": "x" });
    repository.odd.push({ path: ".gitbook/assets/link.png", mode: "120000", oid: "1".repeat(40) });
    repository.set("latin.md", Uint8Array.of(0x23, 0x20, 0xe4));
    repository.set("SUMMARY.md", `${repository.text("SUMMARY.md")}* [Latin](latin.md)\n`);
    await space.import(repository);
    const { id } = (await space.page("guides/start/install/linux.md"))!;
    await space.apply({ operation: "delete_page", page: id });
    const { files, deletedPaths: deleted } = await space.write({ previousTree: repository });
    expect(deleted).toEqual(["guides/start/install/linux.md"]);
    expect([...files.keys()]).toEqual(["SUMMARY.md"]);
  });

  test("deleting a file of the space deletes it wherever it was in the repository", async () => {
    const { space, repository } = await imported(folders);
    const before = space.view;
    const file = [...(await space.entries()).keys()].find((key) => key.startsWith("f/"))!.slice(2);
    await space.apply({ operation: "delete_files", files: [file] });
    expect((await space.write({ previousTree: repository, previousView: before })).deletedPaths).toEqual([
      "images/a.png",
    ]);
  });

  test("moving a page in the space rewrites only the table of contents", async () => {
    const { space, repository } = await imported();
    const { id } = (await space.page("changelog.md"))!;
    await space.apply({ operation: "move_page", page: id, into: null, at: 0 });
    const { files, deletedPaths: deleted } = await space.write({ previousTree: repository });
    expect([...files.keys(), ...deleted]).toEqual(["SUMMARY.md"]);
  });

  test("a changed title is written to the table of contents unless it had a title of its own", async () => {
    const { space, repository } = await imported();
    const [{ id: own }, { id: other }] = [
      (await space.page("reference/README.md"))!,
      (await space.page("changelog.md"))!,
    ];
    await space.apply(
      { operation: "update_page", page: own, title: "Interface" },
      { operation: "update_page", page: other, title: "All changes" },
    );
    const there = await space.export(repository);
    expect(there.text("reference/README.md")).toBe("# Interface\n\nText.\n");
    expect(there.text("changelog.md")).toContain("# All changes\n");
    expect(there.text("SUMMARY.md")).toContain("* [Interface](reference/README.md)\n");
    expect(there.text("SUMMARY.md")).toContain('* [Changelog](changelog.md "What changed")\n');
  });

  test("a changed field that no text states is written into the text", async () => {
    const { space, repository } = await imported();
    const { id } = (await space.page("guides/start.md"))!;
    await space.apply({ operation: "update_page", page: id, icon: "rocket", hidden: true });
    const { files } = await space.write({ previousTree: repository });
    const [path, file] = [...files][0] as unknown as [string, { text: string }];
    expect(path).toBe("guides/start.md");
    expect(file.text).toMatch(
      /^---\ncover: \.\.\/\.gitbook\/assets\/logo\.png\ncoverY: 12\nunknown: kept\nicon: rocket\nhidden: true\n---\n/,
    );
  });

  test("a new page never replaces a file outside the book", async () => {
    const { space, repository } = await imported();
    await space.apply(
      { operation: "insert_page", title: "Not listed", document: { markdown: "Ours.\n" } },
      { operation: "insert_page", title: "License", ref: "l", document: { markdown: "Ours.\n" } },
      { operation: "insert_page", title: "Below", into: "l", document: { markdown: "Ours.\n" } },
    );
    repository.set("license", "a file where a folder would be\n");
    const there = await space.export(repository);
    expect(there.text("not-listed.md")).toBe("# Not listed\n");
    expect(there.text("not-listed-1.md")).toBe("# Not listed\n\nOurs.\n");
    expect([...there.files.keys()].filter((path) => path.startsWith("license")).sort()).toEqual([
      "license",
      "license.md",
    ]);
    expect(there.text("below.md")).toBe("# Below\n\nOurs.\n");
  });

  test("the title of a reusable content is cut at 255 characters, never within one", async () => {
    const text = `# ${"\u{1f600}".repeat(300)}\n\nText.\n`;
    const space = new Space();
    await space.import(new Repository({ "README.md": "# A\n", ".gitbook/includes/a.md": text }));
    const titles = [...(await space.entries())].flatMap(([key, value]) =>
      key.startsWith("r/") ? (value as { title: string }).title : [],
    );
    expect(titles).toEqual(["\u{1f600}".repeat(255)]);
  });

  test("uploaded files and reusable content are written and keep their ids", async () => {
    const { space, repository } = await imported();
    await space.apply(
      {
        operation: "insert_files",
        files: [{ name: "new.txt", bytes: new TextEncoder().encode("New.\n"), ref: "new" }],
      },
      {
        operation: "insert_reusable_content",
        title: "Shared words",
        ref: "shared",
        document: { markdown: "Shared ![x](./new)\n" },
      },
      { operation: "insert_page", title: "Uses", document: { markdown: '{% include "./shared" %}\n\n![x](./new)\n' } },
    );
    const there = await space.export(repository);
    expect(there.text(".gitbook/assets/new.txt")).toBe("New.\n");
    expect(there.text(".gitbook/includes/shared-words.md")).toBe(
      "---\ntitle: Shared words\n---\n\nShared ![x](../assets/new.txt)\n",
    );
    expect(there.text("uses.md")).toBe(
      '# Uses\n\n{% include ".gitbook/includes/shared-words.md" %}\n\n![x](.gitbook/assets/new.txt)\n',
    );
    const before = space.root;
    await space.import(there);
    expect(space.root).toBe(before);
  });

  test("computed pages are written to the table of contents and are read back unchanged with their titles", async () => {
    const { space, repository } = await imported();
    const computed = (text: string) => ({ type: "builtin:openapi", props: { models: true, text } });
    await space.apply(
      { operation: "insert_page", type: "computed", title: 'The "API"', computed: computed("```\n~~~\n  `````") },
      { operation: "insert_page", type: "computed", computed: computed("plain"), hidden: true, icon: "code" },
    );
    const shown = async (of: Space) =>
      (await of.view.listPages())
        .filter(({ type }) => type === "computed")
        .map(({ title, slug, computed }) => [title, slug, computed])
        .sort();
    const before = await shown(space);
    expect(before).toHaveLength(3);
    const there = await space.export(repository);
    expect(there.text("SUMMARY.md")).toContain(
      "* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n    text: plain\n  ```\n",
    );
    expect(there.text("SUMMARY.md")).toContain('\n  title: "The \\"API\\""\n  type: builtin:openapi\n');
    const { root } = space;
    await space.import(there);
    expect(space.root).toBe(root);
    expect(await shown((await imported(there.contents())).space)).toEqual(before);
  });

  test("groups, links and computed pages keep what no file states", async () => {
    const set = {
      icon: "code",
      description: "What it is",
      layout: { width: "wide", outline: false },
      cover: { ref: { kind: "url", url: "https://x.example/a.png" }, yPos: 3 },
      variables: { plan: "pro" },
      condition: "visitor.claims.isBeta",
    } as const;
    const space = new Space();
    const repository = new Repository({ "SUMMARY.md": "* [Home](README.md)\n", "README.md": "# Home\n" });
    await space.import(repository);
    await space.apply(
      { operation: "insert_group", title: "Group", ...set },
      { operation: "insert_link", title: "Link", target: { kind: "url", url: "https://x.example" }, ...set },
      { operation: "insert_page", type: "computed", computed: { type: "builtin:openapi" }, ...set },
    );
    const others = async () => (await space.view.listPages()).filter(({ type }) => type !== "document");
    const before = await others();
    expect(before.map(({ type }) => type).sort()).toEqual(["computed", "group", "link"]);
    for (const page of before) expect(page).toMatchObject(set);
    const there = await space.export(repository);
    await space.import(there);
    there.set("SUMMARY.md", `${there.text("SUMMARY.md")}* [New](new.md)\n`);
    there.set("new.md", "# New\n");
    await space.import(there);
    expect(await others()).toEqual(before);
  });

  test("variables are written, and removing the last one deletes their file", async () => {
    const { space, repository } = await imported();
    await space.apply({ operation: "set_variables", variables: { product: "true", beta: null } });
    const there = await space.export(repository);
    expect(there.text(".gitbook/vars.yaml")).toBe('product: "true"\nversion: 3\n');
    await space.apply({ operation: "set_variables", variables: { product: null, version: null } });
    expect((await space.write({ previousTree: there })).deletedPaths).toEqual([".gitbook/vars.yaml"]);
  });

  test("a book without a table of contents needs none while its folders express the same structure", async () => {
    const { space, repository } = await imported(folders);
    const { id } = (await space.page("docs/README.md"))!;
    await space.apply({ operation: "insert_page", into: id, at: 4, title: "Zebra", document: { markdown: "Z\n" } });
    const there = await space.export(repository);
    expect(there.text("docs/zebra.md")).toBe("# Zebra\n\nZ\n");
    expect(there.files.has("SUMMARY.md")).toBe(false);
    await space.apply({ operation: "move_page", page: (await space.page("docs/zebra.md"))!.id, into: id, at: 0 });
    expect((await space.export(there)).text("SUMMARY.md")).toContain(
      "* [Docs](docs/README.md)\n  * [Zebra](docs/zebra.md)\n",
    );
  });

  test("an mdBook is written in the form of mdBook", async () => {
    const { space, repository } = await imported(mdbook);
    const draft = (await space.page("guide/reading/a-draft.md"))!.id;
    await space.apply(
      { operation: "update_page", page: draft, document: { markdown: "Now written.\n" } },
      { operation: "insert_group", title: "More", at: 2 },
    );
    const there = await space.export(repository);
    expect(there.text("text/guide/reading/a-draft.md")).toBe("Now written.\n");
    expect(there.text("text/SUMMARY.md")).toBe(
      "# Summary\n\n[Introduction](README.md)\n\n# User guide\n\n* [Installation](guide/installation.md)\n* [Reading](guide/reading.md)\n  * [A draft](guide/reading/a-draft.md)\n* [Creating](guide/creating.md)\n  * [Deeper](guide/deeper/index.md)\n\n# More\n\n# Reference guide\n\n* [Command line](cli/README.md)\n\n[Contributors](misc/contributors.md)\n",
    );
  });
});

test("a page edited in the space and a file renamed in the repository are merged", async () => {
  const { space, repository } = await imported();
  const base = space.root;
  const { id } = (await space.page("guides/start/first-steps.md"))!;
  await space.apply({
    operation: "update_page",
    page: id,
    document: { markdown: "# First steps\n\nFrom here on, and further.\n" },
  });
  const ours = space.root;
  const text = repository.text("guides/start/first-steps.md")!;
  repository.files.delete("guides/start/first-steps.md");
  repository.set("guides/start/steps.md", text);
  repository.set("SUMMARY.md", repository.text("SUMMARY.md")!.replace("start/first-steps.md", "start/steps.md"));
  space.roots.push(base);
  await space.import(repository);
  const theirs = space.root;
  const { draft, conflicts } = await mergeRevisions(space.source, { base, ours, theirs }, space.tools);
  await space.save(draft);
  expect(conflicts).toEqual([]);
  expect((await space.page("guides/start/steps.md"))?.id).toBe(id);
  const { files, deletedPaths: deleted } = await space.write({ previousTree: repository });
  expect([...files.keys(), ...deleted]).toEqual(["guides/start/steps.md"]);
  expect(await space.view.get("g/guides%2Fstart%2Fsteps.md")).toMatchObject({ page: id });
  expect(await space.view.get("g/guides%2Fstart%2Ffirst-steps.md")).toBeUndefined();
});

test("unlisted files are neither imported nor changed", async () => {
  const book = await readBook(new Repository(gitbook));
  expect([...book.texts.keys()]).not.toContain("not-listed.md");
  expect([...book.files.keys()]).toEqual([".gitbook/assets/logo.png", ".gitbook/assets/setup.txt"]);
});
