// Imports beside other writers, other processes, crashes and the sweeper: fetched once, made wholly or not at all, and the
// report stays for as long as its revision does.

import { strToU8, zipSync } from "fflate";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { getApiInternals } from "../../../src/api/internals";
import { listProgress } from "../../../src/jobs/progress";
import { getOrganizationPartition } from "../../../src/storage/ids";
import { Repository } from "../../git/repositories";
import { AUTH, gitServer, whyNoGit } from "../../git/server";
import { type Fault, watch } from "../../invariants/faults";
import { onFreshStorage } from "../../support/fresh-storage";
import { interrupted, process } from "../../support/processes";
import { DAY, dump, HOUR, open, type Setting, setUp } from "../../support/setting";
import { type Opened, storages } from "../../support/storages";
import { web } from "./imports-web";

const GUIDE = { url: "https://files.example/guide.md", source: "markdown" };

/** Words that a page of HTML may have, and that are too long as Markdown, where each bracket is escaped. */
const MUCH_AS_MARKDOWN = "[a] ".repeat(250_000);

/** The web, and what was asked of it. */
function counting(reach: typeof fetch = web) {
  const asked: string[] = [];
  const counted: typeof fetch = (input, init) => {
    asked.push(String(input));
    return reach(input, init);
  };
  return { asked, fetch: counted };
}

/** A web on which one address has so many pages and large files. */
const archive = (pages: number, fileBytes: number): typeof fetch => {
  const files: Record<string, Uint8Array> = {};
  for (let i = 0; i < pages; i++)
    files[`page-${i}.md`] = strToU8(`# Page ${i}\n\n![x](file-${i % 3}.bin) ${"word ".repeat(300)}\n`);
  for (let i = 0; i < 3; i++)
    files[`file-${i}.bin`] = Uint8Array.from({ length: fileBytes }, (_, at) => (at * 7 + i) & 255);
  files["unused.bin"] = strToU8("nobody names it");
  const bytes = zipSync(files, { level: 0 });
  return async () => new Response(bytes as BodyInit);
};
const ARCHIVE = { url: "https://files.example/large.zip", source: "zip" };

