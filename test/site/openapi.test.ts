// Operations of specifications on pages: what a reader sees of them, what the page may call, and that nobody breaks out.

import { beforeAll, describe, expect, test } from "vitest";
import { getCallableOrigin, listServerUrls } from "../../src/openapi/model/servers";
import { readPdf } from "../pdf/reader";
import { type Opened, openSite, runningIn } from "./opened";

const tree = {
  type: "object",
  required: ["name"],
  properties: {
    id: { type: "string", format: "uuid", readOnly: true },
    name: { type: ["string", "null"], maxLength: 20, default: "oak" },
    children: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
    guest: { oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }] },
  },
  additionalProperties: { type: "integer" },
};

const forest = {
  openapi: "3.1.0",
  info: { title: "Forest", version: "1" },
  servers: [
    {
      url: "https://{region}.forest.example/v{n}",
      variables: { region: { default: "eu", enum: ["eu", "us"] }, n: { default: "2" } },
    },
    { url: "/relative" },
  ],
  security: [{ token: [] }, { key: [], basic: [] }],
  components: {
    securitySchemes: {
      token: { type: "http", scheme: "bearer", description: "From your **settings**." },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      basic: { type: "http", scheme: "basic" },
    },
    schemas: {
      Tree: tree,
      Cat: { type: "object", properties: { lives: { type: "integer", minimum: 1, maximum: 9 } } },
      Dog: {
        allOf: [
          { $ref: "#/components/schemas/Cat" },
          { type: "object", properties: { barks: { type: "boolean", deprecated: true } } },
        ],
      },
    },
  },
  paths: {
    "/trees/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" }, example: "it's" }],
      post: {
        summary: "Plant a tree",
        description: "Plants **one** tree. See [more](https://more.example).",
        deprecated: true,
        parameters: [
          { name: "sort", in: "query", required: true, schema: { type: "string", enum: ["up", "down"] } },
          { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } },
        ],
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: { $ref: "#/components/schemas/Tree" } },
            "application/xml": { schema: { type: "string" }, example: "<tree/>" },
          },
        },
        responses: {
          201: {
            description: "Planted",
            headers: { ETag: { schema: { type: "string" } } },
            content: {
              "application/json": {
                schema: { $ref: "#/components/schemas/Tree" },
                examples: { oak: { summary: "An oak", value: { name: "Quercus" } } },
              },
            },
          },
          404: { description: "No such tree" },
        },
        callbacks: {
          grown: {
            "{$request.body#/url}": {
              post: { summary: "It has grown", responses: { 200: { description: "Thanks" } } },
            },
          },
        },
        "x-codeSamples": [{ lang: "ruby", label: "Ruby", source: "Tree.plant" }],
      },
    },
  },
  webhooks: { fallen: { post: { summary: "A tree has fallen", responses: { 200: { description: "ok" } } } } },
};

/** The same form as the specifications of Swagger 2. */
const old = {
  swagger: "2.0",
  info: { title: "Old", version: "1" },
  host: "old.example",
  basePath: "/base",
  consumes: ["application/x-www-form-urlencoded"],
  securityDefinitions: { bearer: { type: "apiKey", in: "header", name: "authorization" } },
  security: [{ bearer: [] }],
  definitions: { Pod: { type: "object", properties: { kind: { type: "string" } } } },
  paths: {
    "/pods": {
      post: {
        operationId: "createPod",
        parameters: [
          { name: "dry", in: "query", type: "boolean" },
          { name: "name", in: "formData", type: "string", required: true },
        ],
        responses: { 200: { description: "OK", schema: { $ref: "#/definitions/Pod" } } },
      },
    },
  },
};

const HOSTILE = `"><script>trap()</script><img src=x onerror=trap()>`;

/** Every text of a specification is hostile, also names of members. */
function hostile(value: unknown, isName = false): unknown {
  if (typeof value === "string")
    return isName ? value : KEPT.has(value) || value.startsWith("#/") ? value : `${value} ${HOSTILE}`;
  if (Array.isArray(value)) return value.map((it) => hostile(it));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, it]) => {
      const isFixed = ["openapi", "in", "type", "scheme", "url", "$ref"].includes(name);
      return [name === "lives" || name === "ETag" ? `${name}${HOSTILE}` : name, hostile(it, isFixed)];
    }),
  );
}
const KEPT = new Set(["id", "name", "sort", "tags", "object", "string", "array", "integer", "boolean", "null"]);

