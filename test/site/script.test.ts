// The scripts of pages, and what the server says to them.

import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { memoryStorage } from "../../adapters/memory";
import { builtFiles } from "../../scripts/site/built";
import { createDocsApi } from "../../src/index";
import { createSite } from "../../src/site";
import { script as full } from "../../src/site/built/full";
import { script } from "../../src/site/built/script";

test("the built scripts match their sources and are small", async () => {
  for (const [name, text] of Object.entries(await builtFiles()))
    expect(
      await readFile(new URL(`../../src/${name}`, import.meta.url), "utf8"),
      `npm run generate:reader: ${name}`,
    ).toBe(text);
  for (const text of [script, full]) expect(gzipSync(text, { level: 9 }).length).toBeLessThan(12 * 1024);
  for (const part of ["data-try", "data-consent", "@webframe.ready", "--found"]) expect(full).toContain(part);
});

test("a page loads its scripts from files, and the search dialog gets what this visitor may see", async () => {
  const origin = "https://docs.example.com";
  const api = createDocsApi(memoryStorage(), { origin });
  const made = await api.provision({
    user: { email: "ann@example.com", displayName: "Ann" },
    organization: { title: "Acme" },
    token: { label: "t" },
  });
  const post = async (path: string, send: unknown = {}) => {
    const headers = { authorization: `Bearer ${made.token}`, "content-type": "application/json" };
    const response = await api.fetch(
      new Request(origin + path, { method: "POST", headers, body: JSON.stringify(send) }),
    );
    expect(response.ok, path).toBe(true);
    return (await response.json()) as { readonly id: string; readonly urls: { readonly published: string } };
  };
  const space = await post(`/v1/orgs/${made.organization}/spaces`, { title: "Guide" });
  const markdown =
    'Text <i class="fa-rocket">:rocket:</i>.\n\n```js\nlet a;\n```\n\n```mermaid\ngraph TD; A-->B;\n```\n\n$$a$$\n\n{% embed url="https://youtu.be/abc" %}\n';
  await post(`/v1/spaces/${space.id}/content`, {
    changes: [
      { operation: "insert_page", title: "Start", icon: "book-open", document: { markdown } },
      { operation: "insert_page", title: "Zebra", document: { markdown: "A zebra has stripes." } },
    ],
  });
  const { id } = await post(`/v1/orgs/${made.organization}/sites`, {
    title: "Docs",
    visibility: "public",
    spaces: [space.id],
  });
  const { urls } = await post(`/v1/orgs/${made.organization}/sites/${id}/publish`);
  const site = createSite(api, { diagrams: "globalThis.mermaid = {};" });
  const get = async (path: string, from = site) => {
    const response = await from.fetch(new Request(`${urls.published}${path}`));
    return { response, text: await response.text() };
  };

  const { response, text } = await get("");
  // A block of data runs nothing.
  expect(text).not.toMatch(/<script>|<script(?![^>]* src=| type="application\/ld\+json")|\son\w+=|style="/);
  expect(text).toContain('<span class="t-k">let</span>');
  expect(text).toContain('data-embed="https://www.youtube-nocookie.com/embed/abc"');
  expect(text).toContain("<math");
  expect(text.match(/<svg class="icon" aria-hidden="true" viewBox="0 0 512 512">/g)!.length).toBeGreaterThan(0);
  expect(response.headers.get("content-security-policy")).not.toContain("unsafe");
  for (const [, src] of text.matchAll(/<script src="([^"]+)"/g)) {
    const asset = await site.fetch(new Request(origin + src));
    expect(asset.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  }

  const found = JSON.parse((await get("/~octavo/search.json?q=zebra")).text);
  expect(found.results[0]).toMatchObject({ title: "Zebra", space: "Guide" });
  expect(found.results[0].href).toMatch(/^\/.*zebra$/);
  expect(JSON.parse((await get("/~octavo/search.json")).text)).toEqual({ results: [] });

  const frame = await get("/~octavo/diagram");
  expect(frame.response.headers.get("content-security-policy")).toContain("sandbox allow-scripts");
  const src = /src="([^"]+mermaid[^"]+)"/.exec(frame.text)![1]!;
  expect(await (await site.fetch(new Request(origin + src))).text()).toBe("globalThis.mermaid = {};");
  const without = createSite(api);
  expect((await get("/~octavo/diagram", without)).response.status).toBe(404);
  expect((await get("", without)).text).not.toContain("diagramAt");
});
