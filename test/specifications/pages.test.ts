// Specifications as pages: what there is, what it says, and that nothing in them does anything.

import { describe, expect, test } from "vitest";
import { evaluateMarkdown } from "../../src/content/evaluate";
import { readMarkdown } from "../../src/content/markdown/read";
import { readSpecification } from "../../src/specifications";
import { pagesOf, type SpecificationPage } from "../../src/specifications/pages";
import { webOf } from "./web";
import { BOOKS_31, CIRCLE, largeSpecification } from "./written";

async function pagesIn(text: string, models = false): Promise<SpecificationPage[]> {
  const found = await readSpecification({ text }, { fetch: undefined, milliseconds: 1000 });
  return pagesOf(found!.filesystem, { models });
}

const flat = (pages: readonly SpecificationPage[]): SpecificationPage[] =>
  pages.flatMap((page) => [page, ...flat(page.pages)]);
const one = (more: object) => JSON.stringify({ openapi: "3.1.0", info: {}, ...more });
const operation = (value: object, more: object = {}) => one({ paths: { "/a": { get: value } }, ...more });

describe("pages of a specification", () => {
  test("stand below their tags, in the order of the tags, and without one beside them", async () => {
    const pages = await pagesIn(BOOKS_31);
    expect(pages.map(({ key, pages }) => [key, pages.map(({ key }) => key)])).toEqual([
      ["tag Books", ["operation get /books", "operation post /books", "operation get /books/{isbn}"]],
      ["tag Loans", ["operation post /loans"]],
      ["operation get /health", []],
    ]);
    expect(pages[0]!.markdown()).toBe("# Books\n\nWhat can be *borrowed*.\n");
  });

  test("have schemas among them when they are wanted, with what is in them, and an end where they refer to themselves", async () => {
    const models = (await pagesIn(BOOKS_31, true)).at(-1)!;
    expect(models.pages.map(({ title }) => title)).toEqual(["Book"]);
    expect(models.pages[0]!.markdown()).toBe(
      "# Book\n\n* `isbn` (string, required): Its number.\n* `title` (string, required)\n* `sequel` (Book)\n  * `isbn` (string, required): Its number.\n  * `title` (string, required)\n  * `sequel` (Book)\n  * `format` (string or null, one of hardcover, paperback, null)\n* `format` (string or null, one of hardcover, paperback, null)\n",
    );
  });

  test("come of other documents as well", async () => {
    const { fetch } = webOf({ ...CIRCLE });
    const url = "https://specs.example/api/openapi.yaml";
    const found = await readSpecification({ url }, { fetch, milliseconds: 1000 });
    const [page] = pagesOf(found!.filesystem, { models: false });
    expect(page!.title).toBe("GET /a");
    expect(page!.markdown()).toContain("* `elsewhere` (Type)");
  });

  test("have webhooks among them, and parameters of their path unless they state them anew", async () => {
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

  test("are as many as there are operations, of a large one as well", async () => {
    const pages = flat(await pagesIn(JSON.stringify(largeSpecification(300))));
    expect(pages.filter(({ key }) => key.startsWith("operation"))).toHaveLength(600);
    expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
    for (const page of pages) expect(page.markdown().length).toBeLessThan(20_000);
  });
});

describe("what a specification says does nothing", () => {
  test("directives, expressions and titles of others are words", async () => {
    const evil =
      '{% include "/reusable-contents/x" %} <code class="expression">space.vars.secret</code>\n\n# Other title';
    const [page] = await pagesIn(operation({ summary: "# A `b` {% if %}\nnext", description: evil }));
    const text = page!.markdown();
    const included: string[] = [];
    const scope = { space: { vars: { secret: "s3cret" } }, page: { vars: {} }, visitor: { claims: { unsigned: {} } } };
    const { text: result } = evaluateMarkdown(text, {
      scope,
      include(href) {
        included.push(href);
        return "included";
      },
    });
    expect(included).toEqual([]);
    expect(result).not.toContain("s3cret");
    // The control: what is written in a page is evaluated.
    const control = evaluateMarkdown('<code class="expression">space.vars.secret</code>', { scope, include: () => "" });
    expect(control.text).toContain("s3cret");
    expect(readMarkdown(text).document.nodes.length).toBeGreaterThan(0);
  });

  test("S7: a pointer finds only what is really there", async () => {
    for (const pointer of ["#/__proto__", "#/constructor/prototype", "#/paths/toString", "#/openapi/length"]) {
      const [page] = await pagesIn(operation({ requestBody: { $ref: pointer }, parameters: [{ $ref: pointer }] }));
      expect(page!.markdown()).not.toContain("## Request body");
    }
  });

  test("S40: schemas that hold each other ten times over come to an end", async () => {
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

  test("references in circles lead nowhere", async () => {
    const schemas = { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } };
    const [page] = await pagesIn(
      operation({ parameters: [{ name: "a", in: "query", schema: schemas.A }] }, { components: { schemas } }),
    );
    expect(page!.markdown()).toContain("* `a` (B)");
  });
});
