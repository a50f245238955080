// A published site in every runtime, out of the built package: the same pages are the same bytes everywhere.

import { beforeAll, expect, test } from "vitest";
import { commands, inWorker } from "./everywhere";
import { project } from "./project";

const imports = `
  import { createDocsApi } from "octavo";
  import { memoryStorage } from "octavo/memory";
  import { createSite } from "octavo/site";
`;

const specification = {
  openapi: "3.1.0",
  info: { title: "Lamps", version: "1" },
  servers: [{ url: "https://api.example.com" }],
  paths: {
    "/lamps/{lamp}": {
      get: {
        summary: "One lamp",
        parameters: [{ name: "lamp", in: "path", required: true, schema: { type: "string" } }],
        responses: {
          200: { description: "The lamp", content: { "application/json": { schema: { type: "object" } } } },
        },
      },
    },
  },
};

const texts = {
  Text: 'Hello *world*, gr\u00fc\u00dfe.\n\n## Part\n\n- one\n- two\n\n{% hint style="info" %}\nMind this.\n{% endhint %}',
  Code: "```js\nconst a = 'b'; // why\n```\n\n```python\ndef f(x):\n    return x + 1\n```",
  Formula: "$$\\frac{a}{b} + \\sqrt{2}$$",
  Operation: '{% openapi-operation spec="lamps" path="/lamps/{lamp}" method="get" %}\n{% endopenapi-operation %}',
};

const paths = ["text", "code", "formula", "operation", "~octavo/search?q=world", "nothing", "sitemap.xml", "text.md"];

/** What a runtime does. Clock and random bytes are the same everywhere, so names and times are too. */
const text = `
  let drawn = 0;
  const api = createDocsApi(memoryStorage(), {
    now: () => new Date(Date.UTC(2026, 0, 2)),
    random: (size) => new Uint8Array(size).map(() => (drawn = (drawn * 75 + 74) % 65537) >> 4),
    secret: "the secret of the pages, long enough",
  });
  const { user, organization: organizationId } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Acme" },
  });
  const ask = (name, params, body) => api.call(name, { params, body }, { user });
  const source = { text: ${JSON.stringify(JSON.stringify(specification))} };
  await ask("createOpenApiSpec", { organizationId }, { slug: "lamps", source });
  await ask("updateOpenApiSpec", { organizationId, specSlug: "lamps" }, { visibility: "public" });
  const { id: spaceId } = await ask("createSpace", { organizationId }, { title: "Guide" });
  const page = ([title, markdown]) => ({ operation: "insert_page", title, document: { markdown } });
  await ask("changeContent", { spaceId }, { changes: Object.entries(${JSON.stringify(texts)}).map(page) });
  const site = { title: "Docs", visibility: "public", spaces: [spaceId] };
  const { id: siteId } = await ask("createSite", { organizationId }, site);
  const { urls } = await ask("publishSite", { organizationId, siteId });
  const { fetch } = createSite(api);
  const answers = {};
  for (const path of ${JSON.stringify(paths)}) {
    const answer = await fetch(new Request(urls.published + "/" + path));
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== "content-length").sort());
    answers[path] = { status: answer.status, headers, text: await answer.text() };
  }
`;

interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

let path: string;
let expected: Record<string, Seen>;

beforeAll(async () => {
  path = await project([]);
  expected = (await commands.Node(path, { imports, text })) as typeof expected;
});

test("pages are rendered on Node", () => {
  const contents = {
    text: "<em>world</em>",
    code: 'class="t-k"',
    formula: "<mfrac>",
    operation: "/lamps/",
    "~octavo/search?q=world": "<p>Hello world",
    nothing: "<!doctype html>",
    "sitemap.xml": "<urlset",
    "text.md": "Hello *world*",
  };
  for (const [path, content] of Object.entries(contents)) expect(expected[path]!.text, path).toContain(content);
  expect(Object.values(expected).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 200, 200]);
});

test.each(["Bun", "Deno"] as const)("pages are the same on %s without any permissions", async (runtime) => {
  expect(await commands[runtime](path, { imports, text })).toEqual(expected);
});

test("pages are the same in a Worker", async () => {
  expect(await inWorker(path, { imports, text })).toEqual(expected);
});
