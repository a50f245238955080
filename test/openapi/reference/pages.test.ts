// The pages of the reference: every one is there, leads only to pages that are there, and lets nothing in.

import { Parser } from "htmlparser2";
import { createDocsApi, type DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createResponseCache } from "../../../src/execution/response-cache";
import { nodeCompressor } from "../../../src/node/compressor";
import { listOperations, type OpenApiDocument } from "../../../src/openapi/reference/model";
import { createReferencePages } from "../../../src/openapi/reference/pages";
import { allOperations } from "../../../src/operations";
import { type Compressor, createResponseEncoder } from "../../../src/utils/compression";

const ORIGIN = "http://localhost:3000";

function open(options: DocsApiOptions = {}) {
  const api = createDocsApi(memoryStorage(), options);
  const get = async (path: string, init?: RequestInit) => {
    const response = await api.fetch(new Request(ORIGIN + path, init));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { api, get };
}

const { api, get } = open();
let document: OpenApiDocument;
beforeAll(async () => {
  document = (await api.openapi()) as OpenApiDocument;
});

interface Seen {
  readonly links: string[];
  readonly ids: string[];
  /** Tags and attributes that run or load something. */
  readonly live: string[];
  readonly text: string;
}

/** What a browser would find in a page. */
function look(html: string): Seen {
  const seen = { links: [] as string[], ids: [] as string[], live: [] as string[], text: "" };
  const open: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      open.push(name);
      if (attributes.href !== undefined) seen.links.push(attributes.href);
      if (attributes.id !== undefined) seen.ids.push(attributes.id);
      for (const [key, value] of Object.entries(attributes))
        if (/^on/i.test(key) || key === "style" || (key === "href" && /^\s*javascript:/i.test(value)))
          seen.live.push(`${name} ${key}`);
      if (["img", "iframe", "object", "embed", "style", "base"].includes(name)) seen.live.push(name);
      if (name === "script") seen.live.push(`script ${attributes.src}`);
    },
    ontext(text) {
      seen.text += text;
    },
  });
  parser.end(html);
  return seen;
}

const ONLY_SCRIPT = ["script /v1/docs/script.js"];

describe("the pages", () => {
  test("every page of the reference exists and links only to existing pages", async () => {
    const waiting = ["/v1/docs"];
    const known = new Set(waiting);
    const missing: string[] = [];
    const wrong: string[] = [];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status, text, headers } = await get(path);
      if (status !== 200) missing.push(path);
      if (!headers.get("content-type")?.startsWith("text/html")) continue;
      // The table of contents is the same everywhere: it is looked at once.
      const { links, ids, live } = look(path === "/v1/docs" ? text : text.slice(0, text.indexOf("<nav ")));
      expect(live, path).toEqual(ONLY_SCRIPT);
      expect(ids.length, `${path} has an id twice`).toBe(new Set(ids).size);
      const anchors = new Set([...ids, "contents"]);
      for (const link of links) {
        const isRight = link.startsWith("#") ? anchors.has(link.slice(1)) : link.startsWith("/v1/");
        if (!isRight) wrong.push(`${path} leads to ${link}`);
        const [target] = link.split("#") as [string];
        if (target === "" || known.has(target)) continue;
        known.add(target);
        waiting.push(target);
      }
    }
    expect({ missing, wrong }).toEqual({ missing: [], wrong: [] });
    for (const { name } of allOperations()) expect(known).toContain(`/v1/docs/operations/${name}`);
    for (const { name } of document.tags) expect(known).toContain(`/v1/docs/${name}`);
  });

  test("the page of an operation shows its access, scope, fields, errors and samples", async () => {
    const { text } = look((await get("/v1/docs/operations/createTeam")).text);
    for (const words of [
      "Create a team",
      "Admins of the organization.",
      "teams:write",
      "organizationId",
      "Unique in the organization, case-insensitive.",
      "title_taken",
      "curl -X PUT",
      "await fetch(",
      'docs.call("createTeam"',
    ])
      expect(text, words).toContain(words);
    const list = look((await get("/v1/docs/operations/listTeams")).text).text;
    expect(list).toContain('docs.each("listTeams"');
  });

  test("the table of contents has short titles, which differ in a tag as the summaries do", async () => {
    const { text } = await get("/v1/docs");
    const groups = text.slice(text.indexOf("<nav ")).split("<details").slice(1);
    for (const [i, { name }] of document.tags.entries()) {
      const ofTag = listOperations(document).filter(({ operation }) => operation.tags[0] === name);
      const titles = Array.from(groups[i]!.matchAll(/<\/span> <span>([^<]*)<\/span>/g), ([, title]) => title);
      expect(titles, name).toHaveLength(ofTag.length);
      expect(new Set(titles).size, name).toBe(new Set(ofTag.map(({ operation }) => operation.summary)).size);
    }
    for (const title of ["Get a team", "Duplicate a space", "List team grants"])
      expect(text).toContain(`<span>${title}</span>`);
  });

  test("the page of a recursive type is finite", async () => {
    const { status, text } = await get("/v1/docs/types/PageInTree");
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(300_000);
  });

  test("an unknown path is a page that says so", async () => {
    for (const path of [
      "/nothing",
      "/operations/nothing",
      "/types/constructor",
      "/types/__proto__",
      "/teams/more",
      "/a/b/c",
    ]) {
      const { status, headers, text } = await get(`/v1/docs${path}`);
      expect(status, path).toBe(404);
      expect(headers.get("content-type"), path).toMatch(/^text\/html/);
      expect(look(text).text).toContain("Page not found");
    }
  });
});

