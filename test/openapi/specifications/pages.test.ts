// Specifications as pages: what there is, what it says, and that nothing in them does anything.

import { describe, expect, test } from "vitest";
import { readMarkdown } from "../../../src/content/markdown/read";
import { buildSpecificationPages, type SpecificationPage } from "../../../src/openapi/markdown";
import { readSpecification } from "../../../src/openapi/specifications";
import { evaluateMarkdown } from "../../content/at-once";
import { webOf } from "./web";
import { BOOKS_31, CIRCLE, largeSpecification } from "./written";

async function pagesIn(text: string, models = false): Promise<SpecificationPage[]> {
  const found = await readSpecification({ text }, { fetch: undefined, milliseconds: 1000 });
  return buildSpecificationPages(found!.filesystem, { models });
}

const flat = (pages: readonly SpecificationPage[]): SpecificationPage[] =>
  pages.flatMap((page) => [page, ...flat(page.pages)]);
const one = (more: object) => JSON.stringify({ openapi: "3.1.0", info: {}, ...more });
const operation = (value: object, more: object = {}) => one({ paths: { "/a": { get: value } }, ...more });

describe("pages of a specification", () => {
  test("operations are listed below their tags in the order of the tags, and untagged operations stand beside them", async () => {
    const pages = await pagesIn(BOOKS_31);
    expect(pages.map(({ key, pages }) => [key, pages.map(({ key }) => key)])).toEqual([
      ["tag Books", ["operation get /books", "operation post /books", "operation get /books/{isbn}"]],
      ["tag Loans", ["operation post /loans"]],
      ["operation get /health", []],
    ]);
    expect(pages[0]!.markdown()).toBe(
      "# Books\n\nWhat can be *borrowed*.\n\n## Operations\n\n* `GET /books`: List the books\n* `POST /books`: Add a book\n* `GET /books/{isbn}`: getBook\n",
    );
  });

  test("schemas become pages on request, with their members, and recursion ends", async () => {
    const models = (await pagesIn(BOOKS_31, true)).at(-1)!;
    expect(models.pages.map(({ title }) => title)).toEqual(["Book"]);
    expect(models.pages[0]!.markdown()).toBe(
      `# Book

* \`isbn\` (string, required): Its number.
* \`title\` (string, required)
* \`sequel\` (Book, members listed above)
* \`format\` (string or null): One of \`hardcover\`, \`paperback\`, \`null\`.

**Example**, made from the schema

\`\`\`json
{
  "isbn": "text",
  "title": "text",
  "format": "hardcover"
}
\`\`\`
`,
    );
  });

  test("types link to the pages of schemas if these exist", async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const answers = (schema: object) => ({
      responses: { 200: { description: "Fine", content: { "a/b": { schema } } } },
    });
    const text = one({
      paths: {
        "/a": { get: { tags: ["models"], ...answers({ type: "array", items: ref("Book") }) } },
        "/b": { get: { ...answers({ oneOf: [ref("book"), ref("string"), { type: "string", format: "Date" }] }) } },
      },
      components: {
        schemas: {
          Book: { type: "object", properties: { next: ref("Book"), other: ref("book"), a_b: ref("a_b") } },
          book: { type: "object", properties: { at: { type: "string" } } },
          string: { type: "object" },
          Date: { type: "string" },
          a_b: { type: "object", properties: { c: { type: "string" } } },
        },
      },
    });
    const all = flat(await pagesIn(text, true));
    const said = (key: string) => all.find((page) => page.key === key)!.markdown();
    expect(all.filter(({ key }) => key.startsWith("model")).map(({ slug }) => slug)).toContain("models");
    expect(said("operation get /a")).toContain("`a/b`: array of [Book](../models-2/book.md)");
    expect(said("operation get /b")).toContain("`a/b`: [book](models-2/book-2.md) or string or string Date");
    expect(said("operation get /b")).toContain("If it is **[book](models-2/book-2.md)**");
    expect(said("model Book")).toContain("* `next` (Book, members listed above)\n* `other` ([book](book-2.md))");
    expect(said("model Book")).toContain("* `a_b` ([a\\_b](a-b.md)");
    for (const { markdown } of flat(await pagesIn(text))) expect(markdown()).not.toContain("](");
  });

  test("pages are made of operations in other documents too", async () => {
    const { fetch } = webOf({ ...CIRCLE });
    const url = "https://specs.example/api/openapi.yaml";
    const found = await readSpecification({ url }, { fetch, milliseconds: 1000 });
    const [page] = buildSpecificationPages(found!.filesystem, { models: false });
    expect(page!.title).toBe("GET /a");
    expect(page!.markdown()).toContain("* `elsewhere` (string)");
  });

  test("webhooks become pages, and path parameters apply unless an operation overrides them", async () => {
    const shared = { name: "x", in: "query", description: "Shared." };
    const own = { name: "x", in: "query", description: "Own." };
    const pages = await pagesIn(
      one({
        paths: { "/a": { parameters: [shared], get: {}, put: { parameters: [own] } } },
        webhooks: { arrived: { post: { summary: "It arrived" } } },
      }),
    );
    expect(flat(pages).map(({ key }) => key)).toEqual([
      "tag Webhooks",
      "webhook post arrived",
      "operation get /a",
      "operation put /a",
    ]);
    expect(pages[1]!.markdown()).toContain("* `x`: Shared.");
    expect(pages[2]!.markdown()).toContain("* `x`: Own.");
  });

  test("there is a page for every operation, even in a large specification", async () => {
    const pages = flat(await pagesIn(JSON.stringify(largeSpecification(100))));
    expect(pages.filter(({ key }) => key.startsWith("operation"))).toHaveLength(200);
    expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
    for (const page of pages) expect(page.markdown().length).toBeLessThan(20_000);
  });
});

