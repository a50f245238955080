// Change requests in the console: which of them are listed, and what a person sees whose merge has conflicts. The components run
// in jsdom, and call the API as the application does.

import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { type ComponentType, h, render } from "preact";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Messages } from "../../src/console/app/messages/messages";
import { console as english } from "../../src/locales/en.json";
import { JSDOM } from "../support/jsdom";

const ORIGIN = "http://localhost:3000";
const { window } = new JSDOM('<!doctype html><div id="console" data-language="en"></div>', {
  url: `${ORIGIN}/console`,
  pretendToBeVisual: true,
});
const { document } = window;
const root = document.getElementById("console")!;

/** What the components need of a browser. */
const GLOBALS = ["window", "document", "location", "history", "navigator", "Node", "Element", "HTMLElement", "Event"];

/** What was there before: other tests of the same worker have it again. */
const outerGlobals = new Map<string, PropertyDescriptor | undefined>();

function setGlobal(name: string, value: unknown): void {
  outerGlobals.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

const api = createDocsApi(memoryStorage(), { origin: ORIGIN });
const calls: string[] = [];
/** Whether the person seems to have no right to edit. Every role that merges edits as well, as roles are today. */
let isReviewerOnly = false;
let token: string;
let organization: string;
let space: string;
let page: string;

async function ask(route: string, send?: unknown) {
  const [method = "", path] = route.split(" ");
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = send === undefined ? null : JSON.stringify(send);
  const response = await api.fetch(new Request(ORIGIN + path, { method, headers, body }));
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  const told: any = await response.json();
  if (!response.ok) throw new Error(`${route}: ${JSON.stringify(told)}`);
  return told;
}

/** The network of the browser. */
async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  request.headers.set("authorization", `Bearer ${token}`);
  const { pathname } = new URL(request.url);
  calls.push(`${request.method} ${pathname}`);
  const response = await api.fetch(request);
  if (!isReviewerOnly || request.method !== "GET" || pathname !== `/v1/spaces/${space}` || !response.ok)
    return response;
  const told = await response.json();
  return Response.json({ ...told, permissions: { ...told.permissions, edit: false } });
}

type Component<Props> = ComponentType<Props>;
let Spoken: Component<Record<never, never>>;
let ChangeRequestPage: Component<{ organization: string; space: string; changeRequest: string }>;
let ChangeRequests: Component<{ organization: string; space?: string }>;
let words: Messages;

beforeAll(async () => {
  for (const name of GLOBALS) setGlobal(name, window[name as "document"]);
  setGlobal("fetch", send);
  const made = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Letters" },
    token: { label: "test" },
  });
  token = made.token!;
  organization = made.organization!;
  space = (await ask(`POST /v1/orgs/${organization}/spaces`, { title: "Manual" })).id;
  const changes = [{ operation: "insert_page", title: "Install", document: { markdown: "Words." } }];
  page = (await ask(`POST /v1/spaces/${space}/content`, { changes })).changes[0].page.id;

  const { setLanguage: speak, ...spoken } = await import("../../src/console/app/messages/messages-provider");
  await speak("en");
  Spoken = spoken.MessagesProvider as typeof Spoken;
  ({ ChangeRequestPage } = await import("../../src/console/app/review/change-request"));
  ({ ChangeRequests } = await import("../../src/console/app/review/change-requests"));
  words = { inLanguage: "en", ...english };
});

afterAll(async () => {
  // Effects that are still waiting run before the browser is gone.
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const [name, before] of outerGlobals) {
    if (before) Object.defineProperty(globalThis, name, before);
    else Reflect.deleteProperty(globalThis, name);
  }
  window.close();
  await api.close();
});

afterEach(() => {
  render(null, root);
  calls.length = 0;
  isReviewerOnly = false;
});

function open<Props extends object>(component: Component<Props>, props: Props): void {
  render(h(Spoken, {}, h(component as Component<object>, props)), root);
}

const wait = <Result>(look: () => Result) => vi.waitFor(look, { timeout: 5_000, interval: 5 });

const button = (name: string) =>
  wait(() => {
    const found = [...root.querySelectorAll("button")].find((it) => it.textContent?.trim() === name);
    if (!found) throw new Error(`There is no button "${name}" in ${root.textContent}`);
    return found;
  });

