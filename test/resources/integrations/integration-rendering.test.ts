// What components answer, and what becomes of it on the way to the caller.

import fc from "fast-check";
import LZString from "lz-string";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { checkComponentResponse } from "../../../src/resources/integrations/calls/component-response";
import { process } from "../../support/processes";
import { type Setting, setUp } from "../../support/setting";
import { installAtHome } from "./installed";
import { answers, createReceiver, isAway, type Receiver, stalls } from "./receiver";

const bot = "/v1/integrations/bot";
const element = { type: "element", element: { type: "block", children: [{ type: "text", children: ["Hi"] }] } };
let receiver: Receiver;
let setting: Setting;
let request: { componentId: string; props: object; context: object };

beforeEach(async () => {
  receiver = createReceiver();
  setting = await setUp(memoryStorage(), { fetch: receiver.fetch });
  const { ask, org } = setting;
  const one = await installAtHome(setting, "bot", { secrets: { KEY: "very-secret" } });
  await ask("admin", `PATCH ${one}`, { space_selection: "all" });
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Docs" })).body.id;
  request = { componentId: "card", props: { a: 1 }, context: { type: "document", spaceId: space, theme: "dark" } };
});

const render = () => setting.ask("read", `POST ${bot}/render`, request);

test("a request becomes an event that is answered at once, by GET and POST", async () => {
  receiver.behave = answers(200, JSON.stringify(element));
  const packed = LZString.compressToEncodedURIComponent(JSON.stringify(request));
  const got = await setting.ask("read", `GET ${bot}/render?request=${packed}`);
  const posted = await render();
  const base64 = encodeURIComponent(LZString.compressToBase64(JSON.stringify(request)));
  const third = await setting.ask("read", `GET ${bot}/render?request=${base64}`);
  for (const answer of [got, posted, third]) {
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...element, state: {}, props: {} });
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
  }
  expect(receiver.taken.at(-1)!.event).toMatchObject({
    type: "ui_render",
    ...request,
    auth: { userId: setting.ids.read },
  });
  expect(receiver.taken.at(-1)!.environment).toMatchObject({ secrets: { KEY: "very-secret" } });
});

test.each([
  [404, { error: "?" }, 404, "component_not_found"],
  [406, {}, 404, "component_not_found"],
  [400, { error: "Not like that" }, 400, "render_refused"],
  [422, { error: "Too short" }, 422, "render_invalid"],
  [500, { error: "very-secret" }, 502, "integration_failed"],
  [200, { type: "element", element: { type: "page", children: [] } }, 502, "integration_failed"],
  [302, {}, 502, "integration_failed"],
])("the response %i %j is reported as %i %s", async (status, body, told, reason) => {
  receiver.behave = answers(status, JSON.stringify(body), { location: "http://169.254.169.254/" });
  const answer = await render();
  expect([answer.status, answer.body.error.reason]).toEqual([told, reason]);
  expect(JSON.stringify(answer.body)).not.toContain("very-secret");
});

test.each([
  ["is away", isAway],
  ["stalls", stalls],
])("a script that %s is a 502", async (_, behaviour) => {
  receiver.behave = behaviour;
  const { ask } = process(setting, setting.storage, { fetch: receiver.fetch, integrations: { maxSeconds: 0.02 } });
  expect((await ask("read", `POST ${bot}/render`, request)).body.error).toMatchObject({
    code: 502,
    reason: "integration_failed",
  });
});

test.each([
  ['{"componentId":"card","props":{"__proto__":{}},"context":{}}', "query.request.props.__proto__"],
  ['{"componentId":"card","props":[],"context":CONTEXT}', "query.request.props"],
  ['{"componentId":"card","context":CONTEXT}', "query.request.props"],
])("a request in a URL is validated like one in a body: %s", async (text, path) => {
  const packed = LZString.compressToEncodedURIComponent(text.replace("CONTEXT", JSON.stringify(request.context)));
  const before = receiver.tried.length;
  const answer = await setting.ask("read", `GET ${bot}/render?request=${packed}`);
  expect([answer.status, answer.body.error.issues[0].path]).toEqual([400, path]);
  expect(receiver.tried.length).toBe(before);
});

describe("elements", () => {
  const block = (...children: unknown[]) => ({ type: "element", element: { type: "block", children } });
  const check = (answer: unknown) => checkComponentResponse(JSON.stringify(answer));

  test("an element may be a block, a modal or a configuration, and a response may be complete", () => {
    for (const type of ["block", "modal", "configuration"])
      expect(check({ type: "element", element: { type, children: [] } })).toBeDefined();
    expect(check({ type: "complete", returnValue: { a: 1 }, more: true })).toEqual({
      type: "complete",
      returnValue: { a: 1 },
    });
  });

  test("an element may have controls and clickable parts", () => {
    const controls = [{ label: "Edit", icon: "edit", onPress: { action: "edit" } }];
    const element = { type: "block", children: [{ type: "button", label: "Go", onPress: { action: "go" } }], controls };
    expect(check({ type: "element", element })).toMatchObject({ element });
  });

  test("an element may link to pages and show images", () => {
    for (const url of ["https://a.example", "/page", "data:image/png;base64,AA==", "database.png"])
      expect(check(block({ type: "image", source: { url } }))).toBeDefined();
  });

  test.each([
    ["no element", {}],
    ["no children", { type: "element", element: { type: "block" } }],
    ["a child without a type", block({ children: [] })],
    ["a child with a strange type", block({ type: "<script>" })],
    ["a number among the children", block(1)],
    ["an address that runs", block({ type: "image", source: { url: "java\nscript:alert(1)" } })],
    ["data that is no picture", block({ type: "webframe", source: { url: "data:text/html,<script>" } })],
    ["a state that is a list", { ...block(), state: [] }],
    ["a press that is code", block({ type: "button", label: "Go", onPress: "alert(1)" })],
    ["a press without a name", block({ type: "button", label: "Go", onPress: { type: "go" } })],
    ["controls that are none", { type: "element", element: { type: "block", children: [], controls: ["x"] } }],
  ])("an element with %s is rejected", (_, answer) => {
    expect(check(answer)).toBeUndefined();
  });

  test("an element with names that mean something in JavaScript, or too deep or large, is rejected", () => {
    expect(checkComponentResponse('{"type":"complete","returnValue":{"__proto__":{}}}')).toBeUndefined();
    expect(
      checkComponentResponse(`{"type":"complete","returnValue":${"[".repeat(5000)}${"]".repeat(5000)}}`),
    ).toBeUndefined();
    expect(check({ type: "complete", returnValue: Array.from({ length: 30_000 }, () => 1) })).toBeUndefined();
    expect(check({ type: "complete", returnValue: Array.from({ length: 1000 }, () => 1) })).toBeDefined();
  });

  test("any element is passed on unchanged or not at all", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const answer = `{"type":"complete","returnValue":${json}}`;
        const checked = checkComponentResponse(answer);
        if (checked) expect(checked).toEqual(JSON.parse(answer));
      }),
    );
  });
});
