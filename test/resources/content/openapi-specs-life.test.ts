// The life of specifications: sources given at once, addresses that are looked at again, processes that end in the middle,
// and what is left behind.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { sha256Hex } from "../../../src/utils/sha256";
import { watch } from "../../invariants/faults";
import { webOf } from "../../openapi/specifications/web";
import { BOOKS_30, BOOKS_31, CIRCLE } from "../../openapi/specifications/written";
import { dump, HOUR, MINUTE, open, type Setting, setUp } from "../../support/setting";

const url = "https://specs.example/api/openapi.yaml";
const text = (title: string) => `openapi: 3.1.0\ninfo: { title: ${title}, version: "1" }\npaths: {}\n`;

async function library(documents: Record<string, string | null> = { ...CIRCLE }, options: object = {}) {
  const web = webOf(documents);
  const setting = await setUp(memoryStorage(), { fetch: web.fetch, ...options });
  const at = `/v1/orgs/${setting.org}/openapi`;
  const put = (slug: string, source: object) => setting.ask("create", `PUT ${at}/${slug}`, { source });
  const get = async (path: string) => (await setting.ask("create", `GET ${at}/${path}`)).body;
  return { ...setting, ...web, at, put, get };
}

/** As if a process had taken the next source of the specification `a`, and were never heard of again. */
async function stall({ storage, org, clock }: Setting): Promise<void> {
  const partition = storage.partition(`org-${org.slice(4)}`);
  const rows = await (await partition.snapshot()).list({ under: "", limit: 500 });
  const { key, value } = rows.find(({ value }) => (value as { slug?: string }).slug === "a")!;
  const runner = { id: "gone", until: clock.now.getTime() + MINUTE };
  const record = { ...(value as object), runner } as never;
  await partition.commit({ checks: [], puts: [{ key, value: record }], deletes: [], adds: [] });
}

