// Git synchronization with a real Git server: both directions, merges, outages and crashes.

import type { DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { Repository } from "../../git/repositories";
import { AUTH, type GitServer, gitServer, whyNoGit } from "../../git/server";
import { HOUR, type Setting, setUp } from "../../support/setting";

if (whyNoGit) console.log(`Synchronizing with a real Git server was left out: ${whyNoGit}.`);

const book = {
  "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n  * [Steps](guide/steps.md)\n",
  "README.md": "# Home\r\n\r\nWelcome. See the [guide](guide.md).\r\n",
  "guide.md":
    "---\ndescription: How to\nunknown: kept\n---\n\n# Guide\n\nFirst part.\n\nSecond part.\n\n![dot](.gitbook/assets/dot.png)\n",
  "guide/steps.md": "# Steps\n\n1. One\n2. Two\n",
  ".gitbook/assets/dot.png": Uint8Array.from([137, 80, 78, 71, 13, 10, 26, 10]),
  "unrelated/code.ts": "export {};\n",
};

describe.skipIf(whyNoGit)("a space and a branch", () => {
  let server: GitServer;
  let repository: Repository;
  let setting: Setting;
  let space: string;
  let errors: unknown[];
  let events: { type: string; state?: string; direction?: string }[];
  let isDown: boolean;
  let received = 0;
  const counting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const bytes = await response.arrayBuffer();
    received += bytes.byteLength;
    const { status, headers } = response;
    return new Response(status === 204 || status === 304 ? null : bytes, { status, headers });
  };

  async function begin(options: DocsApiOptions = {}): Promise<void> {
    errors = [];
    events = [];
    isDown = false;
    const before: NonNullable<Parameters<typeof gitServer>[0]>["before"] = (_, res) => {
      if (isDown) res.writeHead(503).end();
      return isDown;
    };
    server = await gitServer({ before });
    repository = await Repository.on(server);
    setting = await setUp(memoryStorage(), {
      fetch: counting,
      git: { http: [new URL(server.origin).host] },
      onError: (error) => errors.push(error),
      onEvent: (event) => void events.push(event as never),
      ...options,
    });
    space = (await setting.ask("create", `POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" })).body.id;
  }
  beforeEach(() => begin());

  const withAuth = (password = AUTH.password) =>
    repository.url.replace("http://", `http://${AUTH.username}:${encodeURIComponent(password)}@`);
  const ask = (route: string, send?: unknown) =>
    setting.ask("create", route.replace("/~", `/v1/spaces/${space}`), send);
  const info = async () => (await ask("GET /~/git/info")).body;
  const contents = async () => (await ask("GET /~/content")).body;
  async function send(direction: "import" | "export", more: object = {}) {
    setting.clock.forward(1000);
    const message = direction === "export" ? { commitMessage: "From the space" } : {};
    const body = { url: withAuth(), ref: "refs/heads/main", ...message, ...more };
    const answer = await ask(`POST /~/git/${direction}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(204);
    return info();
  }
  const text = async (path: string) =>
    (await ask(`GET /~/content/path/${encodeURIComponent(path)}?format=markdown`)).body.markdown as string;
  const titles = async () => {
    const list = (pages: { title: string; pages: never[] }[]): string[] =>
      pages.flatMap(({ title, pages }) => [title, ...list(pages)]);
    return list((await contents()).pages);
  };
  const ids = async () => {
    const list = (pages: { id: string; path: string; pages: never[] }[]): [string, string][] =>
      pages.flatMap((page) => [[page.path, page.id] as [string, string], ...list(page.pages)]);
    return Object.fromEntries(list((await contents()).pages));
  };
  const edit = async (path: string, markdown: string) => {
    const page = (await ids())[path];
    const changes = [{ operation: "update_page", page, document: { markdown } }];
    expect((await ask("POST /~/content", { changes })).status).toBe(200);
  };
  const files = () => repository.git("ls-tree", "-r", "refs/heads/main");

  test("an import creates pages and files and records the commit", async () => {
    const oid = await repository.commit(book, { message: "First" });
    const said = await send("import", {
      repoCommitURL: "https://git.example/one/commit/",
      gitInfo: { provider: "gitlab", url: "https://git.example/one" },
    });
    expect(errors).toEqual([]);
    expect(said).toMatchObject({
      object: "git-info",
      repoName: "one",
      installationProvider: "gitlab",
      url: "https://git.example/one",
      waiting: 0,
      commit: oid,
      lastRun: { direction: "import", status: "completed", commit: oid },
    });
    expect(await titles()).toEqual(["Home", "Guide", "Steps"]);
    const { git, files: kept, pages } = await contents();
    expect(git).toEqual({
      oid,
      message: "First",
      createdByService: false,
      url: `https://git.example/one/commit/${oid}`,
      ref: "refs/heads/main",
    });
    expect(kept).toHaveLength(1);
    expect(pages[0].git.path).toBe("README.md");
    expect((await ask("GET /~")).body.gitSync).toMatchObject({ repoName: "one", installationProvider: "gitlab" });
    expect(events.map(({ type }) => type).filter((type) => type.includes("git"))).toEqual([
      "space_gitsync_started",
      "space_gitsync_completed",
    ]);
  });

  test("an export after an import makes no commit, and an import after an export changes nothing", async () => {
    const oid = await repository.commit(book);
    await send("import");
    const { id } = await contents();
    const before = await ids();
    const said = await send("export");
    expect(said.lastRun).toMatchObject({ status: "completed", commit: oid });
    expect(await repository.tip()).toBe(oid);
    expect((await contents()).id).toBe(id);
    await send("import", { force: true });
    expect((await contents()).id).toBe(id);
    expect(await ids()).toEqual(before);
    expect(errors).toEqual([]);
  });

  test("an edit becomes a commit that touches one file, and importing it changes nothing", async () => {
    await repository.commit(book);
    await send("import");
    const before = await files();
    await edit("guide/steps", "# Steps\n\n1. One\n2. Two\n3. Three\n");
    const said = await send("export");
    expect(said.lastRun.status, JSON.stringify(said)).toBe("completed");
    expect(await repository.git("diff", "--name-only", "refs/heads/main~1", "refs/heads/main")).toBe("guide/steps.md");
    expect(await repository.show("guide/steps.md")).toBe("# Steps\n\n1. One\n2. Two\n3. Three");
    expect((await files()).split("\n").filter((line) => !before.includes(line))).toHaveLength(1);
    expect((await repository.git("log", "-1", "--format=%s|%an")).split("|")).toEqual(["From the space", "The create"]);
    const { id } = await contents();
    await send("import", { force: true });
    expect((await contents()).id).toBe(id);
    expect(errors).toEqual([]);
  });

  test("changes on both sides are merged", async () => {
    await repository.commit(book);
    await send("import");
    await edit("guide", book["guide.md"].replace("First part.", "First part, edited here."));
    await repository.commit({ "guide.md": book["guide.md"].replace("Second part.", "Second part, edited there.") });
    const said = await send("export");
    expect(said.conflicts).toBeUndefined();
    const merged = await repository.show("guide.md");
    expect(merged).toContain("edited here");
    expect(merged).toContain("edited there");
    expect(await text("guide")).toContain("edited there");
    expect(await repository.git("rev-list", "--count", "refs/heads/main")).toBe("3");
    expect(errors).toEqual([]);
  });

  test("on a conflict, the space keeps its side, the other side is a revision, and synchronization continues", async () => {
    await repository.commit(book);
    await send("import");
    await edit("guide/steps", "# Steps\n\nOurs.\n");
    await repository.commit({ "guide/steps.md": "# Steps\n\nTheirs.\n" });
    const said = await send("import");
    expect(said).toMatchObject({
      lastRun: { status: "completed" },
      conflicts: { count: 1, list: [{ kind: "text", page: (await ids())["guide/steps"] }] },
    });
    expect(await text("guide/steps")).toContain("Ours.");
    const theirs = await ask(
      `GET /~/revisions/${said.conflicts.revision}/page/${(await ids())["guide/steps"]}?format=markdown`,
    );
    expect(theirs.body.markdown).toContain("Theirs.");
    const listed = (await ask("GET /~/revisions")).body.items.map(({ id }: { id: string }) => id);
    expect(listed).not.toContain(said.conflicts.revision);
    expect((await send("export")).conflicts).toBeUndefined();
    expect(await repository.show("guide/steps.md")).toContain("Ours.");
    await repository.commit({ "guide/steps.md": "# Steps\n\nTheirs again.\n" });
    await send("import");
    expect(await text("guide/steps")).toContain("Theirs again.");
    expect(errors).toEqual([]);
  });

  test("what one side deleted and the other edited stays and is reported, after import and export", async () => {
    const page = (name: string, word: string) => `# ${name}\n\n${word} ${name}.\n`;
    const names = ["a", "b", "c", "d"];
    await repository.commit({
      "README.md": "# Home\n",
      ...Object.fromEntries(names.map((it) => [`${it}.md`, page(it, "First")])),
    });
    await send("import");
    const known = await ids();
    for (const [direction, edited, deleted] of [
      ["import", "a", "b"],
      ["export", "c", "d"],
    ] as const) {
      await edit(edited, page(edited, "Ours"));
      const change = { operation: "delete_page", page: known[deleted] };
      expect((await ask("POST /~/content", { changes: [change] })).status).toBe(200);
      const latin = Uint8Array.from([35, 32, 233, 10]);
      await repository.commit({
        [`${edited}.md`]: null,
        [`${deleted}.md`]: page(deleted, "Theirs"),
        "latin.md": latin,
      });
      const { conflicts, lastRun } = await send(direction);
      expect(lastRun.skipped, direction).toEqual([{ resource: "latin.md", reason: "It is not in UTF-8." }]);
      expect(conflicts, direction).toMatchObject({ count: 2, revision: expect.any(String) });
      const told = conflicts.list.map(({ kind, page }: { kind: string; page: string }) => `${kind} ${page}`);
      expect(told.sort()).toEqual([edited, deleted].map((it) => `delete ${known[it]}`).sort());
      expect(await text(edited)).toContain("Ours");
      expect(await text(deleted)).toContain("Theirs");
    }
    expect(await repository.show("c.md")).toContain("Ours");
    expect(await repository.show("a.md")).toContain("Ours");
    setting.clock.forward(49 * HOUR);
    await setting.api.maintain();
    expect((await info()).lastRun.skipped).toHaveLength(1);
    expect((await send("export")).conflicts).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test("a wrong password is reported and given up, and the next request runs", async () => {
    await repository.commit(book);
    const said = await send("import", { url: withAuth("wrong-s3cret") });
    expect(said).toMatchObject({ waiting: 0, lastRun: { status: "failed", error: expect.any(String) } });
    expect(events.at(-1)).toMatchObject({ type: "space_gitsync_completed", state: "failure" });
    expect((await send("import")).lastRun.status).toBe("completed");
    expect(errors).toEqual([]);
  });

  test("a temporary outage is waited out", async () => {
    await repository.commit(book);
    isDown = true;
    expect(await send("import")).toMatchObject({
      waiting: 1,
      lastRun: { status: "running", error: expect.any(String) },
      progress: { done: 0, step: "waiting" },
    });
    isDown = false;
    setting.clock.forward(HOUR);
    await setting.api.maintain();
    const after = await info();
    expect(after).toMatchObject({ waiting: 0, lastRun: { status: "completed" } });
    expect(after.progress).toBeUndefined();
    expect(await titles()).toEqual(["Home", "Guide", "Steps"]);
  });

  test("a long outage is given up after a while", async () => {
    isDown = true;
    await send("import");
    for (let i = 0; i < 12; i++) {
      setting.clock.forward(HOUR);
      await setting.api.maintain();
    }
    expect(await info()).toMatchObject({ waiting: 0, lastRun: { status: "failed" } });
    expect((await setting.ask("admin", `GET /v1/orgs/${setting.org}/jobs?status=parked`)).body.items).toEqual([]);
  });

  test("of several requests during an outage, the last of each kind waits", async () => {
    await repository.commit(book);
    isDown = true;
    for (let i = 0; i < 3; i++) await send("import");
    expect((await info()).waiting).toBe(1);
  });

  test("with force, the repository wins over changes in the space", async () => {
    await repository.commit(book);
    await send("import");
    await edit("guide/steps", "# Steps\n\nOurs.\n");
    await send("import", { force: true });
    expect(await text("guide/steps")).toContain("1. One");
    await repository.commit({ "guide/steps.md": "# Steps\n\nTheirs.\n" });
    await edit("guide/steps", "# Steps\n\nOurs again.\n");
    await send("export", { force: true });
    expect(await repository.show("guide/steps.md")).toContain("Ours again.");
    expect(errors).toEqual([]);
  });

  test("with standalone, the import is a revision, and the space stays unchanged", async () => {
    await repository.commit(book);
    const { id } = await contents();
    const said = await send("import", { standalone: true });
    expect((await contents()).id).toBe(id);
    const made = await ask(`GET /~/revisions/${said.lastRun.revision}`);
    expect(made.body.pages.map(({ title }: { title: string }) => title)).toEqual(["Home", "Guide"]);
    expect(made.body.git.createdByService).toBe(false);
  });

  test("a new space is exported into an empty repository, and another space imports the same", async () => {
    const changes = [
      { operation: "insert_page", title: "Start", document: { markdown: "Hello." } },
      { operation: "insert_page", title: "Next", document: { markdown: "More." } },
    ];
    await ask("POST /~/content", { changes });
    const before = await ids();
    const said = await send("export");
    expect(said.lastRun, JSON.stringify(said)).toMatchObject({ status: "completed", commit: await repository.tip() });
    expect(await ids()).toEqual(before);
    const { id, git } = await contents();
    expect(git.createdByService).toBe(true);
    await send("import", { force: true });
    expect((await contents()).id).toBe(id);
    expect(await ids()).toEqual(before);
    space = (await setting.ask("create", `POST /v1/orgs/${setting.org}/spaces`, { title: "Copy" })).body.id;
    await send("import");
    expect(await titles()).toEqual(["Start", "Next"]);
  });

  test("an mdBook in a folder is imported with its includes and redirects and written back unchanged", async () => {
    const redirects =
      '"/old/deep.html" = "../one.html#part"\n"/out.html" = "https://example.com/"\n"/lost.html" = "gone.html"\n';
    const one = "# One\n\n## Part\n\n```rust\n{{#include ../code/a.rs:here}}\n```\n";
    const oid = await repository.commit({
      "docs/book.toml": `[book]\ntitle = "Book"\n[output.html.redirect]\n${redirects}`,
      "docs/src/SUMMARY.md": "# Summary\n\n[Preface](preface.md)\n\n- [One](one.md)\n  - [Two](ch2/two.md)\n",
      "docs/src/preface.md": "# Preface\n",
      "docs/src/ch2/two.md": "---\naliases: [/second/]\n---\n\n# Two\n",
      "docs/src/one.md": one,
      "docs/code/a.rs": "// ANCHOR: here\n# hidden\nfn a() {}\n// ANCHOR_END: here\n",
      "README.md": "# Not this\n",
    });
    const { lastRun } = await send("import", { repoProjectDirectory: "./docs/" });
    expect([lastRun.skipped].flat()).toHaveLength(1);
    expect(await titles()).toEqual(["Preface", "One", "Two"]);

    const { one: page } = await ids();
    const shown = "# One\n\n## Part\n\n```rust\nfn a() {}\n```\n";
    expect(await text("old/deep.html")).toBe(one);
    expect((await ask("GET /~/content/path/old/deep?format=markdown&evaluated=true")).body.markdown).toBe(shown);
    const { org } = setting;
    const made = await setting.ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] });
    const site = `/v1/orgs/${org}/sites/${made.body.id}`;
    const url = (await setting.ask("admin", `POST ${site}/publish`)).body.urls.published.replace(/\/$/, "");
    const resolve = async (path: string) =>
      (await setting.ask(null, "POST /v1/urls/published", { url: `${url}/${path}` })).body;
    expect(await resolve("old/deep.html")).toMatchObject({ redirect: `${url}/one#part` });
    expect(await resolve("out")).toMatchObject({ redirect: "https://example.com/" });
    expect(await resolve("lost")).not.toHaveProperty("page");
    // The addresses that mdBook gave them.
    for (const path of ["ch2/two.html", "second/"])
      expect(await resolve(path)).toMatchObject({ redirect: `${url}/one/two` });
    expect(await resolve("one.html")).toMatchObject({ redirect: `${url}/one` });
    expect(await resolve("index.html")).toMatchObject({ redirect: expect.stringMatching(new RegExp(`^${url}/?$`)) });
    expect((await ask("GET /~/content/path/ch2/two.html")).body.title).toBe("Two");
    const [siteSpace] = (await setting.ask("admin", `GET ${site}/site-spaces`)).body.items;
    const read = await setting.ask(null, `GET ${site}/site-spaces/${siteSpace.id}/page/${page}?format=markdown`);
    expect(read.body.markdown).toBe(shown);

    await send("export", { repoProjectDirectory: "docs" });
    expect(await repository.tip()).toBe(oid);
  });

  test("requests run in the order of their times, and one older than the last is dropped", async () => {
    await repository.commit(book);
    await send("import", { timestamp: "2026-03-01T10:00:00Z" });
    await repository.commit({ "README.md": "# Newer\n" });
    await send("import", { timestamp: "2026-03-01T08:00:00+00:00" });
    expect((await titles())[0]).toBe("Home");
    await send("import", { timestamp: "2999-03-01T08:00:00Z" });
    expect((await titles())[0]).toBe("Newer");
    await repository.commit({ "README.md": "# Newest\n" });
    await send("import");
    expect((await titles())[0]).toBe("Newest");
  });

  test("simultaneous requests run one after another", async () => {
    await repository.commit(book);
    // Whichever is first the first time decides which side wins; from then on the order is no matter.
    await send("import");
    await Promise.all([send("import"), send("export"), send("import")]);
    setting.clock.forward(HOUR);
    await setting.api.maintain();
    expect(await info()).toMatchObject({ waiting: 0, lastRun: { status: "completed" } });
    expect(await titles()).toEqual(["Home", "Guide", "Steps"]);
    expect(await repository.git("rev-list", "--count", "refs/heads/main")).toBe("1");
    expect(errors).toEqual([]);
  });

  test("a second import transfers only what changed", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [
        `p${i}.md`,
        `# Page ${i}\n\n${[...crypto.getRandomValues(new Uint8Array(500))].join(" ")}\n`,
      ]),
    );
    await repository.commit(many);
    received = 0;
    await send("import");
    const all = received;
    await repository.commit({ "p7.md": "# Seven\n" });
    received = 0;
    await send("import");
    expect(await titles()).toContain("Seven");
    expect(await titles()).toHaveLength(50);
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThan(all / 4);
    expect(errors).toEqual([]);
  });

  test("the response can be sent before the work is done", async () => {
    const waiting: Promise<unknown>[] = [];
    await begin({ waitUntil: (work) => void waiting.push(work) });
    await repository.commit(book);
    await send("import");
    await Promise.all(waiting);
    expect((await info()).lastRun.status).toBe("completed");
  });
});
