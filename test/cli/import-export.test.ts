// Folders of Markdown come in and go out again, and nothing is read or written that should not be.

import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OperationInput, Resources } from "octavo";
import { describe, expect, test } from "vitest";
import { checkPath, writeFiles } from "../../cli/content/folder";
import { until } from "../support/patience";
import { octavo } from "./processes";
import { ran } from "./run";
import { served, stored } from "./servers";
import { temporaryDirectory } from "./temporary";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function put(folder: string, files: Record<string, string | Uint8Array>): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** Everything in a folder, by its path. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((path) => readFile(path, "latin1")));
  return Object.fromEntries(files.map((path, i) => [path.slice(folder.length + 1), texts[i]!]));
}

const book = {
  "SUMMARY.md": [
    "# Table of contents",
    "",
    "* [Welcome](README.md)",
    "* [Install](install/README.md)",
    "  * [Linux](install/linux.md)",
    "",
    "## Reference",
    "",
    "* [Options](reference/options.md)",
    "* [The project](https://example.com)",
    "",
  ].join("\n"),
  "README.md":
    "---\ndescription:   Odd   spacing stays.\n---\n\n# Welcome\n\nFirst [install](install/linux.md) it.  \n![A dot](.gitbook/assets/dot.png)\n",
  "install/README.md": "# Install\n\nSee [the options](../reference/options.md#all).\n",
  "install/linux.md": "# Linux\n\n* `apt`\n*   odd *list*\n",
  "reference/options.md": "# Options\n\n## All\n\nBack to [start](../README.md).\n",
  ".gitbook/assets/dot.png": PNG,
};

type Change = OperationInput<"changeContent">["body"]["changes"][number];
type Tree = [path: string, type: string, title: string, below: Tree][];
const treeOf = (pages: readonly Resources.PageInTree[]): Tree =>
  pages.map(({ path, type, title, pages: below }) => [path, type, title, treeOf(below)]);

