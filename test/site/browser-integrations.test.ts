// What others than the author bring to a page, in a browser: a block of an integration that is pressed, and an operation of an
// API that is tried out.

import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "vitest";
import { createReceiver, type Delivery, TUNNEL } from "../resources/integrations/receiver";
import { reading } from "../support/chromium";
import { describeInBrowser } from "../support/in-browser";
import { type Host, host } from "../support/listening";
import { isLongRun } from "../support/test-length";
import { type Served, serve } from "./served";

/** A request as it arrived. */
interface Arrived extends Pick<IncomingMessage, "method" | "url" | "headers"> {
  readonly body: string;
}

interface OthersStage extends Served {
  readonly url: string;
  /** The API that the page describes. */
  readonly lamps: Host;
  /** A host that no page names. */
  readonly foreign: Host;
  readonly arrived: { readonly lamps: Arrived[]; readonly foreign: Arrived[] };
}

/** A host that answers everybody's scripts, and writes down what arrives. */
function open(arrived: Arrived[]): Promise<Host> {
  return host(async (request, response) => {
    const { method, url, headers } = request;
    const allowed = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
    response.writeHead(200, {
      ...allowed,
      "access-control-allow-methods": "*",
      "content-type": "application/json",
    });
    if (method !== "OPTIONS") arrived.push({ method, url, headers, body: await text(request) });
    response.end(method === "OPTIONS" ? "" : '{"said":"<img src=x onerror=trap()>"}');
  });
}

/** Counts, says what it was told, and asks for a name. */
function counter({ event }: Delivery): Response {
  if (event.type !== "ui_render") return new Response("ok");
  const { state = {}, action } = event;
  const count = Number(state.count ?? 0) + (action?.action === "more" ? 1 : 0);
  const children = [
    { type: "text", children: [`Count ${count}, name ${state.name ?? "none"}.`] },
    { type: "input", label: "Name", element: { type: "textinput", state: "name" } },
    { type: "button", label: "More", onPress: { action: "more" } },
  ];
  return Response.json({ type: "element", state: { count }, element: { type: "block", children } });
}

const specificationAt = (origin: string) => ({
  openapi: "3.1.0",
  info: { title: "Lamps", version: "1" },
  servers: [{ url: `${origin}/v1` }],
  security: [{ key: [] }],
  paths: {
    "/lamps/{lampId}": {
      put: {
        summary: "Set a lamp",
        parameters: [
          { name: "lampId", in: "path", required: true, schema: { type: "string" } },
          { name: "room", in: "query", schema: { type: "string" } },
        ],
        requestBody: { content: { "application/json": { schema: { type: "object" }, example: { level: 80 } } } },
        responses: { 200: { description: "Done." } },
      },
    },
  },
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
});

const PAGE = `{% @bot/counter kind="plain" %}

{% openapi-operation spec="lamps" path="/lamps/{lampId}" method="put" %}
[lamps](https://example.com)
{% endopenapi-operation %}
`;

async function othersStage(): Promise<OthersStage> {
  const arrived = { lamps: [] as Arrived[], foreign: [] as Arrived[] };
  const [lamps, foreign] = await Promise.all([open(arrived.lamps), open(arrived.foreign)]);
  const served = await serve({}, { fetch: createReceiver(counter).fetch });
  const { ask, organization } = served;
  const specs = `/v1/orgs/${organization}/openapi`;
  await ask(`POST ${specs}`, { slug: "lamps", source: { text: JSON.stringify(specificationAt(lamps.origin)) } });
  await ask(`PATCH ${specs}/lamps`, { visibility: "public" });
  await ask("POST /v1/integrations/bot", { organization, blocks: [{ id: "counter", title: "Counter" }] });
  await ask("PUT /v1/integrations/bot/dev", { tunnelUrl: TUNNEL });
  const installed = await ask("POST /v1/integrations/bot/installations", { organization });
  const selection = { space_selection: "all", site_selection: "all" };
  await ask(`PATCH /v1/integrations/bot/installations/${installed.id}`, selection);
  const { id: space } = await ask(`POST /v1/orgs/${organization}/spaces`, { title: "Guide" });
  const changes = [{ operation: "insert_page", title: "Others", document: { markdown: PAGE } }];
  await ask(`POST /v1/spaces/${space}/content`, { changes });
  const settings = { title: "Docs", visibility: "public", spaces: [space] };
  const { id } = await ask(`POST /v1/orgs/${organization}/sites`, settings);
  const { urls } = await ask(`POST /v1/orgs/${organization}/sites/${id}/publish`);
  return {
    ...served,
    url: urls.published,
    lamps,
    foreign,
    arrived,
    async close() {
      await Promise.all([lamps.close(), foreign.close()]);
      await served.close();
    },
  };
}

describeInBrowser(othersStage, (open) => {
  test("readers press a block of an integration", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, {}, async (page) => {
      await page.goto(url);
      await page.getByText("Count 0, name none.").waitFor();
      await page.getByLabel("Name").fill("Zed");
      await page.getByRole("button", { name: "More" }).click();
      await page.getByText("Count 1, name Zed.").waitFor();
      await page.getByRole("button", { name: "More" }).click();
      await page.getByText(/Count 2, name/).waitFor();
      assert.equal(page.url(), url, "the page was left");
    });
  });

  test.runIf(isLongRun)("readers press a block of an integration without JavaScript", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, { javaScriptEnabled: false }, async (page) => {
      await page.goto(url);
      await page.getByLabel("Name").fill("Zed");
      await page.getByRole("button", { name: "More" }).click();
      await page.getByText("Count 1, name Zed.").waitFor();
    });
  });

  test("readers try out an operation, and only its own API is asked", async () => {
    const {
      browser,
      stage: { url, arrived, foreign },
    } = open();
    await reading(browser, {}, async (page) => {
      let traps = 0;
      await page.exposeFunction("trap", () => void traps++);
      await page.goto(url);
      await page.click("details.try > summary");
      const form = page.locator("form[data-try]");
      await form.getByLabel("lampId").fill("a/b ?");
      await form.getByLabel("room").fill("x&y");
      await form.locator("[data-secret]").fill("key of the house");
      await form.locator("button[type=submit]").click();
      await form.locator(".status.s2").waitFor();
      const { body, headers, ...line } = arrived.lamps.at(-1)!;
      assert.deepEqual(line, { method: "PUT", url: "/v1/lamps/a%2Fb%20%3F?room=x%26y" });
      assert.deepEqual(JSON.parse(body), { level: 80 });
      assert.equal(headers["x-key"], "key of the house");
      assert.equal(headers.cookie, undefined);
      assert.equal(headers.referer, undefined);
      assert.ok((await form.locator(".result > pre").textContent())?.includes("<img src=x onerror=trap()>"));
      const sent = await page.evaluate(
        (origin) =>
          fetch(origin).then(
            () => "sent",
            () => "blocked",
          ),
        foreign.origin,
      );
      assert.equal(sent, "blocked", "the policy lets requests through to hosts that the page does not name");
      assert.deepEqual(arrived.foreign, []);
      assert.equal(traps, 0);
    });
  });
});
