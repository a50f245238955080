// Blocks and scripts of integrations on pages: what is drawn of them, what their actions do, and that nobody breaks out.

import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { parseDeclaredSources } from "../../src/site/pages/prepare-blocks";
import { installAtHome } from "../resources/integrations/installed";
import { createReceiver, type Delivery, isAway } from "../resources/integrations/receiver";
import { type Opened, openSite, runningIn } from "./opened";

const HOSTILE = `"><script>trap()</script><img src=x onerror=trap()>`;

/** Every element of the kit, with hostile texts everywhere. */
const everything = [
  {
    type: "text",
    style: HOSTILE,
    children: [HOSTILE, { type: "link", target: { url: `https://a.example/${HOSTILE}` }, children: [HOSTILE] }],
  },
  { type: "markdown", content: `**Bold** ${HOSTILE} [x](javascript:trap())` },
  { type: "image", source: { url: `https://a.example/${HOSTILE}.png` }, alt: HOSTILE, aspectRatio: 2 },
  {
    type: "card",
    title: HOSTILE,
    hint: HOSTILE,
    icon: HOSTILE,
    onPress: { action: HOSTILE },
    children: [],
    buttons: [{ type: "button", label: HOSTILE, onPress: { action: "b", value: HOSTILE } }],
  },
  { type: "hstack", align: HOSTILE, children: [{ type: "divider" }, { type: "made-up", children: [HOSTILE] }] },
  {
    type: "input",
    label: HOSTILE,
    hint: HOSTILE,
    element: { type: "textinput", state: HOSTILE, placeholder: HOSTILE, initialValue: HOSTILE },
  },
  {
    type: "input",
    label: "Many",
    element: { type: "select", state: "many", multiple: true, options: [{ id: HOSTILE, label: HOSTILE }] },
  },
  { type: "textinput", state: "long", multiline: true, initialValue: `</textarea>${HOSTILE}` },
  { type: "radio", state: "r", value: HOSTILE },
  { type: "codeblock", content: HOSTILE, syntax: HOSTILE },
  {
    type: "webframe",
    source: { url: `https://frame.example/?${HOSTILE}` },
    aspectRatio: 2,
    data: { a: HOSTILE, who: { $state: "who" } },
  },
  { type: "webframe", source: { url: "https://docs.example/frame" } },
];

const block = (...children: unknown[]) => ({ type: "block", children });
const receiver = createReceiver();
let site: Opened;

function answering({ event }: Delivery): Response {
  if (event.type === "fetch_published_script")
    return new Response("1", { headers: { "content-type": "text/javascript" } });
  if (event.type !== "ui_render") return new Response("ok");
  const { componentId, props, state = {}, action } = event;
  if (componentId === "dialog") {
    if (action?.action === "ok") return Response.json({ type: "complete", returnValue: { said: state.name } });
    const children = [{ type: "textinput", state: "name" }];
    return Response.json({ type: "element", state: {}, element: { type: "modal", title: "Ask", children } });
  }
  if (props.kind === "everything")
    return Response.json({ type: "element", state: { who: HOSTILE }, element: block(...everything) });
  const count = Number(state.count ?? 0) + (action?.action === "more" ? 1 : 0);
  const told = {
    type: "text",
    children: [`Count ${count} ${JSON.stringify(action ?? null)} ${JSON.stringify(state)}`],
  };
  return Response.json({ type: "element", state: { count }, element: block(told) });
}

beforeAll(async () => {
  const definition = {
    scopes: ["site:script:inject", "site:script:cookies"],
    blocks: [{ id: "counter", title: "Counter" }],
    contentSecurityPolicy:
      "script-src https://cdn.example * 'unsafe-inline'; connect-src https://*.events.example; frame-ancestors *",
  };
  const options = { fetch: receiver.fetch, sitesUrl: "https://docs.example/" };
  site = await openSite(options, { trustOrganizations: true }, async (setting) => {
    const one = await installAtHome(setting, "bot", definition);
    await setting.ask("admin", `PATCH ${one}`, { space_selection: "all", site_selection: "all" });
  });
  await site.write("Counter", '{% @bot/counter kind="plain" %}\n\nText.\n\n{% @nobody/there %}');
  await site.write("Everything", '{% @bot/counter kind="everything" %}');
  receiver.behave = answering;
});

afterEach(() => {
  receiver.behave = answering;
});

/** What the form of a page's first block holds. */
function fieldsOf(text: string): URLSearchParams {
  const [form = ""] = /<form class="block-form".*?<\/form>/s.exec(text) ?? [];
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return new URLSearchParams(fields.map(([, name, value]) => [name!, value!.replaceAll("&quot;", '"')]));
}

async function press(fields: URLSearchParams, action: object, more: Record<string, string> = {}, from = "same-origin") {
  const body = new URLSearchParams([...fields, ...Object.entries(more), ["action", JSON.stringify(action)]]);
  const headers = { "sec-fetch-site": from, "content-type": "application/x-www-form-urlencoded" };
  return site.open("~octavo/integration", { method: "POST", body: body.toString(), headers });
}

