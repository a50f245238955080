// What reading content costs, counted in what a fresh process reads of the storage.

import { memoryStorage } from "octavo/memory";
import { beforeAll, expect, test } from "vitest";
import { watch } from "../../invariants/faults";
import { type Answer, open, type Setting, setUp } from "../../support/setting";
import { through } from "../../support/through";

let setting: Setting;
let space: string;

beforeAll(async () => {
  setting = await setUp(memoryStorage());
  space = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Large" })).body.id;
  for (let at = 0; at < 1000; at += 50) {
    const changes = Array.from({ length: 50 }, (_, i) => ({
      operation: "insert_page",
      title: `Page ${at + i}`,
      document: { markdown: `Text ${at + i}.\n` },
    }));
    expect((await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes })).status).toBe(200);
  }
});

/** The calls, and the blobs and values, that a process which has read nothing yet reads for one answer. */
async function cost(
  route: string,
  send?: unknown,
): Promise<{ status: number; reads: number; values: number; body: Answer["body"] }> {
  let blobs = 0;
  let values = 0;
  const counting = through(setting.storage, {
    get(keys, go) {
      values += keys.length;
      return go();
    },
    blob(call, go) {
      if (call === "get") blobs++;
      return go();
    },
  });
  const watched = watch(counting);
  const { askWith, clock } = open(watched);
  clock.now = setting.clock.now;
  const { status, body } = await askWith(setting.tokens.read, route, send);
  return { status, body, reads: watched.calls.reads + blobs, values: values + blobs };
}

test("a path that does not exist is not found without listing pages", async () => {
  const found = await cost(`GET /v1/spaces/${space}/content/path/page-7`);
  const absent = await cost(`GET /v1/spaces/${space}/content/path/nothing-here`);
  const below = await cost(`GET /v1/spaces/${space}/content/path/page-7/nothing-here`);
  expect([found, absent, below].map(({ status }) => status)).toEqual([200, 404, 404]);
  expect(absent.reads).toBeLessThan(found.reads);
  expect(below.reads).toBeLessThan(found.reads);
});

test("reading a large space costs in proportion to what is shown", async () => {
  const { ask, org } = setting;
  const site = (await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Docs", spaces: [space] })).body.id;
  const at = `/v1/orgs/${org}/sites/${site}`;
  const { urls } = (await ask("admin", `POST ${at}/publish`)).body;
  const pages = `${at}/site-spaces/${(await ask("admin", `GET ${at}/site-spaces`)).body.items[0].id}`;
  const all = await cost(`GET ${pages}/pages`);
  const resolved = await cost("POST /v1/urls/published", { url: `${urls.published}/page-500` });
  const first = await cost("POST /v1/urls/published", { url: urls.published });
  const page = await cost(`GET ${pages}/page/${resolved.body.page}?format=document&references=true`);
  const along = await cost(`GET ${pages}/pages?along=${resolved.body.page}`);
  expect([resolved.body.pagePath, first.body.pagePath]).toEqual(["page-500", "page-0"]);
  expect([page.body.previous.title, page.body.next.title]).toEqual(["Page 499", "Page 501"]);
  expect([all.body.pages.length, along.body.pages.length, along.body.more]).toEqual([1000, 201, true]);
  for (const { values } of [resolved, first, page]) expect(values).toBeLessThan(all.values / 3);
  expect(along.reads).toBeLessThan(2 * all.reads);
});
