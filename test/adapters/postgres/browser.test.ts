// The API on PGlite in a real browser, where there is one: the whole system in a page, without a server.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { browserPath, startBrowser } from "../../support/chromium";
import { host } from "../../support/listening";
import { PATIENCE_MS } from "../../support/patience";

const path = browserPath();
if (path === undefined)
  console.warn("PGlite is not tried in a browser: there is none. Install chromium, or set CHROMIUM.");

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The files of PGlite, which it looks for beside itself. */
const library = dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite"));

const script = `
  import { PGlite } from "@electric-sql/pglite";
  import { createDocsApi } from "./src/index";
  import { postgresStorage } from "./adapters/postgres/index";

  globalThis.outcome = (async () => {
    const storage = postgresStorage(await PGlite.create());
    const api = createDocsApi(storage, { secret: "a secret of more than thirty-two characters" });
    const { organization, token } = await api.provision({
      user: { displayName: "Ada", email: "ada@example.com" },
      organization: { title: "Acme" },
      token: { label: "first" },
    });
    const ask = async (method, path, send) => {
      const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
      const body = send === undefined ? {} : { body: JSON.stringify(send) };
      return (await api.fetch(new Request("http://here/v1" + path, { method, headers, ...body }))).json();
    };
    const { id } = await ask("POST", "/orgs/" + organization + "/spaces", { title: "Guide" });
    const changes = [{ operation: "insert_page", title: "Start", document: { markdown: "In a *browser*.\\n" } }];
    await ask("POST", "/spaces/" + id + "/content", { changes });
    const { markdown } = await ask("GET", "/spaces/" + id + "/content/path/start");
    await api.maintain();
    await api.close();
    return markdown;
  })();
`;

test.skipIf(path === undefined)("a page in a browser writes and reads on PGlite", async () => {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    external: ["@electric-sql/pglite", "pg", "postgres", "node:*"],
    logLevel: "error",
  });
  const html = `<!doctype html><title>PGlite</title>
    <script type="importmap">{ "imports": { "@electric-sql/pglite": "/pglite/index.js" } }</script>
    <script type="module" src="/script.js"></script>`;
  const types: Record<string, string> = { ".js": "text/javascript", ".wasm": "application/wasm" };
  const { origin, close } = await host(async ({ url = "/" }, response) => {
    const name = normalize(url);
    if (name === "/") response.setHeader("content-type", "text/html").end(html);
    else if (name === "/script.js") response.setHeader("content-type", "text/javascript").end(outputFiles[0]!.text);
    else {
      const file = await readFile(join(library, name.replace(/^\/pglite/, ""))).catch(() => undefined);
      if (!file) response.writeHead(404).end();
      else response.setHeader("content-type", types[extname(name)] ?? "application/octet-stream").end(file);
    }
  });
  const browser = await startBrowser(path!);
  try {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await page.goto(`${origin}/`);
    const loaded = "document.readyState === 'complete' && globalThis.outcome !== undefined";
    await page
      .waitForFunction(loaded, undefined, { timeout: PATIENCE_MS })
      .catch((error) => errors.push(String(error)));
    expect([errors, await page.evaluate("globalThis.outcome")]).toEqual([[], "In a *browser*.\n"]);
  } finally {
    await browser.close();
    await close();
  }
});