describe("the search", () => {
  test("the search finds operations that contain all words and shows the number of matches", async () => {
    const { text } = look((await get("/v1/docs?q=Rename+TEAM")).text);
    expect(text).toContain("1 operation for “Rename TEAM”");
    expect(look((await get("/v1/docs?q=zzzz")).text).text).toContain("0 operations");
  });

  test("a search without words is the overview", async () => {
    expect((await get("/v1/docs?q=")).text).toBe((await get("/v1/docs")).text);
  });
});

describe("hostile requests", () => {
  const hostile = [
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    "</title><script>alert(1)</script>",
    "javascript:alert(1)",
    "{{7*7}}",
    "`<b>`**<i>**",
    "\u0000\u202e",
    "a".repeat(5000),
  ];

  test.each(hostile.map((it) => [it.slice(0, 40), it]))("the query %j is treated as text", async (_, query) => {
    const { status, text } = await get(`/v1/docs?q=${encodeURIComponent(query)}`);
    expect(status).toBe(200);
    expect(look(text).live).toEqual(ONLY_SCRIPT);
    expect(text.length).toBeLessThan(200_000);
  });

  test.each(hostile.map((it) => [it.slice(0, 40), it]))("the name %j is not found", async (_, name) => {
    for (const place of ["", "operations/", "types/"]) {
      const { status, text } = await get(`/v1/docs/${place}${encodeURIComponent(name)}`);
      expect(status).toBe(404);
      expect(look(text).live).toEqual(ONLY_SCRIPT);
    }
  });

  test("a path that cannot be decoded or that climbs up is not found", async () => {
    for (const path of ["/%E0%A4%A", "/operations/%", "/..%2f..%2fuser", "/%2e%2e/types"])
      expect((await get(`/v1/docs${path}`)).status, path).toBe(404);
  });

  test("text from outside is escaped everywhere", async () => {
    const evil = `<script>alert(1)</script>"'`;
    const copy = structuredClone(document);
    for (const tag of copy.tags) tag.description = evil;
    const entry = copy.paths["/orgs/{organizationId}/teams"]!.put as Record<string, unknown>;
    Object.assign(entry, { summary: evil, description: evil, "x-access": evil });
    copy.components.schemas.Team!.properties!.title = {
      type: "string",
      description: evil,
      enum: [evil],
      default: evil,
    };
    const info = { root: "/v1/docs", server: "http://localhost:3000/v1", version: "1" };
    const page = createReferencePages(copy, info, createResponseCache(1_000_000));
    for (const path of ["", "/teams", "/operations/createTeam", "/types/Team"]) {
      const { status, body } = page({ path, search: "", ifNoneMatch: null, host: null });
      expect(status).toBe(200);
      expect(look(body as string).live, path).toEqual(ONLY_SCRIPT);
    }
  });
});