const makeSpace = async ({ ask, org }: Setting): Promise<string> =>
  (await ask("create", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id;
const titles = async ({ ask }: Setting, space: string): Promise<string[]> =>
  (await ask("admin", `GET /v1/spaces/${space}/content/pages`)).body.pages.map((it: { title: string }) => it.title);
const change = { operation: "insert_page", title: "Meanwhile", document: { markdown: "Text.\n" } };

async function blobsIn({ blobs }: ReturnType<typeof memoryStorage>): Promise<number> {
  let count = 0;
  for await (const _ of blobs.list("")) count++;
  return count;
}

/** Two days, with a sweep on each: what was announced is given up on the first, and deleted on the second. */
async function twoDays({ clock, api }: Setting): Promise<void> {
  for (let day = 0; day < 2; day++) {
    clock.forward(25 * HOUR);
    await api.maintain();
  }
}

describe("large websites", () => {
  const SIZE = 1_000_000;
  const names = Array.from({ length: 20 }, (_, n) => `${10 + n}.png`);

  /** Imports a page with these words and with more pictures than are held. */
  async function importPictures(words: string) {
    const storage = memoryStorage();
    const blobs = () => blobsIn(storage);
    const before: number[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      const path = new URL(String(input)).pathname.slice(1);
      if (path === "") {
        const images = names.map((name) => `<img src="/${name}" alt="x">`);
        const page = `<h1>Pictures</h1><p>${images.join("")}</p><p>${words}</p>`;
        return new Response(page, { headers: { "content-type": "text/html" } });
      }
      if (!names.includes(path)) return new Response("", { status: 404 });
      before.push(await blobs());
      return new Response(new Uint8Array(SIZE).fill(Number.parseInt(path, 10)), {
        headers: { "content-type": "image/png" },
      });
    };
    const setting = await setUp(storage, { fetch });
    const space = await makeSpace(setting);
    const wanted = { url: "https://site.example/", source: "website" };
    const answer = await setting.ask("edit", `POST /v1/spaces/${space}/content/import`, wanted);
    expect(Math.max(...before)).toBeGreaterThan(0);
    return { setting, space, blobs, answer };
  }

  test("files of a large website wait in the storage until it is imported", async () => {
    const { setting, space, blobs, answer } = await importPictures("Few words.");
    expect(answer.body).toMatchObject({ importedResources: 21 });
    const { items } = (await setting.ask("admin", `GET /v1/spaces/${space}/content/files`)).body;
    expect(items.map((it: { name: string; size: number }) => [it.name, it.size]).sort()).toEqual(
      names.map((name) => [name, SIZE]),
    );
    expect(await blobs()).toBe(20);
    setting.clock.forward(2 * DAY);
    await setting.api.maintain();
    expect(await blobs()).toBe(20);
  });

  test("files of a large website are swept if the crawl fails because its only page is too long", async () => {
    const { setting, space, blobs, answer } = await importPictures(MUCH_AS_MARKDOWN);
    expect([answer.status, answer.body.error.reason]).toEqual([422, "import_failed"]);
    expect(await titles(setting, space)).toEqual([]);
    expect(await blobs()).toBeGreaterThan(0);
    await twoDays(setting);
    expect(await blobs()).toBe(0);
  });
});

describe("large archives", () => {
  const SIZE = 2_500_000;
  const names = Array.from({ length: 10 }, (_, n) => `${10 + n}.bin`);
  const files = Object.fromEntries(names.map((name) => [name, noise(Number.parseInt(name, 10))]));

  /** Bytes that do not repeat, so that no two pieces are the same. */
  function noise(seed: number): Uint8Array {
    const bytes = new Uint8Array(SIZE);
    for (let at = 0, value = seed; at < SIZE; at++) {
      value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0;
      bytes[at] = value >>> 24;
    }
    return bytes;
  }

  /** Imports a page with ten files, or with none of them. */
  async function importLarge(page: string) {
    const storage = memoryStorage();
    const blobs = () => blobsIn(storage);
    const bytes = zipSync({ ...files, "page.md": strToU8(page) }, { level: 0 });
    const setting = await setUp(storage, { fetch: async () => new Response(bytes as BodyInit) });
    const space = await makeSpace(setting);
    const answer = await setting.ask("edit", `POST /v1/spaces/${space}/content/import`, ARCHIVE);
    return { setting, space, blobs, answer };
  }

  test("a large archive waits in the storage in pieces that are swept after the import", async () => {
    const page = `# Files\n\n${names.map((name) => `![x](${name})`).join("\n")}\n`;
    const { setting, space, blobs, answer } = await importLarge(page);
    expect(answer.body).toMatchObject({ importedResources: 11 });
    expect(await blobs()).toBeGreaterThan(names.length + 5);
    await twoDays(setting);
    expect(await blobs()).toBe(names.length);
    const { items } = (await setting.ask("admin", `GET /v1/spaces/${space}/content/files`)).body;
    for (const { id, name } of items) {
      const file = await setting.api.fetch(
        new Request((await setting.ask("admin", `GET /v1/spaces/${space}/content/files/${id}`)).body.downloadURL),
      );
      const bytes = new Uint8Array(await file.arrayBuffer());
      expect(Buffer.compare(bytes, files[name]!), name).toBe(0);
    }
    expect(items).toHaveLength(names.length);
  });

  test("a large archive is swept if the import fails because its only page is too long", async () => {
    const { setting, space, blobs, answer } = await importLarge("word ".repeat(250_000));
    expect([answer.status, answer.body.error.reason]).toEqual([422, "import_failed"]);
    expect(await titles(setting, space)).toEqual([]);
    expect(await blobs()).toBeGreaterThan(5);
    await twoDays(setting);
    expect(await blobs()).toBe(0);
  });
});

describe.each(storages)("on %s", (_, openStorage) => {
  let opened: Opened;
  let setting: Setting;
  let space: string;
  const at = () => `POST /v1/spaces/${space}/content/import`;

  onFreshStorage(openStorage, async (fresh) => {
    opened = fresh;
    setting = await setUp(opened.storage, { fetch: web });
    space = await makeSpace(setting);
  });

  test("an import is applied to the revision of a faster process without fetching again", async () => {
    const { asked, fetch } = counting();
    const meanwhile = () => setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes: [change] });
    const slow = process(setting, interrupted(opened.storage, meanwhile), { fetch });
    const answer = await slow.ask("edit", at(), GUIDE);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(await titles(setting, space)).toEqual(["Meanwhile", "The guide"]);
    expect(asked.filter((url) => url === GUIDE.url)).toHaveLength(1);
    const { items } = (await setting.ask("admin", `GET /v1/spaces/${space}/revisions`)).body;
    expect(items.map((it: { number: number }) => it.number)).toEqual([3, 2, 1]);
  });

  test("simultaneous imports in two processes are one revision each", async () => {
    const other = process(setting, opened.storage, { fetch: web });
    const answers = await Promise.all([
      setting.ask("edit", at(), GUIDE),
      other.ask("edit", at(), GUIDE),
      setting.ask("admin", at(), GUIDE),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.revision)).size).toBe(3);
    expect(await titles(setting, space)).toEqual(["The guide", "The guide", "The guide"]);
  });

  test("an import that is still fetching delays no one and adds to what they wrote", async () => {
    let arrived!: () => void;
    let release!: () => void;
    const isFetching = new Promise<void>((resolve) => (arrived = resolve));
    const mayGoOn = new Promise<void>((resolve) => (release = resolve));
    const fetch: typeof globalThis.fetch = async (input, init) => {
      arrived();
      await mayGoOn;
      return web(input, init);
    };
    const { ask, write } = process(setting, opened.storage, { fetch });
    const importing = ask("edit", at(), GUIDE);
    await isFetching;
    expect((await write(space, [change])).status).toBe(200);
    release();
    expect((await importing).status).toBe(201);
    expect(await titles(setting, space)).toEqual(["Meanwhile", "The guide"]);
  });

  test("an import overtaken by a lock or the end of its change request changes nothing", async () => {
    const cr = (await setting.ask("edit", `POST /v1/spaces/${space}/change-requests`, { subject: "A" })).body.id;
    const inChange = `/v1/spaces/${space}/change-requests/${cr}`;
    const archiving = () => setting.ask("edit", `PATCH ${inChange}`, { status: "archived" });
    const late = process(setting, interrupted(opened.storage, archiving), { fetch: web });
    const first = await late.ask("edit", `POST ${inChange}/content/import`, GUIDE);
    expect([first.status, first.body.error.reason]).toEqual([412, "change_request_archived"]);
    const locking = () => setting.ask("admin", `PATCH /v1/spaces/${space}`, { editMode: "locked" });
    const later = process(setting, interrupted(opened.storage, locking), { fetch: web });
    const second = await later.ask("edit", at(), GUIDE);
    expect([second.status, second.body.error.reason]).toEqual([412, "space_locked"]);
    expect(await titles(setting, space)).toEqual([]);
  });

  test("an import larger than a commit is complete, with blobs, and equal files are stored once", async () => {
    const { ask } = process(setting, opened.storage, { fetch: archive(400, 40 * 1024) });
    const { status, body } = await ask("edit", at(), ARCHIVE);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body).toMatchObject({ importedResources: 403, totalResources: 404 });
    const told = await listProgress(
      await getApiInternals(setting.api).kernel.store.read(getOrganizationPartition(setting.org)),
    );
    expect(told.map(({ record }) => record)).toMatchObject([
      { work: "import", params: { spaceId: space }, status: "completed", done: 403, total: 403, step: "adding" },
    ]);
    const { items } = (await ask("edit", `GET /v1/spaces/${space}/content/files`)).body;
    expect(items.map((it: { size: number }) => it.size)).toEqual([40960, 40960, 40960]);
    const report = (await ask("read", `GET /v1/spaces/${space}/revisions/${body.revision}/import`)).body;
    expect(report.skipped).toEqual([{ resource: "unused.bin", reason: "No page refers to it." }]);
  });

  test("the report survives sweeping and moves with its space", async () => {
    const { ask, api, otherOrg, clock } = setting;
    const { revision } = (await ask("edit", at(), GUIDE)).body;
    const path = `GET /v1/spaces/${space}/revisions/${revision}/import`;
    const before = (await ask("admin", path)).body;
    expect(before.skipped).toHaveLength(1);
    clock.forward(2 * DAY);
    await api.maintain();
    expect((await ask("admin", path)).body).toEqual(before);
    const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
    await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
    expect((await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg })).status).toBe(200);
    clock.forward(2 * DAY);
    await api.maintain();
    expect((await ask("admin", path)).body).toEqual(before);
  });

  test.skipIf(whyNoGit)(
    "a GitHub wiki is imported with the credentials of its URL, which are stored nowhere",
    async () => {
      const server = await gitServer();
      const repository = await Repository.on(server, "tool.wiki.git");
      await repository.commit(
        {
          "Home.md": "# Tool\n\nSee [[Install]].\n",
          "Install.md": "Run it.\n",
          "_Sidebar.md": "* [[Home]]\n* [[Install]]\n",
        },
        { branch: "master" },
      );
      const github: typeof fetch = async (input, init) => {
        const answer = await fetch(String(input).replace("https://github.com/acme", server.origin), init);
        return Object.defineProperty(answer, "url", { value: String(input) });
      };
      const { ask } = process(setting, opened.storage, { fetch: github });
      const closed = await ask("edit", at(), { url: "https://github.com/acme/tool/wiki", source: "github-wiki" });
      expect([closed.status, closed.body.error.reason]).toEqual([422, "import_failed"]);
      const secret = encodeURIComponent(AUTH.password);
      const url = `https://${AUTH.username}:${secret}@github.com/acme/tool/wiki`;
      const { status, body } = await ask("edit", at(), { url, source: "github-wiki" });
      expect(status, JSON.stringify(body)).toBe(201);
      expect(body).toMatchObject({ importedResources: 2, totalResources: 2 });
      expect(await titles(setting, space)).toEqual(["Tool", "Install"]);
      const report = await ask("read", `GET /v1/spaces/${space}/revisions/${body.revision}/import`);
      expect(report.body.url).toBe("https://github.com/acme/tool/wiki");
      const stored = [...(await dump(opened.storage)).values()].join("\n");
      for (const it of [secret, AUTH.password, btoa(AUTH.password)]) expect(stored).not.toContain(it);
    },
  );
});

