// What went wrong elsewhere with specifications of APIs, and does not here.

import { memoryStorage } from "octavo/memory";
import { guardedFetch } from "octavo/node";
import { describe, expect, test } from "vitest";
import { readSpecification } from "../../src/openapi/specifications";
import { MAX_DOCUMENTS, MAX_ENTRIES, MAX_HOPS } from "../../src/openapi/specifications/limits";
import { resolver, type Site, site } from "../node/egress/servers";
import { webOf } from "../openapi/specifications/web";
import { PATIENCE_MS } from "../support/patience";
import { setUp } from "../support/setting";

const nowhere = { fetch: undefined, milliseconds: 5000 };
const entry = (more: object) =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "A", version: "1" }, paths: {}, ...more });
const codeOf = (reading: Promise<unknown>) =>
  reading.then(
    () => "read",
    (error: { code?: string }) => error.code ?? error,
  );

/** A server inside of the network that must never hear from us. */
const insider = () => site((_, answer) => answer.end('{"Secret":{"const":"from inside"}}'));

const spellings = ({ port }: Site) =>
  [
    "127.0.0.1",
    "localhost",
    "[::ffff:127.0.0.1]",
    "[::1]",
    "0177.0.0.1",
    "2130706433",
    "0x7f.1",
    "0.0.0.0",
    "[::]",
    "[64:ff9b::7f00:1]",
    "169.254.169.254",
  ].map((host) => `http://${host}:${port}/inside.json`);

describe("S1: private addresses", () => {
  test("S1: private addresses in every spelling are refused as the source of a specification", async () => {
    const server = await insider();
    const { ask, org } = await setUp(memoryStorage(), { fetch: guardedFetch() });
    for (const [i, url] of spellings(server).entries()) {
      await ask("create", `PUT /v1/orgs/${org}/openapi/s${i}`, { source: { url } });
      const { body } = await ask("create", `GET /v1/orgs/${org}/openapi/s${i}`);
      expect(body.lastProcessErrorCode, url).toBe("FETCH_ERROR");
      expect(body, url).not.toHaveProperty("lastVersion");
    }
    expect(server.requests).toHaveLength(0);
  });

  test("S1: private addresses in every spelling are refused in a $ref", async () => {
    const server = await insider();
    for (const url of spellings(server)) {
      const text = entry({ components: { schemas: { A: { $ref: `${url}#/Secret` } } } });
      expect(await codeOf(readSpecification({ text }, { fetch: guardedFetch(), milliseconds: 5000 })), url).toBe(
        "FETCH_ERROR",
      );
    }
    expect(server.requests).toHaveLength(0);
  });

  test("control: the server is reachable without the guard", async () => {
    const server = await insider();
    const text = entry({ components: { schemas: { A: { $ref: `${server.origin}/inside.json#/Secret` } } } });
    const found = await readSpecification({ text }, { fetch, milliseconds: 5000 });
    expect(found!.filesystem.length).toBe(2);
    expect(server.requests).toHaveLength(1);
  });
});

describe("S2: DNS rebinding", () => {
  test("S2: a changing name is refused at the address that is connected to, in the source and in a $ref", async () => {
    const { lookup } = resolver(["127.0.0.1"]);
    const inner = await site((_, answer) => answer.end("{}"));
    const back = `http://rebind.example:${inner.port}/inside.json`;
    const outer = await site((request, answer) => {
      if (request.url === "/moved") answer.writeHead(302, { location: back }).end();
      else answer.end(entry({ components: { schemas: { A: { $ref: back } } } }));
    });
    // The same name: once it leads to what is allowed, then to what is not.
    const reach = { fetch: guardedFetch({ lookup, allow: [`rebind.example:${outer.port}`] }), milliseconds: 5000 };
    const at = `http://rebind.example:${outer.port}`;
    for (const url of [`${at}/moved`, `${at}/refers`])
      expect(await codeOf(readSpecification({ url }, reach)), url).toBe("FETCH_ERROR");
    expect(outer.requests).toHaveLength(2);
    expect(inner.requests).toHaveLength(0);
    const open = { fetch: guardedFetch({ lookup, allow: ["rebind.example"] }), milliseconds: 5000 };
    expect(await codeOf(readSpecification({ url: `${at}/refers` }, open))).toBe("read");
    expect(inner.requests).toHaveLength(1);
  });
});