describe("responses", () => {
  test("responses forbid other scripts and resources, framing and sniffing", async () => {
    for (const path of ["/v1/docs", "/v1/docs/style.css", "/v1/docs/script.js", "/v1/docs/nothing"]) {
      const { headers } = await get(path);
      const policy = headers.get("content-security-policy")!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-request-id")).toMatch(/./);
    }
    expect((await get("/v1/docs/style.css")).headers.get("content-type")).toMatch(/^text\/css/);
    expect((await get("/v1/docs/script.js")).headers.get("content-type")).toMatch(/^text\/javascript/);
  });

  test("responses have an ETag and are not sent again to clients that have them", async () => {
    for (const path of ["/v1/docs", "/v1/docs/operations/getTeam", "/v1/docs/style.css"]) {
      const etag = (await get(path)).headers.get("etag")!;
      const again = await get(path, { headers: { "if-none-match": `"other", W/${etag}` } });
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", `W/${etag}`]);
      expect((await get(path, { headers: { "if-none-match": "*" } })).status).toBe(304);
      expect((await get(path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    }
  });

  test("responses are rendered once and compressed once per coding", async () => {
    const info = { root: "/v1/docs", server: "http://localhost:3000/v1", version: "1" };
    const cache = createResponseCache(10_000_000);
    const render = createReferencePages(structuredClone(document), info, cache);
    const compress = vi.fn<Compressor["compress"]>(nodeCompressor.compress);
    const encode = createResponseEncoder({ ...nodeCompressor, compress });
    const get = (path: string, search = "") => render({ path, search, ifNoneMatch: null, host: "localhost" });
    const send = (path: string) => encode({ headers: new Headers({ "accept-encoding": "gzip" }) }, get(path));
    for (const path of ["", "/teams", "/operations/getTeam", "/types/Team", "/errors", "/nothing", "/style.css"]) {
      compress.mockClear();
      const first = await send(path);
      const again = await send(path);
      expect([again.status, again.headers, again.body], path).toEqual([first.status, first.headers, first.body]);
      expect(get(path).bodyKey, path).toBe(get(path).bodyKey);
      expect(compress.mock.calls.length, path).toBe(1);
    }
    // A page has one place, however its path is written, and neither searches nor what isn't there takes any.
    const { entries } = cache.getStats();
    for (const path of ["/%74eams", "/t%65ams", "/nothing/else", "/%6eothing"]) get(path);
    expect(get("/%74eams").bodyKey).toBe(get("/teams").bodyKey);
    expect(get("", "?q=team").body).not.toBe(get("").body);
    for (let at = 0; at < 5; at++) get("", `?q=${at}`);
    expect(cache.getStats().entries).toBe(entries);
    const small = createReferencePages(structuredClone(document), info, createResponseCache(0));
    expect(small({ path: "/teams", search: "", ifNoneMatch: null, host: null }).body).toBe(get("/teams").body);
  });

  test("HEAD has no body, and other methods are rejected", async () => {
    const head = await get("/v1/docs", { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect((await get("/v1/docs", { method: "POST" })).status).toBe(405);
  });

  test("pages count toward the rate limit of the address", async () => {
    const limited = open({ rateLimit: { limit: 2 } });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await limited.get("/v1/docs/style.css")).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

test("every link stays below the base path", async () => {
  const { get } = open({ origin: "https://docs.example.com", basePath: "/internal/docs" });
  const { status, text } = await get("/internal/docs/v1/docs/operations/getTeam");
  expect(status).toBe(200);
  const { links } = look(text);
  expect(links.filter((link) => !link.startsWith("#") && !link.startsWith("/internal/docs/v1/"))).toEqual([]);
  expect(text).toContain("https://docs.example.com/internal/docs/v1/orgs/");
  expect((await get("/v1/docs")).status).toBe(404);
});

test("the reference can be switched off while openapi.json stays", async () => {
  const { get } = open({ reference: false });
  const { status, headers } = await get("/v1/docs");
  expect([status, headers.get("content-type")]).toEqual([404, "application/json; charset=utf-8"]);
  expect((await get("/v1/openapi.json")).status).toBe(200);
});
