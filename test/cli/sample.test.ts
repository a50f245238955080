// The sample site: what the first start makes of the folder `examples/sample`.

import { posix } from "node:path";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { exportSite } from "octavo/site";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSampleSite } from "../../cli/commands/serve/sample/create-sample-site";
import { collectMarkupUrls } from "../../src/site/machine-readable/markup-urls";

const api = createDocsApi(memoryStorage(), { origin: "http://localhost:3000" });
const files = new Map<string, string>();
let organizationId: string;
let user: string;

beforeAll(async () => {
  const made = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "My organization" },
  });
  user = made.user;
  organizationId = made.organization!;
  const url = await createSampleSite(api, organizationId, user);
  await exportSite(api, url, (path, bytes) => void files.set(path, new TextDecoder().decode(bytes)));
});
afterAll(() => api.close());

test("every link of the sample leads to a page, and every picture and anchor is there", () => {
  const pages = [...files.keys()].filter((path) => path.endsWith(".html") && path !== "404.html");
  expect(pages.length).toBeGreaterThan(35);
  for (const path of pages) {
    const text = files.get(path)!;
    expect(text, path).not.toContain('class="gone"');
    // Forms of integrations have nobody to send to.
    for (const address of collectMarkupUrls(text.replace(/ action="[^"]*"/g, ""))) {
      if (/^[a-z]+:/i.test(address)) continue;
      const [file = "", anchor] = decodeURIComponent(address).split("#");
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      expect(target, path).not.toBe("404.html");
      expect(files.has(target), `${path}: ${address}`).toBe(true);
      // The menu of a phone and the text of the page are opened by ids of the layout.
      if (anchor !== undefined && !anchor.startsWith("--"))
        expect(files.get(target), `${path}: ${address}`).toContain(`id="${anchor}"`);
    }
  }
});

test("the sample has two versions, two languages, an API, a changelog with a feed, and an integration", () => {
  expect([...files.keys()]).toEqual(
    expect.arrayContaining([
      "quick-start/index.html",
      "version-1/quick-start/index.html",
      "deutsch/quick-start/index.html",
      "api/shipments/create/index.html",
      "changelog/2026/index.html",
    ]),
  );
  expect(files.get("deutsch/quick-start/index.html")).toContain('<html lang="de"');
  expect(files.get("api/shipments/create/index.html")).toContain('<span class="method post">POST</span>');
  expect(files.get("changelog/2026/index.html")).toContain('class="update"');
  expect(files.get("build/tracking-page/index.html")).toContain("4 kg in the city: € 5.70");
  expect(files.get("index.html")).toContain('src="data:image/svg+xml;base64,');
});

test("pages of the guide link to pages of the API, which are in another space", () => {
  expect(files.get("build/create-shipments/index.html")).toContain('href="../../api/shipments/create/index.html"');
});

test("a second call finds the name of the specification taken and makes nothing", async () => {
  const params = { organizationId };
  const before = await api.call("listSpaces", { params }, { user });
  await expect(createSampleSite(api, organizationId, user)).rejects.toMatchObject({ reason: "slug_taken" });
  const after = await api.call("listSpaces", { params }, { user });
  expect(after.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id));
  expect(before.items).toHaveLength(5);
});