describe("importing a folder", () => {
  test("a folder is imported as one revision, exported, and imported again as the same tree", async () => {
    const { api, user, env } = await served();
    const folder = await put(await temporaryDirectory(), book);
    const first = await ran(["import", folder, "--title", "Guide", "--json"], env);
    expect(first.stderr).not.toContain("error");
    const { space, imported, leftOut } = JSON.parse(first.stdout);
    expect([first.status, imported, leftOut]).toEqual([0, { pages: 6, files: 1 }, []]);
    const shown = await api.call("listPages", { params: { spaceId: space } }, { user });
    expect(treeOf(shown.pages)).toEqual([
      ["welcome", "document", "Welcome", []],
      ["install", "document", "Install", [["install/linux", "document", "Linux", []]]],
      [
        "reference",
        "group",
        "Reference",
        [
          ["reference/options", "document", "Options", []],
          ["reference/the-project", "link", "The project", []],
        ],
      ],
    ]);
    const broken = await ran(["check", "--space", space], env);
    expect(broken.stdout).toBe("Checked 4 pages in 1 space: found 0 problems.\n");

    const out = join(await temporaryDirectory(), "out");
    const exported = await ran(["export", out, "--space", space], env);
    expect(exported).toMatchObject({ status: 0, stdout: expect.stringMatching(/: 6 files\.\n$/) });
    const written = await filesIn(out);
    expect(Object.keys(written)).not.toContain(".octavo-unfinished");
    expect(written["install/linux.md"]).toBe(book["install/linux.md"]);
    expect(written[".gitbook/assets/dot.png"]).toBe(PNG.toString("latin1"));
    expect(written["README.md"]).toBe(book["README.md"]);

    const again = JSON.parse((await ran(["import", out, "--title", "Again", "--json"], env)).stdout);
    expect(again.leftOut).toEqual([]);
    const same = await api.call("listPages", { params: { spaceId: again.space } }, { user });
    expect(treeOf(same.pages)).toEqual(treeOf(shown.pages));
    const second = join(await temporaryDirectory(), "second");
    await ran(["export", second, "--space", again.space], env);
    expect(await filesIn(second)).toEqual(written);
  });

  test("a folder with computed pages is imported with them and exported unchanged", async () => {
    const { api, user, env } = await served();
    const computed = (type: string) =>
      `* \`\`\`yaml\n  title: "Things"\n  type: ${type}\n  props:\n    models: true\n  \`\`\`\n`;
    const contents = `# Table of contents\n\n* [Welcome](README.md)\n${computed("builtin:openapi")}`;
    const folder = await put(await temporaryDirectory(), {
      "README.md": "# Welcome\n",
      "SUMMARY.md": contents + computed("builtin:magic"),
    });
    const { space, leftOut } = JSON.parse((await ran(["import", folder, "--title", "G", "--json"], env)).stdout);
    expect(leftOut).toEqual([{ resource: "things-1", reason: expect.stringContaining("not available") }]);
    const { pages } = await api.call("listPages", { params: { spaceId: space } }, { user });
    expect(treeOf(pages).at(-1)).toEqual(["things", "computed", "Things", []]);
    const out = join(await temporaryDirectory(), "out");
    await ran(["export", out, "--space", space], env);
    expect((await filesIn(out))["SUMMARY.md"]).toBe(contents);
  });

  test("a folder with more pages than one batch keeps its links in both directions", async () => {
    const { env, organization } = await stored(async () => undefined);
    const name = (n: number) => `page-${String(n).padStart(3, "0")}.md`;
    // Each leads to the one before and to one far away; every second one stands below the one before. So a batch ends
    // between a page and the one that names it, and between a page and the one below it.
    const pages: Record<string, string> = { "README.md": "# Start\n" };
    const contents = ["* [Start](README.md)"];
    for (let n = 1; n < 120; n++) {
      const before = n === 1 ? "README.md" : name(n - 1);
      pages[name(n)] = `# Page ${n}\n\n[back](${before}), [on](${name(((n + 60) % 119) + 1)})\n`;
      contents.push(`${n % 2 === 0 ? "  " : ""}* [Page ${n}](${name(n)})`);
    }
    pages["SUMMARY.md"] = `${contents.join("\n")}\n`;
    const folder = await put(await temporaryDirectory(), pages);
    const imported = await ran(["import", folder, "--org", organization, "--json"], env);
    expect(imported.status).toBe(0);
    const { space } = JSON.parse(imported.stdout);
    expect((await ran(["check", "--space", space], env)).stdout).toMatch(/^Checked 120 pages in 1 space: found 0 /);
    const out = join(await temporaryDirectory(), "out");
    expect((await ran(["export", out, "--space", space], env)).status).toBe(0);
    const again = await ran(["import", out, "--org", organization, "--title", "Again", "--json"], env);
    const second = join(await temporaryDirectory(), "second");
    expect((await ran(["export", second, "--space", JSON.parse(again.stdout).space], env)).status).toBe(0);
    const written = await filesIn(out);
    expect(await filesIn(second)).toEqual(written);
    expect(written["page-001/page-002.md"]).toBe("# Page 2\n\n[back](README.md), [on](../page-063/README.md)\n");
  });

  test("a folder imported after existing content keeps links to its own pages", async () => {
    const { api, user, env } = await served();
    const folder = await put(await temporaryDirectory(), book);
    const { space } = JSON.parse((await ran(["import", folder, "--title", "Guide", "--json"], env)).stdout);
    const again = await ran(["import", folder, "--space", space, "--json"], env);
    expect([again.status, again.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    const { pages } = await api.call("listPages", { params: { spaceId: space } }, { user });
    expect(pages.map(({ path }) => path)).toEqual([
      ...["welcome", "install", "reference"],
      ...["welcome-1", "install-1", "reference-1"],
    ]);
    const params = { spaceId: space, pageId: pages[3]!.id };
    const links = await api.call("listLinksOfPage", { params }, { user });
    const targets = links.items.map(({ targetReference: to }) => (to.kind === "page" ? to.page.path : to.kind));
    expect(targets.sort()).toEqual(["file", "install-1/linux"]);
  });

  test("import does not follow symbolic links, and reports what it skipped", async () => {
    const { env } = await served();
    const secret = join(await put(await temporaryDirectory(), { "secret.md": "# Secret\n" }), "secret.md");
    const folder = await put(await temporaryDirectory(), { "README.md": "# Start\n", "node_modules/a.md": "# No\n" });
    await symlink(secret, join(folder, "linked.md"));
    const imported = await ran(["import", folder, "--strict"], env);
    expect(imported.status).toBe(1);
    expect(imported.stdout).toMatch(/^Skipped: linked\.md: It is a symbolic link .*\nImported 1 page and 0 files/);
  });

  test("import detects a folder whose export was killed and refuses it", async () => {
    const { env } = await served();
    const folder = await put(await temporaryDirectory(), { "README.md": "# Start\n", ".octavo-unfinished": "" });
    expect(await ran(["import", folder], env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is incomplete. Run it again"),
    });
  });
});

test("export and import keep everything in a space: reusable content, variables, fields and links as pages", async () => {
  const { api, user, env, organization: organizationId } = await served();
  const { id: spaceId } = await api.call(
    "createSpace",
    { params: { organizationId }, body: { title: "Rich" } },
    { user },
  );
  const params = { spaceId };
  const write = (changes: Change[]) => api.call("changeContent", { params, body: { changes } }, { user });
  const files = [{ name: "dot.png", contentType: "image/png", base64: PNG.toString("base64"), ref: "dot" }];
  const { insertedFiles } = await write([{ operation: "insert_files", files }]);
  const file = insertedFiles![0]!.id;
  const made = await write([
    {
      operation: "insert_page",
      ref: "start",
      title: "Start",
      emoji: "1f680",
      document: { markdown: "Hello {{ space.vars.name }}.\n" },
    },
    {
      operation: "insert_page",
      ref: "last",
      title: "Last",
      hidden: true,
      noIndex: true,
      description: "At the end.",
      document: { markdown: "Bye.\n" },
    },
    { operation: "set_variables", variables: { name: "Octavo", count: 3, isEnabled: true } },
  ]);
  const [start, last] = made.changes.map((it) => (it.object === "created_page" ? it.page.id : ""));
  const cover = { ref: { kind: "file" as const, file }, yPos: 10 };
  const shared = { markdown: `Shared, see [the last](/pages/${last}).\n` };
  const { changes } = await write([{ operation: "insert_reusable_content", title: "Shared words", document: shared }]);
  const reusable = changes.flatMap((it) => (it.object === "created_reusable_content" ? [it.reusableContent] : []))[0]!;
  await write([
    { operation: "insert_link", title: "To the last", at: 0, target: { kind: "page", page: last! } },
    { operation: "update_page", page: last!, cover, layout: { width: "wide" }, variables: { a: "b" } },
    {
      operation: "insert_page",
      into: start!,
      title: "Below",
      document: { markdown: `{% include "/reusable-contents/${reusable}" %}\n\n![](/files/${file})\n` },
    },
  ]);
  const held = async (space: string) => {
    const content = await api.call("getContent", { params: { spaceId: space } }, { user });
    const field = ({
      path,
      type,
      title,
      emoji,
      hidden,
      noIndex,
      description,
      layout,
      variables,
      cover,
      target,
    }: Resources.PageInTree) => ({
      ...{ path, type, title, emoji, hidden, noIndex, description, layout, variables },
      ...{ cover: cover && [cover.ref.kind, cover.yPos], target: target?.kind },
    });
    const all = (pages: readonly Resources.PageInTree[]): object[] =>
      pages.flatMap((it) => [field(it), ...all(it.pages)]);
    const { pages, variables, reusableContents } = content;
    return {
      pages: all(pages),
      variables,
      titles: reusableContents.map(({ title }) => title),
      files: content.files.map(({ name }) => name),
    };
  };
  const out = join(await temporaryDirectory(), "out");
  expect(await ran(["export", out, "--space", spaceId, "--strict"], env)).toMatchObject({ status: 0 });
  const again = await ran(["import", out, "--title", "Again", "--json", "--strict"], env);
  expect(again.status).toBe(0);
  const { space } = JSON.parse(again.stdout);
  expect(await held(space)).toEqual(await held(spaceId));
  expect((await ran(["check", "--space", space], env)).status).toBe(0);
  const second = join(await temporaryDirectory(), "second");
  await ran(["export", second, "--space", space], env);
  expect(await filesIn(second)).toEqual(await filesIn(out));
});

describe("exporting", () => {
  test("export of an organization writes a folder for each space, and refuses a folder with other files in it", async () => {
    const { env } = await served();
    const folder = await put(await temporaryDirectory(), { "README.md": "# Start\n" });
    for (const title of ["Guide", "guide!", "con"]) await ran(["import", folder, "--title", title], env);
    const out = await put(await temporaryDirectory(), { "mine.txt": "mine" });
    const refused = await ran(["export", out], env);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("is not empty")]);
    expect((await ran(["export", out, "--overwrite"], env)).status).toBe(0);
    expect((await readdir(out)).sort()).toEqual(["con-2", "guide", "guide-2", "mine.txt"]);
  });

  test("export writes nothing outside its folder and no file name that an operating system forbids", async () => {
    const folder = await temporaryDirectory();
    const outside = await temporaryDirectory();
    await symlink(outside, join(folder, "link"));
    await symlink(join(outside, "file.md"), join(folder, "linked.md"));
    const names = [
      "../up.md",
      "/etc/x.md",
      "a/../../b.md",
      "link/in.md",
      "linked.md",
      "CON.md",
      "a\\b.md",
      "dot.",
      "c:x.md",
    ];
    const files = new Map([...names, "Good.md", "good.md", "a//b.md"].map((name) => [name, Buffer.from(name)]));
    const leftOut = await writeFiles(folder, files, () => {});
    expect(leftOut.map(({ resource }) => resource)).toEqual([...names, "good.md", "a//b.md"]);
    expect(await readdir(outside)).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(["Good.md", "link", "linked.md"]);
    expect(checkPath("é.md", new Map([["é.md", "é.md"]]))).toContain("can't distinguish its name");
  });
});

