// A hostile author writes into every block and every field of a site, and readers open it in a browser. Nothing of it may run,
// load or lead where no page leads.

import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";
import { createReceiver, type Delivery, TUNNEL } from "../resources/integrations/receiver";
import { reading } from "../support/chromium";
import { describeInBrowser } from "../support/in-browser";
import { isLongRun } from "../support/test-length";
import { addresses, FOREIGN, formulas, found, hostileMarkdown, names, texts } from "./hostile-list";
import { runningIn } from "./opened";
import { type Served, serve } from "./served";

interface HostileStage extends Served {
  readonly url: string;
  readonly at: string;
  readonly space: string;
  /** Adds a page, without the blocks that the API refuses. The path of the page, and how many were refused. */
  readonly write: (page: HostilePage) => Promise<{ readonly path: string; readonly refused: number }>;
}

interface HostilePage {
  readonly title: string;
  readonly blocks?: readonly unknown[];
  readonly markdown?: string;
  readonly more?: object;
}

const leaf = (text: string, marks: unknown[] = []) => ({ object: "text", leaves: [{ object: "leaf", text, marks }] });
const block = (type: string, data?: object, nodes?: unknown[], fragments?: unknown[]) => ({
  object: "block",
  type,
  ...(data && { data }),
  ...(nodes && { nodes }),
  ...(fragments && { fragments }),
});
const inline = (type: string, data: object, nodes?: unknown[], fragments?: unknown[]) =>
  block("paragraph", {}, [
    leaf("x"),
    { object: "inline", type, isVoid: !nodes, data, ...(nodes && { nodes }), ...(fragments && { fragments }) },
    leaf("y"),
  ]);
const fragment = (type: string, nodes: unknown[]) => ({ object: "fragment", type, nodes });

/** Every block and inline, with a text and an address everywhere. */
function hostileBlocks(text: string, address: string): unknown[] {
  const words = block("paragraph", {}, [leaf(text)]);
  const ref = { kind: "url", url: address };
  const caption = fragment("caption", [words]);
  const cells = { a: "cell-a", b: [text], c: ref, d: [ref], e: ref };
  const column = (id: string, type: string, more: object = {}) => ({ [id]: { id, title: text, type, ...more } });
  const definition = {
    ...column("a", "text"),
    ...column("b", "select", { options: [{ value: text, label: text, color: text }] }),
    ...column("c", "content-ref"),
    ...column("d", "files"),
    ...column("e", "image"),
  };
  const table = (view: object) =>
    block("table", { view, definition, records: { r: { orderIndex: "a", values: cells } } }, undefined, [
      { ...fragment("cell", [words]), fragment: "cell-a" },
    ]);
  const columns = ["a", "b", "c", "d", "e"];
  return [
    words,
    ...["heading-1", "heading-2", "heading-3"].map((type) => block(type, {}, [leaf(text)])),
    block("heading-1", { id: text }, [leaf("With a name")]),
    ...["bold", "code", "keyboard"].map((type) => block("paragraph", {}, [leaf(text, [{ object: "mark", type }])])),
    block("paragraph", {}, [leaf(text, [{ object: "mark", type: "color", data: { text, background: text } }])]),
    ...["list-ordered", "list-unordered", "list-tasks"].map((type) =>
      block(type, {}, [block("list-item", type === "list-tasks" ? { checked: true } : {}, [words])]),
    ),
    block("blockquote", {}, [words]),
    block("hint", { style: "info", icon: text }, [words]),
    block("images", {}, [block("image", { ref, alt: text }, undefined, [caption])]),
    block("images", {}, [block("image", { ref: { kind: "url", url: "x" }, alt: text, width: "50%" })]),
    block("file", { ref }, undefined, [caption]),
    block("drawing", { ref }),
    block("embed", { url: address }, undefined, [caption]),
    block("math", { formula: text }),
    block("code", { syntax: "html", title: text }, [block("code-line", {}, [leaf(text)])]),
    block("code", { syntax: text, title: text, meta: text }, [block("code-line", {}, [leaf(text)])]),
    block("code", { syntax: "mermaid" }, [block("code-line", {}, [leaf(text)])]),
    block("expandable", {}, undefined, [fragment("expandable-title", [words]), fragment("expandable-body", [words])]),
    block("tabs", {}, [block("tabs-item", { title: text }, [words]), block("tabs-item", { title: text }, [words])]),
    table({ type: "grid", columns, hideHeader: false }),
    table({ type: "cards", cardSize: "large", columns, targetDefinition: "c", coverDefinition: "d" }),
    block("content-ref", { ref }),
    block("stepper", {}, [block("stepper-step", {}, [block("heading-3", {}, [leaf(text)]), words])]),
    block("columns", {}, [block("column", { width: 50 }, [words]), block("column", { size: text }, [words])]),
    block("updates", { format: text }, [block("update", { date: text, tags: [text] }, [words])]),
    block("integration", { integration: "bot", block: "mirror", props: { text, address } }),
    block("openapi-operation", { ref: { kind: "openapi", spec: "hostile" }, path: "/a", method: "get" }),
    block("openapi-schemas", { ref: { kind: "openapi", spec: "hostile" }, schemas: ["A", text] }),
    block("unknown", { source: text }),
    inline("link", { ref }, [leaf(text)]),
    inline("link", { ref: { kind: "anchor", anchor: text } }, [leaf(text)]),
    inline("emoji", { code: text, name: text }),
    inline("icon", { icon: text }),
    inline("expression", { expression: text }),
    inline("expression", { expression: "space.vars.evil" }),
    inline("inline-math", { formula: text }),
    inline("inline-image", { ref, alt: text, caption: text, size: "line" }),
    inline("annotation", {}, [leaf(text)], [fragment("annotation-body", [words])]),
    inline("mention", { ref }),
    inline("anchor", { id: text }),
    inline("button", { label: text, kind: "primary", icon: text, ref }),
  ];
}