describe("integration blocks", () => {
  test("a block is rendered for the visitor, and one of a missing integration is omitted", async () => {
    const { text } = await site.open("counter");
    expect(text).toContain("Count 0");
    expect(text).toContain("<p>Text.</p>");
    expect(text).not.toContain("nobody");
    const { event } = receiver.tried.at(-1)!;
    expect(event).toMatchObject({
      componentId: "counter",
      props: { kind: "plain" },
      context: { type: "document", editable: false },
    });
    expect(event).not.toHaveProperty("auth");
  });

  test("a block receives actions with its state, on its own page or within the page", async () => {
    const fields = fieldsOf((await site.open("counter")).text);
    const whole = await press(fields, { action: "more", who: { $state: "who" } }, { "state.who": "Zed", bool: "on" });
    expect(whole.text).toContain("<!doctype html>");
    expect(whole.text).toContain("Count 1");
    expect(whole.text).toContain("&quot;who&quot;:&quot;Zed&quot;");
    expect(whole.text).toContain("&quot;on&quot;:false");
    const alone = await press(fields, { action: "more" }, { alone: "1" });
    expect(alone.text).toMatch(/^<form class="block-form"/);
    expect(alone.headers.get("content-security-policy")).toContain("sandbox");
  });

  test("a block requests only what the document says, whatever the form says", async () => {
    const fields = fieldsOf((await site.open("counter")).text);
    for (const [name, value] of [
      ["props", '{"kind":"everything"}'],
      ["integration", "other"],
    ] as const)
      fields.set(name, value);
    await press(fields, { action: "more" });
    expect(receiver.tried.at(-1)!.event).toMatchObject({ componentId: "counter", props: { kind: "plain" } });
    fields.set("at", "99");
    expect((await press(fields, { action: "more" })).status).toBe(404);
    fields.set("page", "pag_nobody");
    expect((await press(fields, { action: "more" })).status).toBe(404);
  });

  test("a block cannot be reached by forms of other sites", async () => {
    const fields = fieldsOf((await site.open("counter")).text);
    expect((await press(fields, { action: "more" }, {}, "cross-site")).status).toBe(403);
    const body = new URLSearchParams(fields).toString();
    const send = (origin: string) => site.open("~octavo/integration", { method: "POST", body, headers: { origin } });
    expect((await send("https://evil.example")).status).toBe(403);
    expect((await send("https://docs.example")).status).toBe(200);
  });

  test("a block opens a modal and receives what it returns", async () => {
    const fields = fieldsOf((await site.open("counter")).text);
    const opened = await press(fields, { action: "@ui.modal.open", componentId: "dialog", props: {} }, { alone: "1" });
    expect(opened.text).toContain("data-modal");
    const closed = await press(fieldsOf(opened.text), { action: "ok" }, { "state.name": "Eve", alone: "1" });
    expect(closed.text).toContain("{&quot;said&quot;:&quot;Eve&quot;}");
  });

  test("a failing block is a note, and the rest of the page is shown", async () => {
    receiver.behave = isAway;
    const { status, text } = await site.open("counter?again");
    expect(status).toBe(200);
    expect(text).toContain(`<p class="block-note">This content can’t be displayed right now.</p>`);
    expect(text).toContain("<p>Text.</p>");
  });

  test("a slow block does not delay the page and can be requested later", async () => {
    let answer: (response: Response) => void = () => {};
    receiver.behave = () => new Promise((resolve) => (answer = resolve));
    const { text } = await site.open("counter?slow");
    expect(text).toContain("data-late");
    expect(text).toContain("<p>Text.</p>");
    answer(new Response("{}"));
  });

  test("a block escapes nothing, whatever its elements contain", async () => {
    const { text } = await site.open("everything");
    expect(text).toContain("trap()");
    expect(runningIn(text)).toEqual([]);
    expect(text).toContain('sandbox="allow-scripts allow-forms allow-popups allow-same-origin"');
    // A frame of the site itself could take its sandbox away.
    expect(text).toMatch(/src="https:\/\/docs\.example\/frame"[^>]*sandbox="allow-scripts allow-forms allow-popups"/);
  });
});

describe("integration scripts", () => {
  test("scripts that use cookies wait for consent, and add only hosts to the policy", async () => {
    const { text, headers } = await site.open("counter");
    expect(text).toMatch(
      /<div class="consent"[^>]*hidden data-consent="\[&quot;http[^"]*\/integrations\/bot\/scripts\//,
    );
    expect(text).not.toMatch(/<script[^>]*src="[^"]*\/integrations\/bot\//);
    const policy = headers.get("content-security-policy")!;
    expect(policy).toMatch(
      /script-src docs\.example\/[^ ;]*\/~octavo\/assets\/ http[^ ;]*\/integrations\/bot\/scripts\/[^ ;]* https:\/\/cdn\.example;/,
    );
    expect(policy).toContain("connect-src 'self' https://*.events.example;");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain("unsafe");
  });

  test("scripts are omitted on the API's own origin unless the host allows them", async () => {
    const prepare = async (setting: Parameters<typeof installAtHome>[0]) => {
      const one = await installAtHome(setting, "bot", { scopes: ["site:script:inject"] });
      await setting.ask("admin", `PATCH ${one}`, { site_selection: "all" });
    };
    for (const allowScriptsOnSharedOrigin of [false, true]) {
      const shared = await openSite({ fetch: receiver.fetch }, { allowScriptsOnSharedOrigin }, prepare);
      await shared.write("One", "Text.");
      const { text } = await shared.open("one");
      expect(/<script async src="[^"]*\/integrations\/bot\/scripts\//.test(text)).toBe(allowScriptsOnSharedOrigin);
    }
  });

  test.each([
    ["script-src https://a.example", ["https://a.example"]],
    ["script-src https://a.example/x.js *", ["https://a.example/x.js"]],
    ["SCRIPT-SRC 'unsafe-eval' 'unsafe-inline' https: data: blob: https://*", []],
    ["script-src https://*.a.example https://*.com", ["https://*.a.example"]],
    ["script-src https://a.example,script-src https://b.example'", []],
  ])("the policy %s yields the sources %j", (policy, sources) => {
    expect(parseDeclaredSources(policy).get("script-src")).toEqual(sources);
  });
});