describe("the page of an operation", () => {
  const sent = (schema: object, more: object = {}) => ({
    requestBody: { content: { "application/json": { schema } } },
    ...more,
  });
  const textFor = async (value: object, more: object = {}) => (await pagesIn(operation(value, more)))[0]!.markdown();
  const inText = (text: string, from: string, to = "\u0000") => text.slice(text.indexOf(from)).split(to, 1)[0]!.trim();

  test("the page of an operation shows its authentication: alternatives, combinations, none, and where each credential goes", async () => {
    const components = {
      securitySchemes: {
        key: { type: "apiKey", in: "query", name: "k", description: "From *your account*." },
        jwt: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        basic: { type: "http", scheme: "Basic" },
        flow: {
          type: "oauth2",
          flows: {
            authorizationCode: {
              authorizationUrl: "https://a.example/o",
              tokenUrl: "https://a.example/t",
              scopes: { "b:w": "Write books" },
            },
          },
        },
        open: { type: "openIdConnect", openIdConnectUrl: "javascript:alert(1)" },
        tls: { type: "mutualTLS" },
      },
    };
    const security = [{ key: [] }, { jwt: [], flow: ["b:w", "odd"] }, { open: [] }, { tls: [] }, { gone: [] }, {}];
    const text = inText(await textFor({ security, responses: {} }, { components }), "## Authorization");
    expect(text).toBe(`## Authorization

One of the following is required:

* \`key\`, a key in the query parameter \`k\`: From *your account*.
* All of the following are required:
  * \`jwt\`, a token (JWT) in the header \`Authorization: Bearer …\`
  * \`flow\`, a token of OAuth 2.0 in the header \`Authorization: Bearer …\`: Scopes: \`b:w\` (Write books), \`odd\`. Flow authorization code: authorize at [https://a.example/o](https://a.example/o), get the token at [https://a.example/t](https://a.example/t).
* \`open\`, a token of OpenID Connect, described at \`javascript:alert(1)\`
* \`tls\`, a certificate of the client (mutual TLS)
* \`gone\`
* No authorization`);
    const all = { components, security: [{ basic: [] }] };
    expect(await textFor({}, all)).toContain("* `basic`, a name and a password in the header `Authorization: Basic …`");
    expect(await textFor({ security: [] }, all)).toContain("## Authorization\n\nNo authorization required.");
    expect(await textFor({})).not.toContain("Authorization");
    const [tag] = await pagesIn(one({ ...all, paths: {}, webhooks: { a: { post: {} } } }));
    expect(tag!.pages[0]!.markdown()).not.toContain("Authorization");
  });

  test("the page of an operation shows its URL with variables resolved, from the nearest servers", async () => {
    const variables = { region: { default: "eu", enum: ["eu", "us"], description: "Where." }, v: { default: "2" } };
    const servers = [
      { url: "https://{region}.example/v{v}/{x}/", variables },
      { url: "/test", description: "To try." },
    ];
    const text = await textFor({}, { servers });
    expect(text).toContain("```http\nGET https://eu.example/v2/{x}/a\n```");
    expect(inText(text, "## Servers")).toBe(
      "## Servers\n\n* `https://{region}.example/v{v}/{x}/`\n  * `region`: Where. One of `eu`, `us`. Default `eu`.\n  * `v`: Default `2`.\n* `/test`: To try.",
    );
    const near = await textFor({ servers: [{ url: "https://near.example" }] }, { servers });
    expect(near).toContain("GET https://near.example/a\n");
    expect(near).not.toContain("## Servers");
  });

  test("the page of an operation states constraints of parameters, items and members in plain words", async () => {
    const parameter = (name: string, schema: object, more: object = {}) => ({ name, in: "query", schema, ...more });
    const parameters = [
      parameter("a", { type: "array", minItems: 1, maxItems: 3, uniqueItems: true, items: { enum: ["x", "y"] } }),
      parameter("b", { type: "integer", minimum: 1, maximum: 9, default: 2 }, { deprecated: true, example: 4 }),
      parameter("c", { type: "number", exclusiveMinimum: 0, multipleOf: 5 }, { required: true }),
      parameter("d", { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 1 }),
      parameter("e", { type: "string", minLength: 1, maxLength: 1, pattern: "^[a`]$", nullable: true }),
      parameter("f", { type: "array", items: { type: "string", maxLength: 8 } }, { explode: false }),
      parameter("g", { not: { enum: [1, 2] }, const: "z", uniqueItems: true }),
      parameter("h", { type: "string", contentEncoding: "base64", contentMediaType: "image/png" }),
    ];
    expect(inText(await textFor({ parameters }), "* `a`")).toBe(
      [
        "* `a` (array of string): 1 to 3 items; all items differ. Each: one of `x`, `y`. Several are written as `a=a&a=b`.",
        "* `b` (integer, deprecated): From 1 to 9; default `2`. For example `4`.",
        "* `c` (number, required): More than 0; a multiple of 5.",
        "* `d` (number): More than 0; at most 1.",
        "* `e` (string or null): Exactly 1 character; matches ``^[a`]$``.",
        "* `f` (array of string): Each: at most 8 characters. Several are separated by commas.",
        "* `g` (string): Always `z`; not one of `1`, `2`.",
        "* `h` (string): `image/png` as `base64`.",
      ].join("\n"),
    );
    const properties = {
      id: { type: "integer", readOnly: true, deprecated: true },
      secret: { type: "string", writeOnly: true, description: "Said once", minLength: 3 },
      map: { type: "object", additionalProperties: { type: "integer", minimum: 0 }, minProperties: 1 },
    };
    const schema = {
      type: "object",
      properties,
      additionalProperties: { type: "boolean" },
      patternProperties: { "^x-": {} },
      anyOf: [{ required: ["id"] }, { required: ["secret", "map"] }],
    };
    expect(inText(await textFor(sent(schema)), "`application/json`", "\n\n**")).toBe(
      [
        "`application/json`: object\n\nNeeds `id`, or `secret` and `map`.\n",
        "* `id` (integer, deprecated, read-only)",
        "* `secret` (string, write-only): Said once. At least 3 characters.",
        "* `map` (map of integer): At least 1 member. Each: at least 0.",
        "* names that match `^x-`",
        "* any other name (boolean)",
      ].join("\n"),
    );
  });

  test("the page of an operation shows the variants of a value and which schemas include others", async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    const schemas = {
      Card: { allOf: [ref("Base"), { properties: { number: { type: "string" } } }], required: ["number"] },
      Bank: { type: "object", properties: { iban: { type: "string" }, again: ref("Pay") } },
      Base: {
        type: "object",
        required: ["kind"],
        properties: { kind: { type: "string" }, self: { allOf: [ref("Card")], nullable: true } },
      },
      Pay: {
        oneOf: [ref("Card"), ref("Bank")],
        discriminator: { propertyName: "kind", mapping: { c: "#/components/schemas/Card" } },
      },
    };
    const text = await textFor(
      sent({ type: "object", properties: { pay: { ...ref("Pay"), description: "Own words." } } }),
      { components: { schemas } },
    );
    expect(inText(text, "* `pay`", "\n\n**")).toBe(
      [
        "* `pay` (Pay): Own words.",
        "  * `kind` says which form it has: `c` for Card",
        "  * If it is **Card**:",
        "    * `kind` (string, required)",
        "    * `self` (Card or null, members listed above)",
        "    * `number` (string, required)",
        "  * If it is **Bank**:",
        "    * `iban` (string)",
        "    * `again` (Pay, members listed above)",
      ].join("\n"),
    );
    expect(JSON.parse(inText(text, "```json\n", "\n```").slice(8))).toEqual({ pay: { kind: "text", number: "text" } });
  });

  test("the page of an operation shows given examples, examples at a URL, and otherwise a generated one that matches the schema", async () => {
    const examples = {
      small: { summary: "A *small* one", value: { n: 1 } },
      far: { externalValue: "https://x.example/big.json" },
      shared: { $ref: "#/components/examples/shared" },
    };
    const components = { examples: { shared: { value: ["```"], description: "Shared." } } };
    const content = { "application/json": { examples }, "text/csv": { example: "a,b\n1,2" } };
    const text = inText(await textFor({ requestBody: { content } }, { components }), "**Example: A");
    expect(text).toBe(
      [
        '**Example: A \\*small\\* one**\n\n```json\n{\n  "n": 1\n}\n```',
        "**Example: far**: [the value is at another address](https://x.example/big.json)",
        '**Example: shared**\n\nShared.\n\n````json\n[\n  "```"\n]\n````',
        "`text/csv`\n\n**Example**\n\n```csv\na,b\n1,2\n```",
      ].join("\n\n"),
    );
    const properties = {
      at: { type: "string", format: "date-time", readOnly: true },
      mail: { type: "string", format: "email" },
      n: { type: "integer", minimum: 5 },
      list: { type: "array", minItems: 2, items: { type: "string", maxLength: 2 } },
      given: { type: "object", example: { a: 1 } },
      old: { type: "string", deprecated: true },
    };
    const made = await textFor(sent({ type: "object", properties }));
    expect(JSON.parse(inText(made, "```json\n", "\n```").slice(8))).toEqual({
      mail: "user@example.com",
      n: 5,
      list: ["te", "te"],
      given: { a: 1 },
    });
    const long = await textFor({
      requestBody: { content: { "application/json": { example: { text: "x".repeat(90_000) } } } },
    });
    expect(long).toContain("The example is longer than what is shown here.");
    expect(long.length).toBeLessThan(10_000);
  });

  test("the page of an operation shows its responses with headers and links, and its callbacks", async () => {
    const value = {
      responses: {
        201: {
          description: "Made.",
          headers: { Location: { description: "Where it is.", required: true, schema: { type: "string" } } },
          content: {
            "application/json": { schema: { type: "string" } },
            "application/xml": { schema: { type: "integer" } },
          },
          links: {
            next: { operationId: "getBook", parameters: { isbn: "$response.body#/isbn" }, description: "Read it." },
          },
        },
        default: { description: "An error." },
      },
      callbacks: {
        done: {
          "{$request.body#/url}": {
            post: {
              description: "# It is done",
              deprecated: true,
              requestBody: { content: { "application/json": { schema: { properties: { ok: { type: "boolean" } } } } } },
              responses: { 204: { description: "Heard." } },
            },
          },
        },
      },
    };
    expect(inText(await textFor(value), "## Responses")).toBe(
      `## Responses

### 201

Made.

Headers:

* \`Location\` (string, required): Where it is.

\`application/json\`: string

\`application/xml\`: integer

Links:

* \`next\`: leads to \`getBook\` with \`isbn\` from \`$response.body#/isbn\`. Read it.

### All other responses

An error.

## Callbacks

The API sends these requests to a URL that you provide in the request.

### done

\`\`\`http
POST {$request.body#/url}
\`\`\`

**Deprecated.**

#### It is done

#### Request body

\`application/json\`: object

* \`ok\` (boolean)

**Example**, made from the schema

\`\`\`json
{
  "ok": true
}
\`\`\`

#### Expected answers

* \`204\`: Heard.`,
    );
  });

  test("Swagger 2 types, keys and examples are read", async () => {
    const [page] = await pagesIn(
      JSON.stringify({
        swagger: "2.0",
        produces: ["application/json"],
        securityDefinitions: {
          k: { type: "oauth2", flow: "accessCode", tokenUrl: "https://a.example/t", scopes: { s: "All" } },
        },
        security: [{ k: ["s"] }],
        paths: {
          "/a": {
            get: {
              parameters: [
                {
                  name: "ids",
                  in: "query",
                  type: "array",
                  items: { type: "string", enum: ["p", "q"] },
                  collectionFormat: "pipes",
                },
              ],
              responses: {
                200: {
                  description: "It.",
                  schema: { type: "object", properties: { n: { type: "integer" } } },
                  examples: { "application/json": { n: 7 } },
                },
              },
            },
          },
        },
      }),
    );
    const text = page!.markdown();
    expect(text).toContain(
      "* `k`, a token of OAuth 2.0 in the header `Authorization: Bearer …`: Scope: `s` (All). Flow authorization code: get the token at [https://a.example/t](https://a.example/t).",
    );
    expect(text).toContain("* `ids` (array of string): Each: one of `p`, `q`. Several are separated by `|`.");
    expect(text).toContain(
      '`application/json`: object\n\n* `n` (integer)\n\n**Example** (`application/json`)\n\n```json\n{\n  "n": 7\n}\n```',
    );
  });

  test("a description is rendered as Markdown, with its headings below those of the page and its blocks closed", async () => {
    const description = "Intro\n\n# Top\n\n### Deep\n\n> [!WARNING]\n> Hot.\n\n* `a`\n* b\n\n```js\nnever closed";
    const text = await textFor({
      description,
      responses: { 200: { description: "<!-- never closed\n\n## Responses" } },
    });
    expect(text).toContain(
      'Intro\n\n### Top\n\n#### Deep\n\n{% hint style="warning" %}\nHot.\n{% endhint %}\n\n* `a`\n* b\n\n```js\nnever closed\n```\n\n## Responses\n\n### 200\n',
    );
    const properties = {
      a: {
        description: "# Head\n\n* x\n* y",
        type: "object",
        properties: { b: { description: "One `c`\nline [d](https://d.example)" } },
      },
    };
    expect(inText(await textFor(sent({ properties })), "* `a`", "\n\n**Ex")).toBe(
      "* `a` (object)\n\n  **Head**\n\n  * x\n  * y\n\n  Members:\n  * `b`: One `c` line [d](https://d.example)",
    );
    const { nodes } = readMarkdown(text).document;
    expect(nodes.filter(({ type }) => type === "heading-1")).toHaveLength(1);
    const long = await textFor({ summary: "First line.\nSecond *line*.", operationId: "longOne" });
    expect(long).toMatch(/^# longOne\n\n```http\nGET \/a\n```\n\nFirst line. Second \*line\*.\n/);
  });

  test("a page that was truncated says so", async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 999 }, (_, i) => [`p${i}`, { type: "string", description: "x".repeat(100) }]),
    );
    const text = await textFor({
      ...sent({ properties }),
      responses: {
        200: { description: "Y".repeat(30_000) },
        201: { description: "Z".repeat(30_000) },
        202: { description: "There.", content: { "a/b": { schema: { type: "string" } } } },
      },
    });
    expect(text).toContain("* … and 799 more members, which are not shown here");
    expect(text).toMatch(/This page ends here, because the specification says more than one page can hold\.\*\n$/);
    expect(text.length).toBeLessThan(80_000);
  });
});