/** A specification that says a text everywhere. */
function hostileSpecification(text: string): object {
  const schema = {
    type: "object",
    title: text,
    description: text,
    required: [text],
    properties: { [text]: { type: "string", description: text, enum: [text], default: text, format: text } },
    example: { [text]: text },
  };
  const content = { [text]: { schema }, "application/json": { schema, example: { [text]: text } } };
  return {
    openapi: "3.1.0",
    info: { title: text, version: text, description: text },
    servers: [
      { url: "https://api.invalid/v1" },
      { url: `https://api.invalid/${text}`, description: text },
      { url: text },
    ],
    tags: [{ name: text, description: text }],
    security: [{ key: [] }],
    paths: {
      "/a": {
        get: {
          summary: text,
          description: text,
          tags: [text],
          operationId: text,
          parameters: [
            ...["query", "header"].map((place) => ({
              name: text,
              in: place,
              description: text,
              example: text,
              schema,
            })),
            { name: "plain", in: "query", schema: { type: "string", enum: [text] } },
          ],
          requestBody: { description: text, content },
          responses: { 200: { description: text, headers: { [text]: { description: text, schema } }, content } },
        },
      },
    },
    components: {
      schemas: { A: schema },
      securitySchemes: { key: { type: "apiKey", in: "header", name: text, description: text } },
    },
  };
}

/** A block of an integration that says what it was told. */
function mirror({ event }: Delivery): Response {
  if (event.type !== "ui_render") return new Response("ok");
  const { text = "", address = "" } = event.props as Record<string, string>;
  const children = [
    { type: "text", style: text, children: [text, { type: "link", target: { url: address }, children: [text] }] },
    { type: "markdown", content: `${text}\n\n[x](${address})` },
    { type: "image", source: { url: address }, alt: text },
    { type: "card", title: text, hint: text, icon: text, onPress: { action: text }, children: [text] },
    { type: "button", label: text, tooltip: text, onPress: { action: "@ui.url.open", url: address } },
    { type: "input", label: text, element: { type: "textinput", state: text, placeholder: text, initialValue: text } },
    { type: "codeblock", content: text, syntax: text },
    { type: "webframe", source: { url: address }, data: { a: text } },
  ];
  return Response.json({ type: "element", state: { a: text }, element: { type: "block", children } });
}

/** The text of a diagram becomes the drawing: the worst that a library for diagrams could do. */
const NO_MERMAID = "globalThis.mermaid={initialize(){},render:async(id,text)=>({svg:text})}";