test("an import that is killed midway changes nothing that readers see", async () => {
  // The second batch is never answered.
  let batches = 0;
  const { api, user, organization, env } = await served({}, (handler) => (request, response) => {
    const isBatch = request.method === "POST" && /change-requests\/[^/]+\/content/.test(request.url!);
    if (!isBatch || ++batches < 2) handler(request, response);
  });
  const organizationId = organization;
  const space = await api.call("createSpace", { params: { organizationId }, body: { title: "Guide" } }, { user });
  const pages = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}.md`, `# Page ${n}\n`]));
  const folder = await put(await temporaryDirectory(), pages);
  const command = octavo(["import", folder, "--space", space.id], env);
  const params = { spaceId: space.id };
  await until(() => expect(batches).toBe(2));
  command.child.kill("SIGKILL");
  expect(await command.exited).toBe("SIGKILL");
  expect(command.output.stderr).toContain("50 of 300");
  expect((await api.call("listPages", { params }, { user })).pages).toEqual([]);
});

test.each([
  ["SIGKILL", "SIGKILL"],
  ["SIGINT", 130],
] as const)("an export that is ended by %s is detected, and the next export completes it", async (signal, status) => {
  // The second page is not answered before the command is gone.
  let isHeld = true;
  let pages = 0;
  const { env } = await served({}, (handler) => (request, response) => {
    const isPage = /revisions\/[^/]+\/page\//.test(request.url!) && ++pages > 1;
    if (!isPage || !isHeld) handler(request, response);
  });
  const folder = await put(await temporaryDirectory(), book);
  const { space } = JSON.parse((await ran(["import", folder, "--title", "Guide", "--json"], env)).stdout);
  const out = join(await temporaryDirectory(), "out");
  const command = octavo(["export", out, "--space", space], env);
  await until(() => expect(pages).toBe(2));
  command.child.kill(signal);
  expect(await command.exited).toBe(status);
  if (signal === "SIGINT") expect(command.output.stderr).toMatch(/Interrupted\.\n$/);
  expect(await readdir(out)).toEqual([".octavo-unfinished"]);
  expect((await ran(["import", out], env)).status).toBe(1);
  isHeld = false;
  expect((await ran(["export", out, "--space", space], env)).status).toBe(0);
  expect(await readdir(out)).not.toContain(".octavo-unfinished");
});