describe("simultaneous sources", () => {
  test("simultaneously submitted sources become one version each in one order", async () => {
    const { put, get, api } = await library();
    const titles = Array.from({ length: 12 }, (_, i) => `T${i}`);
    const answers = await Promise.all(titles.map((title) => put("many", { text: text(title) })));
    expect(answers.map(({ status }) => status)).toEqual(titles.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await api.maintain();
    const { items, count } = await get("many/versions");
    expect(count).toBe(12);
    const found = [];
    for (const { id } of items)
      found.push((await get(`many/versions/${id}/content`)).filesystem["openapi.yaml"].specification.info);
    expect(found.map(({ title }) => title).sort()).toEqual(titles.toSorted());
    const spec = await get("many");
    expect(spec).toMatchObject({ processingState: "complete", lastVersion: items[0].id });
  });

  test("a source that waits behind another process is not forgotten", async () => {
    const setting = await library();
    const { put, get, clock, api } = setting;
    await put("a", { text: text("One") });
    await stall(setting);
    await put("a", { text: text("Two") });
    expect((await get("a")).processingState).toBe("pending");
    clock.forward(2 * MINUTE);
    await api.maintain();
    expect((await get("a")).processingState).toBe("complete");
    expect((await get("a/versions")).count).toBe(2);
  });

  test("sources are told to retry when too many wait", async () => {
    const setting = await library();
    const { put, get, clock, api } = setting;
    await put("a", { text: text("First") });
    await stall(setting);
    for (let i = 0; i < 40; i++) expect((await put("a", { text: text(`T${i}`) })).status).toBe(200);
    const { status, body, headers } = await put("a", { text: text("More") });
    expect([status, body.error.reason, headers.get("retry-after")]).toEqual([503, "openapi_spec_busy", "30"]);
    clock.forward(2 * MINUTE);
    await api.maintain();
    expect((await get("a/versions")).count).toBe(41);
    expect((await put("a", { text: text("More") })).status).toBe(200);
  });
});

describe("checking a URL again", () => {
  test("a URL is checked by ETag, and only a changed document makes a version", async () => {
    const { put, get, asked, documents, clock, api } = await library();
    await put("circle", { url });
    const first = await get("circle");
    asked.length = 0;
    clock.forward(7 * HOUR);
    await api.maintain();
    expect(asked.map(({ status }) => status)).toEqual(Object.keys(CIRCLE).map(() => 304));
    const second = await get("circle");
    expect(second.lastVersion).toBe(first.lastVersion);
    expect(second.lastProcessedAt).toBe(clock.now.toISOString());

    documents["https://other.example/types.yaml"] = "Type: { type: number }\n";
    clock.forward(7 * HOUR);
    await api.maintain();
    const third = await get("circle");
    expect(third.lastVersion).not.toBe(first.lastVersion);
    expect((await get("circle/versions")).count).toBe(2);
  });

  test("a URL is checked sooner after a failure, which keeps the versions and ends with the next success", async () => {
    const { put, get, documents, clock, api, asked } = await library();
    await put("circle", { url });
    const { lastVersion } = await get("circle");
    const original = documents[url]!;
    documents[url] = "openapi: [";
    clock.forward(7 * HOUR);
    await api.maintain();
    expect(await get("circle")).toMatchObject({ lastVersion, lastProcessErrorCode: "PARSE_ERROR" });
    documents[url] = null;
    clock.forward(6 * MINUTE);
    await api.maintain();
    expect(await get("circle")).toMatchObject({ lastVersion, lastProcessErrorCode: "FETCH_TIMEOUT" });
    asked.length = 0;
    clock.forward(6 * MINUTE);
    await api.maintain();
    expect(asked).toEqual([]);
    documents[url] = original;
    clock.forward(6 * MINUTE);
    await api.maintain();
    const mended = await get("circle");
    expect(mended.lastVersion).toBe(lastVersion);
    expect(mended).not.toHaveProperty("lastProcessErrorCode");
  });

  test("a URL is no longer checked after it was replaced by a text, deleted or abandoned", async () => {
    const { put, ask, at, asked, clock, api } = await library();
    await put("text", { url });
    await put("text", { text: BOOKS_30 });
    await put("gone", { url });
    await ask("create", `DELETE ${at}/gone`);
    asked.length = 0;
    clock.forward(48 * HOUR);
    await api.maintain();
    await api.maintain();
    expect(asked).toEqual([]);
    const never = await library({ ...CIRCLE }, { openApiSpecs: { checkEveryMinutes: 0 } });
    await never.put("circle", { url });
    never.asked.length = 0;
    never.clock.forward(48 * HOUR);
    await never.api.maintain();
    expect(never.asked).toEqual([]);
  });

  test("a URL is checked once, however often it was submitted", async () => {
    const { put, asked, clock, api } = await library({ [url]: BOOKS_31 });
    for (let i = 0; i < 5; i++) await put("books", { url });
    asked.length = 0;
    clock.forward(7 * HOUR);
    await api.maintain();
    await api.maintain();
    expect(asked.length).toBe(1);
  });

  test("a URL is checked in order with a newly submitted source", async () => {
    const { put, get, documents, clock, api } = await library({ [url]: text("Old") });
    await put("a", { url });
    documents[url] = text("Checked");
    clock.forward(7 * HOUR);
    await Promise.all([api.maintain(), put("a", { text: text("Given") })]);
    await api.maintain();
    const { items } = await get("a/versions");
    const titles = [];
    for (const { id } of items)
      titles.push((await get(`a/versions/${id}/content`)).filesystem["openapi.yaml"].specification.info.title);
    expect(titles.at(-1)).toBe("Old");
    expect(titles).toContain("Given");
    expect((await get("a")).processingState).toBe("complete");
  });
});

describe("processes that die", () => {
  test("a process that ends while it reads a URL loses nothing and duplicates nothing", async () => {
    const base = memoryStorage();
    const web = webOf({ ...CIRCLE });
    const { org, tokens } = await setUp(base, { fetch: web.fetch });
    const run = async (failing?: number) => {
      const storage = watch(base.copy());
      const { askWith, clock } = open(storage, { fetch: web.fetch, onError: () => {} });
      const start = storage.calls.total;
      if (failing !== undefined) storage.failAt(failing, "crash");
      const { status } = await askWith(tokens.create, `PUT /v1/orgs/${org}/openapi/circle`, { source: { url } });
      const calls = storage.calls.total - start;
      const later = () => new Date(clock.now.getTime() + 2 * HOUR);
      const next = open(storage.survivor, { fetch: web.fetch, now: later });
      await next.api.maintain();
      await next.api.maintain();
      const found = await next.askWith(tokens.create, `GET /v1/orgs/${org}/openapi/circle/versions`);
      return { status, calls, count: found.body.count };
    };
    const good = await run();
    expect(good).toMatchObject({ status: 200, count: 1 });
    for (let call = 1; call <= good.calls; call++) {
      const { status, count } = await run(call);
      expect([status, count], `call ${call}`).toEqual(status === 200 ? [200, 1] : [503, undefined]);
    }
  });

  test("a source that ends two processes is not tried a third time, and the next source is processed", async () => {
    const web = webOf({ ...CIRCLE });
    const { storage, org, tokens, clock } = await setUp(memoryStorage(), { fetch: web.fetch });
    const spec = `/v1/orgs/${org}/openapi/a`;
    let begun = 0;
    let hear = () => {};
    const begins = () =>
      new Promise<void>((go) => {
        hear = go;
      });
    const deadly = (async () => {
      begun++;
      hear();
      return new Promise(() => {});
    }) as unknown as typeof fetch;
    /** A process that is never heard of again once it fetches. */
    const dying = () => open(storage, { fetch: deadly, now: () => clock.now, waitUntil: () => {} });
    const first = begins();
    await dying().askWith(tokens.create, `PUT ${spec}`, { source: { url } });
    await first;
    for (let round = 0; round < 4; round++) {
      clock.forward(2 * MINUTE);
      await Promise.race([begins(), dying().api.maintain()]);
    }
    expect(begun).toBe(2);
    const next = open(storage, { fetch: web.fetch, now: () => clock.now });
    const get = async () => (await next.askWith(tokens.create, `GET ${spec}`)).body;
    expect(await get()).toMatchObject({
      processingState: "complete",
      lastProcessErrorCode: "PARSE_ERROR",
      lastProcessErrorMessage: "The server ended 2 times while it was at it, so it is not tried again by itself.",
    });
    await next.askWith(tokens.create, `PUT ${spec}`, { source: { text: text("Two") } });
    expect(await get()).not.toHaveProperty("lastProcessErrorCode");
  });

  test("a source that ends processes again and again is given up", async () => {
    const setting = await library();
    const { put, get, clock, api, storage, org } = setting;
    const partition = storage.partition(`org-${org.slice(4)}`);
    await put("a", { text: text("One") });
    await stall(setting);
    await put("a", { text: text("Two") });
    const rows = await (await partition.snapshot()).list({ under: "", limit: 500 });
    const waiting = rows.find(({ value }) => (value as { askedAt?: string }).askedAt !== undefined)!;
    const tired = { ...(waiting.value as object), attempts: 5 } as never;
    await partition.commit({ checks: [], puts: [{ key: waiting.key, value: tired }], deletes: [], adds: [] });
    clock.forward(2 * MINUTE);
    await api.maintain();
    expect(await get("a")).toMatchObject({ processingState: "complete", lastProcessErrorCode: "PARSE_ERROR" });
    expect((await get("a/versions")).count).toBe(1);
  });
});

describe("stored sources", () => {
  const large = `${text("Large")}x-padding: "${"x".repeat(100_000)}"\n`;

  test("a source is stored while a version refers to it and swept with its specification", async () => {
    const { put, get, ask, at, api, clock, storage } = await library();
    await put("a", { text: large });
    clock.forward(25 * HOUR);
    await api.maintain();
    expect(await get("a/versions/latest/content/raw")).toBe(large);
    const hash = sha256Hex(new TextEncoder().encode(large));
    const holds = async () => [...(await dump(storage)).keys()].some((key) => key.includes(hash));
    expect(await holds()).toBe(true);
    await ask("create", `DELETE ${at}/a`);
    clock.forward(25 * HOUR);
    await api.maintain();
    expect(await holds()).toBe(false);
  });

  test("equal sources are stored once", async () => {
    const { put, storage } = await library();
    await put("a", { text: BOOKS_30 });
    const before = (await dump(storage)).size;
    await put("a", { text: BOOKS_30 });
    // A touch for each of the two objects, and nothing else.
    expect((await dump(storage)).size - before).toBeLessThanOrEqual(2);
  });
});