async function hostileStage(): Promise<HostileStage> {
  const served = await serve({ diagrams: NO_MERMAID }, { fetch: createReceiver(mirror).fetch });
  const { ask, organization } = served;
  await ask("POST /v1/integrations/bot", { organization, blocks: [{ id: "mirror", title: "Mirror" }] });
  await ask("PUT /v1/integrations/bot/dev", { tunnelUrl: TUNNEL });
  const installed = await ask("POST /v1/integrations/bot/installations", { organization });
  const selection = { space_selection: "all", site_selection: "all" };
  await ask(`PATCH /v1/integrations/bot/installations/${installed.id}`, selection);
  const specs = `/v1/orgs/${organization}/openapi`;
  const specification = JSON.stringify(hostileSpecification(texts.slice(0, 12).join(" ")));
  await ask(`POST ${specs}`, { slug: "hostile", source: { text: specification } });
  await ask(`PATCH ${specs}/hostile`, { visibility: "public" });
  const { id: space } = await ask(`POST /v1/orgs/${organization}/spaces`, { title: "Guide" });
  await ask(`POST /v1/spaces/${space}/content`, {
    changes: [
      { operation: "set_variables", variables: { evil: "<script>trap()</script><img src=x onerror=trap()>" } },
      { operation: "insert_page", title: "Home", document: { markdown: "Home." } },
    ],
  });
  const settings = { title: "Docs", visibility: "public", spaces: [space] };
  const { id } = await ask(`POST /v1/orgs/${organization}/sites`, settings);
  const at = `/v1/orgs/${organization}/sites/${id}`;
  const { urls } = await ask(`POST ${at}/publish`);
  let written = 0;
  return {
    ...served,
    url: urls.published,
    at,
    space,
    async write({ title, blocks, markdown, more = {} }) {
      const path = `page-${++written}`;
      const kept = [...(blocks ?? [])];
      let fields: Record<string, unknown> = { title, ...more };
      for (let refused = 0; ; refused++) {
        const document = blocks ? { document: { object: "document", data: {}, nodes: kept } } : { markdown };
        const change = { operation: "insert_page", slug: path, ...fields, document };
        try {
          await ask(`POST /v1/spaces/${space}/content`, { changes: [change] });
          return { path, refused };
        } catch (error) {
          const message = (error as Error).message;
          const at = /\.document\.nodes\.(\d+)/.exec(message)?.[1];
          const field = /body\.changes\.0\.(\w+)"/.exec(message)?.[1];
          if (at !== undefined) kept.splice(Number(at), 1);
          else if (field !== undefined && field in fields) fields = { ...fields, [field]: "plain" };
          else throw error;
        }
      }
    },
  };
}