describe("hostile specifications", () => {
  test("directives, expressions and titles of a specification are rendered as text", async () => {
    const evil =
      '{% include "/reusable-contents/x" %} <code class="expression">space.vars.secret</code>\n\n# Other title';
    const [page] = await pagesIn(operation({ summary: "# A `b` {% if %}\nnext", description: evil }));
    const text = page!.markdown();
    const included: string[] = [];
    const scope = { space: { vars: { secret: "s3cret" } }, page: { vars: {} }, visitor: { claims: { unsigned: {} } } };
    const { text: result } = evaluateMarkdown(text, {
      scope,
      getIncludedText(href) {
        included.push(href);
        return "included";
      },
    });
    expect(included).toEqual([]);
    expect(result).not.toContain("s3cret");
    // The control: what is written in a page is evaluated.
    const control = evaluateMarkdown('<code class="expression">space.vars.secret</code>', {
      scope,
      getIncludedText: () => "",
    });
    expect(control.text).toContain("s3cret");
    expect(readMarkdown(text).document.nodes.length).toBeGreaterThan(0);
  });

  test("S7: a JSON pointer resolves only to own members", async () => {
    for (const pointer of ["#/__proto__", "#/constructor/prototype", "#/paths/toString", "#/openapi/length"]) {
      const [page] = await pagesIn(operation({ requestBody: { $ref: pointer }, parameters: [{ $ref: pointer }] }));
      expect(page!.markdown()).not.toContain("## Request body");
    }
  });

  test("S40: ten levels of schemas that contain each other are finite", async () => {
    const schemas: Record<string, object> = { S12: { type: "object", properties: { end: { type: "string" } } } };
    for (let i = 0; i < 12; i++)
      schemas[`S${i}`] = { allOf: Array.from({ length: 10 }, () => ({ $ref: `#/components/schemas/S${i + 1}` })) };
    for (let i = 0; i < 12; i++)
      schemas[`P${i}`] = {
        properties: Object.fromEntries(
          Array.from({ length: 10 }, (_, n) => [`p${n}`, { $ref: `#/components/schemas/P${(i + 1) % 12}` }]),
        ),
      };
    for (let i = 0; i < 12; i++)
      schemas[`O${i}`] = {
        oneOf: Array.from({ length: 10 }, () => ({ $ref: `#/components/schemas/O${(i + 1) % 12}` })),
      };
    const content = (name: string) => ({ "application/json": { schema: { $ref: `#/components/schemas/${name}` } } });
    for (const name of ["S0", "P0", "O0"]) {
      const [page] = await pagesIn(operation({ requestBody: { content: content(name) } }, { components: { schemas } }));
      expect(page!.markdown().split("\n").length).toBeLessThan(400);
    }
  });

  test("circular references resolve to nothing", async () => {
    const schemas = { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } };
    const [page] = await pagesIn(
      operation({ parameters: [{ name: "a", in: "query", schema: schemas.A }] }, { components: { schemas } }),
    );
    expect(page!.markdown()).toContain("* `a` (B)");
  });
});
