// Fenced code in a language that an installed integration declares is a block of that integration: in documents of
// spaces where it is installed, and only there. The text stays as it is.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { type Setting, setUp } from "../../support/setting";
import { installAtHome, installFromRival } from "../integrations/installed";

const FENCE = "```mermaid\ngraph TD\n  A --> B\n```";
const TEXT = `# Drawn\n\nBefore.\n\n${FENCE}\n\n\`\`\`js\nlet a;\n\`\`\`\n`;
const BLOCKS = [
  { id: "diagram", title: "Diagram", markdown: { codeblock: "mermaid", body: "content" } },
  { id: "plain", title: "Plain" },
];
const DRAWN = {
  type: "integration",
  isVoid: true,
  data: { integration: "drawing", block: "diagram", props: { content: "graph TD\n  A --> B" } },
};
const CODE = { type: "code", data: { syntax: "mermaid" } };

let setting: Setting;
let at: string;
let page: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  const space = (await setting.ask("admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" })).body.id;
  at = `/v1/spaces/${space}`;
  page = (await change({ operation: "insert_page", document: { markdown: TEXT } })).changes[0].page.id;
});

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
async function change(it: object): Promise<any> {
  const { status, body } = await setting.ask("admin", `POST ${at}/content`, { changes: [it] });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const read = (query = "?format=document") => setting.ask("read", `GET ${at}/content/page/${page}${query}`);
const blocks = async () => (await read()).body.document.nodes;
const install = () => installAtHome(setting, "drawing", { blocks: BLOCKS, scopes: [] });
const onSpaces = (installation: string) => setting.ask("admin", `PATCH ${installation}`, { space_selection: "all" });

describe("fences of integrations", () => {
  test("a fence is code until the integration is installed on the space, and again after it is removed", async () => {
    expect((await blocks())[1]).toMatchObject(CODE);
    const tags = [(await read()).headers.get("etag")];
    const installation = await install();
    await onSpaces(installation);
    expect((await blocks())[1]).toMatchObject(DRAWN);
    expect((await blocks())[2]).toMatchObject({ type: "code", data: { syntax: "js" } });
    tags.push((await read()).headers.get("etag"));
    await setting.ask("admin", `DELETE ${installation}`);
    expect((await blocks())[1]).toMatchObject(CODE);
    tags.push((await read()).headers.get("etag"));
    expect(tags[1]).not.toBe(tags[0]);
    expect(tags[2]).toBe(tags[0]);
  });

  test("a fence keeps the key of its code block for comments", async () => {
    const [, code] = await blocks();
    await onSpaces(await install());
    expect((await blocks())[1].key).toBe(code.key);
  });

  test("a fence is code in a space without the integration", async () => {
    const installation = await install();
    expect((await blocks())[1]).toMatchObject(CODE);
    await setting.ask("admin", `POST ${installation}/spaces`, { space: at.split("/").at(-1) });
    expect((await blocks())[1]).toMatchObject(DRAWN);
  });

  test("a fence may be a block of an integration of another organization, which may publish updates", async () => {
    await onSpaces(await installFromRival(setting, "drawing", { blocks: BLOCKS, scopes: [] }));
    expect((await blocks())[1]).toMatchObject(DRAWN);
    const renamed = [{ ...BLOCKS[0], markdown: { codeblock: "js", body: "source" } }];
    await setting.ask("rival", "POST /v1/integrations/drawing", { blocks: renamed });
    expect((await blocks())[1]).toMatchObject(CODE);
    expect((await blocks())[2]).toMatchObject({ data: { block: "diagram", props: { source: "let a;" } } });
  });

  test("a fence is written back as it was", async () => {
    await onSpaces(await install());
    expect((await read("")).body.markdown).toBe(TEXT);
    const { document } = (await read()).body;
    await change({ operation: "update_page", page, document: { document } });
    expect((await read("")).body.markdown).toBe(TEXT);
    document.nodes[1].data.props.content = "graph LR";
    await change({ operation: "update_page", page, document: { document } });
    expect((await read("")).body.markdown).toBe(TEXT.replace("graph TD\n  A --> B", "graph LR"));
    document.nodes[1].data.props.theme = "dark";
    await change({ operation: "update_page", page, document: { document } });
    expect((await read("")).body.markdown).toContain('{% @drawing/diagram content="graph LR" theme="dark" %}');
  });

  test("a fence is a block in what a site shows its visitors", async () => {
    await onSpaces(await install());
    const { ask, org } = setting;
    const made = await ask("admin", `POST /v1/orgs/${org}/sites`, {
      title: "Site",
      visibility: "public",
      spaces: [at.split("/").at(-1)],
    });
    const site = `/v1/orgs/${org}/sites/${made.body.id}`;
    await ask("admin", `POST ${site}/publish`);
    const [siteSpace] = (await ask("admin", `GET ${site}/site-spaces`)).body.items;
    const shown = await ask(null, `GET ${site}/site-spaces/${siteSpace.id}/page/${page}?format=document`);
    expect(shown.body.document.nodes[1]).toMatchObject(DRAWN);
  });

  test("a fence is a block in a reusable content's document", async () => {
    await change({ operation: "insert_reusable_content", title: "R", document: { markdown: FENCE } });
    const [reusable] = (await setting.ask("read", `GET ${at}/content`)).body.reusableContents;
    const read = () => setting.ask("read", `GET ${at}/documents/${reusable.document}`);
    const before = await read();
    expect(before.body.nodes[0]).toMatchObject(CODE);
    await onSpaces(await install());
    expect((await read()).body.nodes[0]).toMatchObject(DRAWN);
    const etag = before.headers.get("etag")!;
    const again = await setting.ask("read", `GET ${at}/documents/${reusable.document}`, undefined, {
      "if-none-match": etag,
    });
    expect(again.status).toBe(200);
  });
});

describe("operation blocks", () => {
  const OPERATION = '{% openapi-operation spec="petstore" path="/pets" method="get" %}\n{% endopenapi-operation %}';
  const text = `# API\n\n${OPERATION}\n\nSee [the page](petstore).\n`;
  const links = async () => (await setting.ask("admin", `GET ${at}/content/page/${page}/links`)).body.items;

  beforeEach(async () => {
    const source = { text: '{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{}}' };
    await setting.ask("admin", `POST /v1/orgs/${setting.org}/openapi`, { slug: "petstore", source });
    await change({ operation: "update_page", page, document: { markdown: text } });
  });

  test("an operation block refers to its specification by name, even where a page could have that path", async () => {
    const [operation, paragraph] = await blocks();
    expect(operation.data.ref).toEqual({ kind: "openapi", spec: "petstore" });
    expect(paragraph.nodes[1].data.ref).toEqual({ kind: "url", url: "petstore" });
    await change({ operation: "insert_page", title: "Petstore", document: {} });
    expect((await blocks())[1].nodes[1].data.ref).toMatchObject({ kind: "page" });
    expect((await blocks())[0].data.ref).toEqual({ kind: "openapi", spec: "petstore" });
  });

  test("an operation block is a link that the page depends on and that can be found", async () => {
    expect(await links()).toMatchObject([
      { status: "ok", relation: "dependsOn", targetReference: { kind: "openapi", openAPISpec: { slug: "petstore" } } },
      { status: "broken", relation: "reference", targetReference: { kind: "url", url: "petstore" } },
    ]);
  });

  test("an operation block round-trips in this form and in the earlier one", async () => {
    const { document } = (await read()).body;
    for (const ref of [document.nodes[0].data.ref, { kind: "url", url: "petstore" }]) {
      document.nodes[0].data.ref = ref;
      await change({ operation: "update_page", page, document: { document } });
      expect((await read("")).body.markdown).toBe(text);
    }
    document.nodes[0].data.path = "/cats";
    await change({ operation: "update_page", page, document: { document } });
    expect((await read("")).body.markdown).toBe(text.replace("/pets", "/cats"));
  });
});