/** Opens pages with a trap, and tells what came of it. */
async function opened(
  browser: Browser,
  stage: HostileStage,
  paths: readonly string[],
  act: (page: Page, path: string) => Promise<void> = async () => {},
): Promise<readonly string[]> {
  return reading(browser, {}, async (page, context) => {
    const wrong: string[] = [];
    let at = "";
    const say = (text: string) => void wrong.push(`${at}: ${text}`);
    await context.exposeFunction("trap", () => say("a script of the author ran"));
    await context.exposeFunction("blocked", (text: string) => say(`the policy had to block ${text}`));
    await context.addInitScript(() => {
      if (window !== top) return;
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
        const { blocked } = globalThis as unknown as { blocked: (text: string) => void };
        blocked(`${violatedDirective} ${blockedURI} ${sample}`);
      });
    });
    context.on("dialog", (dialog) => {
      say(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    context.on("page", (other) => say(`a window opened: ${other.url()}`));
    page.on("pageerror", (error) => say(`the script of the page failed: ${error.message}`));
    await context.route("**", async (route) => {
      const request = route.request();
      const address = request.url();
      if (address.startsWith(stage.origin)) {
        if (request.isNavigationRequest() && request.frame() === page.mainFrame() && !address.startsWith(stage.url))
          say(`left for ${address}`);
        return route.continue();
      }
      // Images of any host, the icon of the site, and frames of integrations are what authors may show.
      const type = request.resourceType();
      const isFrame = request.isNavigationRequest() && request.frame() !== page.mainFrame();
      const isShown = type === "image" || type === "other" || isFrame;
      if (!isShown || address.startsWith(FOREIGN)) say(`asked ${address} for a ${request.resourceType()}`);
      return route.abort();
    });
    for (const path of paths) {
      at = path;
      await page.goto(`${stage.url}/${path}`, { waitUntil: "load" });
      for (const it of await page.evaluate(found)) say(it);
      await act(page, path);
    }
    return wrong;
  });
}

/** Appearance of a site, in pieces of which the API may refuse some. */
function hostileLooks(text: string, address: string): object[] {
  const to = { kind: "url", url: address };
  const link = { title: text, to };
  return [
    { title: text },
    {
      header: {
        links: [
          { title: text, to, style: "link", links: [link] },
          { title: text, to, style: "button-primary" },
        ],
      },
    },
    { header: { links: [{ title: text, to: { kind: "url", url: "https://example.invalid/" }, style: "link" }] } },
    { header: { logo: { light: address, dark: address } } },
    { footer: { copyright: text, groups: [{ title: text, links: [link] }] } },
    { footer: { copyright: text } },
    { announcement: { enabled: true, message: text, style: "info", link } },
    { announcement: { enabled: true, message: text, style: "info" } },
    { privacyPolicy: { url: address } },
    { socialPreview: { url: address, description: text } },
    { socialPreview: { description: text } },
    { favicon: { emoji: text } },
    { favicon: { icon: { light: address, dark: address } } },
    { styling: { font: { fontFamily: text, fontFaces: [{ weight: 400, sources: [{ url: address }] }] } } },
    { styling: { primaryColor: { light: text, dark: text } } },
    { internationalization: { language: text } },
  ];
}

const addressAt = (i: number) => addresses[i % addresses.length]!;

/** Every how many of the texts the suite takes. */
async function pagesOf(stage: HostileStage, every: number): Promise<string[]> {
  const paths: string[] = [];
  const count = Math.max(texts.length, addresses.length);
  for (let i = 0; i < count; i += every) {
    const [text, address] = [texts[i % texts.length]!, addressAt(i)];
    const more = { description: text, emoji: text, icon: text };
    paths.push((await stage.write({ title: text, blocks: hostileBlocks(text, address), more })).path);
    paths.push((await stage.write({ title: text, markdown: hostileMarkdown(text, address) })).path);
  }
  return paths;
}

const nothingIsWrong = (wrong: readonly string[]) =>
  assert.deepEqual(wrong, [], `${wrong.length} things: ${wrong.slice(0, 8).join(" | ")}`);

describeInBrowser(hostileStage, (open) => {
  test.runIf(isLongRun)("nothing runs of hostile texts and addresses in every block and field", async () => {
    const { browser, stage } = open();
    await nothingIsWrong(await opened(browser, stage, await pagesOf(stage, 1)));
  });

  test("nothing runs of some hostile texts and addresses in every block and field", async () => {
    const { browser, stage } = open();
    await nothingIsWrong(await opened(browser, stage, await pagesOf(stage, 30)));
  });

  test.runIf(isLongRun)("nothing runs of hostile formulas", async () => {
    const { browser, stage } = open();
    const blocks = formulas.flatMap((formula) => [block("math", { formula }), inline("inline-math", { formula })]);
    nothingIsWrong(await opened(browser, stage, [(await stage.write({ title: "Formulas", blocks })).path]));
  });

  test("a site works with headings and anchors that have the names of its own elements", async () => {
    const { browser, stage } = open();
    const blocks = names.flatMap((id) => [
      block("heading-1", { id }, [leaf(id)]),
      inline("anchor", { id }),
      inline("annotation", {}, [leaf(id)], [fragment("annotation-body", [block("paragraph", {}, [leaf(id)])])]),
    ]);
    const { path } = await stage.write({ title: "Names", blocks });
    const works = async (page: Page) => {
      await page.keyboard.press("/");
      await page.locator("dialog.finder").waitFor({ state: "visible" });
      await page.keyboard.type("names");
      await page.locator("dialog.finder [role=option]").first().waitFor();
      await page.keyboard.press("Escape");
      await page.locator("button.note").first().click();
      await page.locator(".note-body").first().waitFor({ state: "visible" });
      await page.keyboard.press("Escape");
      await page.setViewportSize({ width: 390, height: 844 });
      await page.locator("a.menu").click();
      assert.ok(await page.locator("nav a.close").isVisible(), "a heading takes the place of the menu");
    };
    nothingIsWrong(await opened(browser, stage, [path], works));
  });

  test.runIf(isLongRun)("nothing runs of a hostile look of a site", async () => {
    const { browser, stage } = open();
    const wrong: string[] = [];
    for (const [i, text] of texts.entries()) {
      for (const look of hostileLooks(text, addressAt(i)))
        await stage.ask(`PUT ${stage.at}/customization`, look).catch(() => {
          // Refused, which is as good.
        });
      await stage.ask(`PATCH ${stage.at}`, { title: text.slice(0, 60) }).catch(() => {});
      wrong.push(...(await opened(browser, stage, [`home?${i}`])).map((it) => `${text}: ${it}`));
    }
    nothingIsWrong(wrong);
  });

  test.runIf(isLongRun)("nothing runs of hostile questions and addresses of pages", async () => {
    const { browser, stage } = open();
    const asked = texts.slice(0, 30).map((text) => encodeURIComponent(text));
    const paths = asked.flatMap((it) => [`~octavo/search?q=${it}`, it.replaceAll("%2F", "/"), `home#${it}`]);
    const hear = async (page: Page, path: string) => {
      if (path !== paths[0]) return;
      await page.keyboard.press("/");
      await page.keyboard.type("script trap onerror img");
      await page.waitForTimeout(250);
    };
    nothingIsWrong(await opened(browser, stage, paths, hear));
  });

  test.runIf(isLongRun)("nothing runs of hostile files", async () => {
    const { browser, stage } = open();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="trap()"><script>trap()</script></svg>`;
    const files = [
      { name: "a.svg", contentType: "image/svg+xml", text: svg },
      { name: "a.html", contentType: "text/html", text: "<script>trap()</script>" },
      {
        name: "a.xhtml",
        contentType: "application/xhtml+xml",
        text: `<html xmlns="http://www.w3.org/1999/xhtml"><script>trap()</script></html>`,
      },
      { name: `"><img src=x onerror=trap()>.png`, contentType: "image/png", text: "<script>trap()</script>" },
    ].map(({ text, ...file }, i) => ({ ...file, base64: btoa(text), ref: `file-${i}` }));
    const markdown = files.map(({ ref }) => `{% file src="./${ref}" %}\n\n![x](./${ref})`).join("\n\n");
    await stage.ask(`POST /v1/spaces/${stage.space}/content`, {
      changes: [
        { operation: "insert_files", files },
        { operation: "insert_page", title: "Files", slug: "files", document: { markdown } },
      ],
    });
    nothingIsWrong(await opened(browser, stage, ["files"]));
    await reading(browser, {}, async (page, context) => {
      let traps = 0;
      await context.exposeFunction("trap", () => void traps++);
      await page.goto(`${stage.url}/files`);
      const links = await page
        .locator("a[download]")
        .evaluateAll((all) => all.map((it) => (it as HTMLAnchorElement).href));
      assert.equal(links.length, files.length);
      for (const link of links)
        await page.goto(link).catch(() => {
          // A browser that downloads opens nothing.
        });
      assert.equal(traps, 0, "a file of an author runs");
    });
  });
});

test("nothing in the markup of hostile pages would run", async () => {
  const stage = await hostileStage();
  try {
    for (let i = 0; i < texts.length; i += 12) {
      const [text, address] = [texts[i]!, addresses[i % addresses.length]!];
      const written = [
        await stage.write({ title: text, blocks: hostileBlocks(text, address), more: { description: text } }),
        await stage.write({ title: text, markdown: hostileMarkdown(text, address) }),
      ];
      for (const { path } of written) {
        const response = await fetch(`${stage.url}/${path}`);
        expect(response.status).toBe(200);
        // The icon of a site that has none is an address without anything behind it.
        const shown = (await response.text()).replace('<link rel="icon" href="data:,">', "");
        expect(runningIn(shown)).toEqual([]);
      }
    }
  } finally {
    await stage.close();
  }
});