describe("exporting a site", () => {
  test("a site is exported as a folder of pages", async () => {
    const { env, filled } = await stored(async (api, organizationId, user) => {
      const as = { user };
      const space = await api.call("createSpace", { params: { organizationId }, body: { title: "Guide" } }, as);
      const changes: Change[] = [
        { operation: "insert_page", title: "Start", document: { markdown: "Hello, see [more](./more.md)." } },
        { operation: "insert_page", title: "More", document: { markdown: "More." } },
      ];
      await api.call("changeContent", { params: { spaceId: space.id }, body: { changes } }, as);
      const site = { title: "Docs", visibility: "public" as const, spaces: [space.id] };
      const { id: siteId } = await api.call("createSite", { params: { organizationId }, body: site }, as);
      const published = await api.call("publishSite", { params: { organizationId, siteId } }, as);
      return { siteId, url: published.urls.published! };
    });
    const folder = join(await temporaryDirectory(), "public");
    const done = await ran(["export-site", filled.siteId, folder], env);
    expect(done).toMatchObject({ status: 0, stdout: `Exported ${filled.url} to ${folder}: 2 pages, 0 files.\n` });
    const files = await filesIn(folder);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(["404.html", "index.html", "llms.txt", "more.md", "more/index.html", "robots.txt"]),
    );
    expect(files["start/index.html"]).toContain('<a href="../more/index.html">more</a>');
    expect(Object.keys(files).some((path) => path.includes("unfinished"))).toBe(false);
    expect(await ran(["export-site", filled.siteId, folder], env)).toMatchObject({ status: 1 });
    const again = ["export-site", filled.url, folder, "--overwrite", "--home", "https://docs.example.com", "--json"];
    expect(JSON.parse((await ran(again, env)).stdout)).toMatchObject({ pages: 2, leftOut: [] });
    expect((await filesIn(folder))["sitemap.xml"]).toContain("<loc>https://docs.example.com/more/</loc>");
    const other = join(await temporaryDirectory(), "other");
    expect(await ran(["export-site", "sit_none", other], env)).toMatchObject({ status: 1 });
    expect(await ran(["export-site", filled.siteId, other, "--home", "x"], env)).toMatchObject({ status: 2 });
    expect(await ran(["export-site", filled.siteId, other])).toMatchObject({ status: 2 });
  });
});