describe("S6: external references", () => {
  test("S6: references with other schemes are never followed, and others only with the given fetch", async () => {
    const refs = [
      "file:///etc/passwd",
      "FILE:///etc/passwd",
      "ftp://x/y",
      "data:application/json,{}",
      "//",
      "php://filter",
      "javascript:1",
      "\\\\host\\share",
      "/etc/passwd",
      "http://me:secret@specs.example/a.json",
    ];
    const schemas = Object.fromEntries(refs.map(($ref, i) => [`S${i}`, { $ref }]));
    const { fetch, asked } = webOf({});
    const found = await readSpecification({ text: entry({ components: { schemas } }) }, { fetch, milliseconds: 1000 });
    expect(asked).toEqual([]);
    expect(found!.filesystem[0]!.specification).toMatchObject({ components: { schemas } });
    expect(await codeOf(readSpecification({ text: entry({ a: { $ref: "https://x.example/" } }) }, nowhere))).toBe(
      "FETCH_ERROR",
    );
  });

  test("S6: references in a document of another host follow the same rules", async () => {
    const { fetch, asked } = webOf({
      "https://specs.example/a.json": JSON.stringify({ A: { $ref: "file:///etc/passwd" }, B: { $ref: "b.json" } }),
      "https://specs.example/b.json": "{}",
    });
    const text = entry({ x: { $ref: "https://specs.example/a.json#/A" } });
    const found = await readSpecification({ text }, { fetch, milliseconds: 1000 });
    expect(asked.map(({ url }) => url)).toEqual(["https://specs.example/a.json", "https://specs.example/b.json"]);
    expect(found!.filesystem[1]!.specification).toMatchObject({ A: { $ref: "file:///etc/passwd" } });
  });

  test("S6: references are limited in number, depth and size", async () => {
    const endless = (async (input: string | URL | Request) => {
      const n = Number(new URL(String(input)).searchParams.get("n"));
      return new Response(JSON.stringify({ A: { $ref: `https://x.example/?n=${n + 1}` } }));
    }) as typeof fetch;
    const deep = entry({ x: { $ref: "https://x.example/?n=1" } });
    expect(await codeOf(readSpecification({ text: deep }, { fetch: endless, milliseconds: 5000 }))).toBe("PARSE_ERROR");
    expect(MAX_HOPS).toBeLessThan(100);
    const many = entry({ x: Array.from({ length: MAX_DOCUMENTS }, (_, i) => ({ $ref: `https://x.example/${i}` })) });
    const empty = (async () => new Response("{}")) as typeof fetch;
    expect(await codeOf(readSpecification({ text: many }, { fetch: empty, milliseconds: 5000 }))).toBe("PARSE_ERROR");
    const flood = (async () => {
      const chunk = new Uint8Array(1024 * 1024).fill(32);
      return new Response(new ReadableStream({ pull: (it) => it.enqueue(chunk) }));
    }) as typeof fetch;
    expect(await codeOf(readSpecification({ url: "https://x.example/" }, { fetch: flood, milliseconds: 5000 }))).toBe(
      "FETCH_ERROR",
    );
  });
});