describe("interrupted large imports", () => {
  test("a large import stopped at any storage call is complete or has no effect", async () => {
    const base = memoryStorage();
    const setting = await setUp(base);
    const space = await makeSpace(setting);
    const fetch = archive(120, 40 * 1024);

    async function run(failing?: { call: number; fault: Fault }) {
      const storage = watch(base.copy());
      const { ask } = process(setting, storage, { fetch, onError: () => {} });
      const start = storage.calls.total;
      if (failing) storage.failAt(failing.call, failing.fault);
      const { status } = await ask("edit", `POST /v1/spaces/${space}/content/import`, ARCHIVE);
      const calls = storage.calls.total - start;
      const clock = { now: setting.clock.now };
      const { api, askWith } = open(storage.survivor, { now: () => clock.now });
      // What was announced is given up a day later, and what it led to is swept the day after.
      for (let day = 0; day < 2; day++) {
        clock.now = new Date(clock.now.getTime() + 25 * HOUR);
        await api.maintain();
      }
      const { pages } = (await askWith(setting.tokens.admin, `GET /v1/spaces/${space}/content/pages`)).body;
      const entries = [...(await dump(storage.survivor)).keys()];
      const blobs: string[] = [];
      for await (const blob of storage.survivor.blobs.list("")) blobs.push(blob);
      return {
        status,
        calls,
        pages: pages.length,
        uploads: entries.filter((it) => it.includes("upload")).length,
        blobs: blobs.length,
      };
    }

    const good = await run();
    expect(good).toMatchObject({ status: 201, pages: 120, uploads: 0, blobs: 3 });
    const none = { pages: 0, uploads: 0, blobs: 0 };
    for (const [i, fault] of (["before", "answer lost", "crash"] as const).entries())
      for (let call = good.calls - i; call > 0; call -= call > good.calls - 30 ? 6 : 29) {
        const { status, calls: _, ...left } = await run({ call, fault });
        const told = `call ${call}, ${fault}: ${status}`;
        if (status === 201) expect(left, told).toEqual({ pages: 120, uploads: 0, blobs: 3 });
        else {
          expect(status, told).toBe(503);
          expect(
            [none, ...(fault === "answer lost" ? [{ pages: 120, uploads: 0, blobs: 3 }] : [])],
            told,
          ).toContainEqual(left);
        }
      }
  });
});