/** A change request whose title of the page is another one than that of the space. */
async function openConflicting(): Promise<string> {
  const made = await ask(`POST /v1/spaces/${space}/change-requests`, { subject: "Titles" });
  const title = (name: string) => ({ changes: [{ operation: "update_page", page, title: name }] });
  await ask(`POST /v1/spaces/${space}/change-requests/${made.id}/content`, title(`Mine ${made.number}`));
  await ask(`POST /v1/spaces/${space}/content`, title(`Theirs ${made.number}`));
  open(ChangeRequestPage, { organization, space, changeRequest: String(made.number) });
  return String(made.number);
}

describe("merging with conflicts", () => {
  test("a merge with conflicts leads to the conflicts and succeeds when they are resolved", async () => {
    const number = await openConflicting();
    expect(root.querySelector("[role=alert]")).toBeNull();
    (await button(words.changeRequests.merge)).click();
    await wait(() =>
      expect(root.querySelector("[role=alert]")?.textContent).toBe(words.changeRequests.mergeHasConflicts),
    );
    const keep = await button(words.changeRequests.keepOurs);
    expect(root.querySelector(".conflict")?.textContent).toContain(`Theirs ${number}`);
    await wait(() => expect(document.activeElement?.textContent).toBe("1 conflict to resolve"));
    keep.click();
    await wait(() => expect(root.querySelector(".conflict")).toBeNull());
    // The merge goes on by itself when the last conflict is resolved.
    await wait(() => expect(root.textContent).toContain(words.changeRequests.statusMerged));
    expect(root.querySelector("[role=alert]")).toBeNull();
    expect((await ask(`GET /v1/spaces/${space}/content/page/${page}`)).title).toBe(`Mine ${number}`);
  });

  test("a merge with conflicts lists them for a person who may not edit, and changes nothing", async () => {
    isReviewerOnly = true;
    const number = await openConflicting();
    (await button(words.changeRequests.merge)).click();
    await wait(() =>
      expect(root.querySelector("[role=alert]")?.textContent).toBe(words.changeRequests.mergeNeedsEditor),
    );
    expect(root.querySelector("[role=alert]")?.textContent).not.toBe(words.changeRequests.mergeHasConflicts);
    const listed = [...root.querySelectorAll(".conflict")].map((it) => it.textContent);
    expect(listed).toEqual([
      expect.stringContaining(`In the spaceTheirs ${number}In this change requestMine ${number}`),
    ]);
    await wait(() => expect(document.activeElement?.textContent).toBe("1 conflict to resolve"));
    const names = [...root.querySelectorAll("button")].map((it) => it.textContent?.trim());
    expect(names).not.toContain(words.changeRequests.keepOurs);
    expect(names).not.toContain(words.changeRequests.takeTheirs);
    const writes = calls.filter((it) => !it.startsWith("GET "));
    expect(writes).toEqual([`POST /v1/spaces/${space}/change-requests/${number}/merge`]);
  });
});

test("drafts are listed with change requests in review, without a message that there are none", async () => {
  const other = (await ask(`POST /v1/orgs/${organization}/spaces`, { title: "Other" })).id;
  open(ChangeRequests, { organization, space: other });
  await wait(() => expect(root.textContent).toContain(words.changeRequests.noChangeRequests));
  expect([...root.querySelectorAll("option, [role=radio], label")].map((it) => it.textContent)).toContain(
    words.changeRequests.statusUnfinished,
  );
  render(null, root);

  for (const subject of ["First draft", "Second draft"])
    await ask(`POST /v1/spaces/${other}/change-requests`, { subject });
  const asked = await ask(`POST /v1/spaces/${other}/change-requests`, { subject: "In review" });
  const { refreshAllQueries: refreshAll } = await import("../../src/console/app/api/queries");
  await refreshAll();
  await ask(`PATCH /v1/spaces/${other}/change-requests/${asked.id}`, { status: "open" });
  for (const props of [{ organization, space: other }, { organization }]) {
    open(ChangeRequests, props);
    await refreshAll();
    await wait(() => {
      const subjects = [...root.querySelectorAll(".rows strong")].map((it) => it.textContent);
      expect(subjects).toEqual(expect.arrayContaining(["First draft", "Second draft", "In review"]));
    });
    expect(root.textContent).not.toContain(words.changeRequests.noChangeRequests);
    render(null, root);
  }
});