describe("S7: names that reach into prototypes", () => {
  test.each([
    ["JSON", '{"openapi":"3.1.0","paths":{},"components":{"schemas":{"A":{"__proto__":{"polluted":true}}}}}'],
    ["YAML", "openapi: 3.1.0\npaths: {}\n__proto__: { polluted: true }\n"],
    ["a merge key", 'openapi: 3.1.0\nx: &x { "__proto__": { polluted: true } }\ny: { <<: *x }\n'],
  ])("S7: __proto__ in %s is rejected", async (_, text) => {
    expect(await codeOf(readSpecification({ text }, nowhere))).toBe("PARSE_ERROR");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("S7: constructor and prototype are ordinary names", async () => {
    const properties = { constructor: { type: "string" }, prototype: { type: "object", properties: { polluted: {} } } };
    const text = JSON.stringify({ openapi: "3.1.0", components: { schemas: { Car: { properties } } } });
    const found = await readSpecification({ text }, nowhere);
    expect(JSON.stringify(found!.filesystem[0]!.specification)).toBe(text);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("S40: small texts that expand", () => {
  test("S40: nested aliases are rejected before they are expanded", async () => {
    let bomb = "openapi: 3.1.0\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n";
    for (let i = 1; i < 12; i++)
      bomb += `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(",")}]\n`;
    expect(bomb.length).toBeLessThan(1000);
    expect(await codeOf(readSpecification({ text: bomb }, nowhere))).toBe("PARSE_ERROR");
  });

  test("S40: a long text with many aliases, a recursive value and too many aliases are rejected", async () => {
    const long = `openapi: 3.1.0\na: &a "${"x".repeat(100_000)}"\nb: [${Array(1000).fill("*a").join(",")}]\n`;
    expect(await codeOf(readSpecification({ text: long }, nowhere))).toBe("PARSE_ERROR");
    const inside = "openapi: 3.1.0\na: &a { self: *a }\n";
    expect(await codeOf(readSpecification({ text: inside }, nowhere))).toBe("PARSE_ERROR");
    const many = `openapi: 3.1.0\na: &a 1\nb: [${Array(20_000).fill("*a").join(",")}]\n`;
    expect(await codeOf(readSpecification({ text: many }, nowhere))).toBe("PARSE_ERROR");
  });

  test("S40: a few aliases are accepted", async () => {
    const text = "openapi: 3.1.0\na: &a { x: 1 }\nb: *a\nc: *a\n";
    const found = await readSpecification({ text }, nowhere);
    expect(found!.filesystem[0]!.specification).toMatchObject({ b: { x: 1 }, c: { x: 1 } });
  });
});

describe("slow specifications", () => {
  /** Processor time in milliseconds. */
  async function costOf(work: () => Promise<unknown>): Promise<number> {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }
  const letters = (length: number) =>
    Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join("");

  /** Less than what such a URL takes that is parsed once: the runtime takes the square of its length. */
  const parsedCost = async () => 7 * (await costOf(async () => void URL.canParse(`https://${letters(16_000)}/`)));

  test("endlessly nested values are rejected, in JSON and YAML", async () => {
    for (const [before, after] of [
      ['{"openapi":"3.1.0","a":', "}"],
      ["openapi: 3.1.0\na: ", ""],
    ]) {
      const costOfLevels = (levels: number) =>
        costOf(async () => {
          const text = `${before}${"[".repeat(levels)}${"]".repeat(levels)}${after}`;
          expect(await codeOf(readSpecification({ text }, nowhere))).toBe("PARSE_ERROR");
        });
      // Looked through once for every level, four times as many would take sixteen times as long: ten seconds and not less
      // than one. The cheapest of three runs is what the work costs on a machine that is busy with other things.
      const quarter = await costOfLevels(25_000);
      const costs = [await costOfLevels(100_000), await costOfLevels(100_000), await costOfLevels(100_000)];
      expect(Math.min(...costs)).toBeLessThan(9 * Math.max(quarter, 75));
    }
  });

  test("a $ref to a host of sixty thousand letters is plain text and is not fetched", async () => {
    const web = webOf({});
    const $ref = `https://${letters(60_000)}/a.json#/A`;
    const text = entry({ components: { schemas: { A: { $ref } } } });
    const cost = await costOf(async () => {
      const found = await readSpecification({ text }, { fetch: web.fetch, milliseconds: PATIENCE_MS });
      expect(found?.filesystem[0]?.specification).toMatchObject({ components: { schemas: { A: { $ref } } } });
    });
    expect(cost).toBeLessThan(await parsedCost());
    expect(web.asked).toEqual([]);
  });

  test("a long $ref in a fetched document is not fetched either", async () => {
    const web = webOf({
      "https://a.example/a.json": entry({ components: { schemas: { A: { $ref: `//${letters(60_000)}/a.json` } } } }),
    });
    const source = { url: "https://a.example/a.json" };
    const cost = await costOf(() => readSpecification(source, { fetch: web.fetch, milliseconds: PATIENCE_MS }));
    expect(cost).toBeLessThan(await parsedCost());
    expect(web.asked).toHaveLength(1);
  });

  test.each([
    ["a list", `openapi: 3.1.0\nx: [${"a,".repeat(MAX_ENTRIES)}b]`],
    ["lines", `openapi: 3.1.0\nx:\n${"- 1\n".repeat(MAX_ENTRIES)}`],
    ["lines that end as they once did on a Macintosh", `openapi: 3.1.0\rx:\r${"- 1\r".repeat(MAX_ENTRIES)}`],
    ["JSON that is none", `{${'"a":1,'.repeat(MAX_ENTRIES + 1)}`],
  ])("YAML with too many values is rejected before it is parsed: %s", async (_, text) => {
    await expect(readSpecification({ text }, nowhere)).rejects.toThrow("lines and entries of YAML");
  });

  test("JSON may have that many values, and YAML half as many", async () => {
    const list = Array.from({ length: MAX_ENTRIES + 1 }, () => 1);
    expect(await codeOf(readSpecification({ text: entry({ "x-list": list }) }, nowhere))).toBe("read");
    const yaml = `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: {}\nx-list:\n${"- 1\n".repeat(MAX_ENTRIES / 2)}`;
    expect(await codeOf(readSpecification({ text: yaml }, nowhere))).toBe("read");
  });
});