describe("listeners", () => {
  test("listeners are told about an import as about any other change", async () => {
    const heard: { type: string }[] = [];
    const setting = await setUp(memoryStorage(), { fetch: web, onEvent: (event) => void heard.push(event) });
    const space = await makeSpace(setting);
    const { revision } = (await setting.ask("edit", `POST /v1/spaces/${space}/content/import`, GUIDE)).body;
    expect(heard.filter((it) => it.type === "space_content_updated")).toMatchObject([
      { spaceId: space, revisionId: revision },
    ]);
    const found = (await setting.ask("read", `GET /v1/spaces/${space}/search?query=guide`)).body;
    expect(found.count).toBe(1);
  });
});

describe("If-Match and Idempotency-Key", () => {
  test("If-Match and Idempotency-Key are checked before anything is fetched", async () => {
    const { asked, fetch } = counting();
    const setting = await setUp(memoryStorage(), { fetch });
    const space = await makeSpace(setting);
    const at = `POST /v1/spaces/${space}/content/import`;
    expect((await setting.ask("edit", at, GUIDE, { "if-match": '"rev_other"' })).status).toBe(412);
    expect((await setting.ask("comment", at, GUIDE)).status).toBe(403);
    expect(asked).toEqual([]);
    const first = await setting.ask("edit", at, GUIDE, { "idempotency-key": "k" });
    const times = asked.length;
    const again = await setting.ask("edit", at, GUIDE, { "idempotency-key": "k" });
    expect(again.body).toEqual(first.body);
    expect(asked).toHaveLength(times);
  });
});