const block = (spec: string, path: string, method = "post") =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n[x](https://example.com)\n{% endopenapi-operation %}`;

let site: Opened;
let shown: string;

beforeAll(async () => {
  site = await openSite({}, {}, async ({ ask, org, api }) => {
    const bad = hostile(forest) as typeof forest;
    const servers = [
      "https://evil.example; script-src *",
      "https://*.evil.example",
      "javascript:trap()",
      "https://a,b.example",
      "https://x'y.example",
      "https://fine.example:8443/v1",
    ];
    const specs = { forest, old, bad: { ...bad, servers: servers.map((url) => ({ url })) } };
    for (const [slug, spec] of Object.entries(specs)) {
      await ask("admin", `PUT /v1/orgs/${org}/openapi/${slug}`, { source: { text: JSON.stringify(spec) } });
      await api.maintain();
      await ask("admin", `PATCH /v1/orgs/${org}/openapi/${slug}`, { visibility: "public" });
    }
    await ask("admin", `PUT /v1/orgs/${org}/openapi/hidden`, { source: { text: JSON.stringify(forest) } });
    await api.maintain();
  });
  await site.write(
    "Forest",
    `${block("forest", "/trees/{id}")}\n\n{% openapi-webhook spec="forest" name="fallen" method="post" %}\n[x](https://example.com)\n{% endopenapi-webhook %}\n\n{% openapi-schemas spec="forest" schemas="Dog,Nobody" grouped="true" %}\n[x](https://example.com)\n{% endopenapi-schemas %}`,
  );
  await site.write("Old", block("old", "/pods"));
  await site.write("Bad", block("bad", "/trees/{id}"));
  await site.write("Hidden", `${block("hidden", "/trees/{id}")}\n\n${block("forest", "/nowhere", "get")}`);
  shown = (await site.open("forest")).text;
});

describe("operation blocks", () => {
  test.each([
    ["its method and its address", '<span class="method post">POST</span>'],
    ["its title", '<h2 id="--post-trees-id-">Plant a tree <a class="anchor" href="#--post-trees-id-"'],
    ["its description as Markdown", 'Plants <strong>one</strong> tree. See <a href="https://more.example">more</a>'],
    ["that it is deprecated", '<span class="note-deprecated">deprecated</span>'],
    ["how one is authorized", "<code>X-Key</code>"],
    ["parameters with what is demanded of them", "One of <code>up</code>, <code>down</code>."],
    [
      "members that may be null",
      '<code>name</code> <span class="kind">string or null</span> <span class="note-required">required</span>',
    ],
    ["members of any name", '<span>any other name</span> <span class="kind">integer</span>'],
    ["the forms of a choice", "<summary>Dog</summary>"],
    ["answers with their headers", "<code>ETag</code>"],
    ["examples that are given", "Quercus"],
    ["callbacks", "<summary>It has grown</summary>"],
    ["samples of its author", "Tree.plant"],
    [
      "a sample for a shell, in which nothing breaks out",
      "curl -X POST &#39;https://eu.forest.example/v2/trees/it&#39;\\&#39;&#39;s?sort=up&#39;",
    ],
    ["a sample in Python", "requests.post("],
    ["webhooks", ">A tree has fallen <a"],
  ])("an operation block shows %s", (_, part) => {
    // Without the marks in code.
    expect(shown.replaceAll(/<span class="t-\w">([^<]*)<\/span>/g, "$1")).toContain(part);
  });

  test("the members of a schema are shown once and linked from other uses", () => {
    const [operation] = shown.split("A tree has fallen");
    expect(operation!.match(/<code>children<\/code>/g)).toHaveLength(1);
    const [, id] = /<a href="#(members-\d+)">See the fields above/.exec(operation!)!;
    expect(operation!.indexOf(`id="${id}"`)).toBeLessThan(operation!.indexOf(`href="#${id}"`));
  });

  test("a Swagger 2 operation has its host, form and schemas", async () => {
    const { text, headers } = await site.open("old");
    expect(text).toContain("https://old.example/base");
    expect(text).toContain('data-form="name"');
    expect(text).toContain("<code>kind</code>");
    expect(headers.get("content-security-policy")).toContain("connect-src 'self' https://old.example;");
  });

  test("an operation of a private specification is shown where a page names it, and one of a missing specification as the page says", async () => {
    const { status, text } = await site.open("hidden");
    expect(status).toBe(200);
    expect(text).toContain('<span class="method post">POST</span>');
    expect(text).toContain("nowhere");
    expect(text).toContain("Plant a tree");
  });
});

describe("operations in a PDF", () => {
  const printed = async (path: string) => {
    const bytes = await site.bytes(`${path}.pdf`);
    return (await readPdf(bytes)).text.replaceAll(/\s+/g, " ");
  };

  test("a PDF has the operations of its page, inside other blocks too", async () => {
    const text = await printed("forest");
    for (const part of [
      "Plant a tree",
      "eu.forest.example/v2/trees/{id}",
      "Plants one tree. See more",
      "Deprecated.",
      "X-Key",
      "One of up, down.",
      "Request body",
      "Responses",
      "ETag",
      "Quercus",
      "A tree has fallen",
      "barks",
    ])
      expect(text, part).toContain(part);
    await site.write(
      "In tabs",
      `{% tabs %}\n{% tab title="One" %}\n${block("forest", "/trees/{id}")}\n{% endtab %}\n{% endtabs %}`,
    );
    expect(await printed("in-tabs")).toContain("Plants one tree.");
  });

  test("a PDF has the operations of a private specification that its page names, and only words of a missing one", async () => {
    const text = await printed("hidden");
    expect(text).toContain("/trees/{id}");
    expect(text).toContain("/nowhere");
    expect(text).toContain("Plant a tree");
    // A description cannot bring anything but words.
    const hostile = await printed("bad");
    expect(hostile).toContain("fine.example");
    expect(hostile).not.toContain("{%");
  });
});

describe("external specifications", () => {
  const swagger = (src: string, path = "/pods", method = "post") =>
    `{% openapi src="${src}" path="${path}" method="${method}" %}\n[x](${src})\n{% endopenapi %}`;

  test("an external specification is fetched through the host's fetch, cached, and fetched again when it expires", async () => {
    const asked: string[] = [];
    let version = "old";
    const fetch: typeof globalThis.fetch = async (input) => {
      const { pathname } = new URL(String(input));
      asked.push(pathname);
      if (pathname === "/gone.json") return new Response("no", { status: 500 });
      if (pathname === "/bad.json") return new Response("{");
      return Response.json({ ...old, info: { title: version }, host: `${version}.example` });
    };
    const { open, write, clock } = await openSite({ fetch });
    await write("Away", `${swagger("https://apis.example/a.json")}\n\n${swagger("https://apis.example/a.json")}`);
    await write("Gone", `${swagger("https://apis.example/gone.json")}\n\n${swagger("https://apis.example/bad.json")}`);
    const first = await open("away");
    expect(first.text).toContain("https://old.example/base");
    expect(first.headers.get("content-security-policy")).toContain("connect-src 'self' https://old.example;");
    // The outline leads to both.
    for (const id of ["--post-pods", "--post-pods--2"]) expect(first.text.split(`#${id}"`)).toHaveLength(3);
    version = "new";
    expect((await open("away")).text).toContain("https://old.example/base");
    expect(asked).toEqual(["/a.json"]);
    const gone = await open("gone");
    expect([gone.status, gone.text.includes('<span class="method post">POST</span>')]).toEqual([200, true]);
    await open("gone");
    expect(asked).toEqual(["/a.json", "/gone.json", "/bad.json"]);
    clock.now = new Date(clock.now.getTime() + 7 * 60 * 60 * 1000);
    expect((await open("away")).text).toContain("https://new.example/base");
    await open("gone");
    expect(asked.slice(3)).toEqual(["/a.json", "/gone.json", "/bad.json"]);
  });

  test("an external specification is unavailable without network access or a web address", async () => {
    const path = await site.write("Nowhere", swagger("https://apis.example/a.json"));
    expect((await site.open(path)).text).toContain('<span class="method post">POST</span>');
  });
});

describe("the try-it form", () => {
  test("the try-it form is hidden without its script, which only such pages load, and may call the operation's servers", async () => {
    const { headers } = await site.open("forest");
    expect(shown).toContain("<form hidden data-try=");
    const [, asset] = /src="([^"]*site-full[^"]*)"/.exec(shown)!;
    expect((await site.open(asset!.slice(asset!.indexOf("~octavo")))).headers.get("content-type")).toContain(
      "javascript",
    );
    expect(headers.get("content-security-policy")).toContain(
      "connect-src 'self' https://eu.forest.example https://us.forest.example;",
    );
  });

  test("pages generated from a specification have the try-it form too", async () => {
    const { ask } = site;
    const space = (await ask("admin", `GET /v1/orgs/${site.org}/spaces`)).body.items[0].id as string;
    const source = { type: "builtin:openapi", props: { spec: "forest" } };
    const insert = { operation: "insert_page", type: "computed", title: "Computed", computed: source };
    expect((await ask("admin", `POST /v1/spaces/${space}/content`, { changes: [insert] })).status).toBe(200);
    const { status, text, headers } = await site.open("computed/post-trees-id");
    expect(status).toBe(200);
    expect(text.match(/<form hidden data-try=/g)).toHaveLength(1);
    expect(text).toContain("site-full");
    expect(text).not.toContain('<h2 id="--post');
    expect(headers.get("content-security-policy")).toContain("https://eu.forest.example");
    // A webhook is called by the API, and by no reader.
    const { text: webhook } = await site.open("computed/webhooks/post-fallen");
    expect(webhook).toContain("A tree has fallen");
    expect(webhook).not.toContain("data-try");
  });

  test("the try-it form can be disabled by the host", async () => {
    const without = await openSite({}, { tryIt: false }, async ({ ask, org, api }) => {
      await ask("admin", `PUT /v1/orgs/${org}/openapi/old`, { source: { text: JSON.stringify(old) } });
      await api.maintain();
      await ask("admin", `PATCH /v1/orgs/${org}/openapi/old`, { visibility: "public" });
    });
    await without.write("Old", block("old", "/pods"));
    const { text, headers } = await without.open("old");
    expect(text).toContain("createPod");
    expect(text).not.toContain("data-try");
    expect(headers.get("content-security-policy")).toContain("connect-src 'self';");
  });

  test.each([
    ["https://a.example/v1", "https://a.example"],
    ["http://[::1]:8080", "http://[::1]:8080"],
    ["https://a.example; script-src *", undefined],
    ["https://a;b", undefined],
    ["https://*.example", undefined],
    ["https://a,b", undefined],
    ["https://'self'", undefined],
    ["https://user:pass@a.example", undefined],
    ["https://{tenant}.example", undefined],
    ["javascript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["//a.example", undefined],
    ["/v1", undefined],
  ])("the try-it form may call %s: %s", (address, origin) => {
    expect(getCallableOrigin(address)).toBe(origin);
    expect(listServerUrls([{ url: address }])).toEqual(origin === undefined ? [] : [address]);
  });
});

test("a hostile specification escapes nothing and does not widen the policy", async () => {
  const { text, headers } = await site.open("bad");
  expect(text).toContain("trap()");
  expect(runningIn(text)).toEqual([]);
  const policy = headers.get("content-security-policy")!;
  expect(policy).toContain("connect-src 'self' https://fine.example:8443;");
  expect(policy).toContain(`script-src ${new URL(site.url).host}${new URL(site.url).pathname}/~octavo/assets/;`);
  expect(policy).not.toContain("*");
});

test("an operation that has the title of its page does not repeat it, and is not in the outline", async () => {
  await site.write("Plant a tree", block("forest", "/trees/{id}"));
  const { text } = await site.open("plant-a-tree");
  expect(text).toContain("<h1>Plant a tree</h1>");
  expect(text).toContain('<span class="method post">POST</span>');
  expect(text).not.toContain("--post-trees-id-");
});
