// The pages in a document: no rule of accessibility that can be checked without drawing is broken, and the script does what it
// says. `npm run test:reference` checks the rest in a browser.

import axe from "axe-core";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { script as referenceScript } from "../../../src/openapi/built/reference";
import { JSDOM } from "../../support/jsdom";

const ORIGIN = "http://localhost:3000";
const api = createDocsApi(memoryStorage());

async function load(path: string): Promise<InstanceType<typeof JSDOM>> {
  const response = await api.fetch(new Request(ORIGIN + path));
  return new JSDOM(await response.text(), { url: ORIGIN + path, runScripts: "outside-only", pretendToBeVisual: true });
}

test.each(["/v1/docs?q=rename", "/v1/docs/teams", "/v1/docs/types/Team", "/v1/docs/operations/createTeam"])(
  "%s passes all accessibility rules",
  async (path) => {
    const { window } = await load(path);
    window.eval(referenceScript);
    // All groups of the table of contents are alike.
    for (const group of [...window.document.querySelectorAll("#contents details")].slice(8)) group.remove();
    window.eval(axe.source);
    const run = window.axe as typeof axe;
    // What is drawn is not known here.
    const { violations, passes } = await run.run(window.document, { rules: { "color-contrast": { enabled: false } } });
    expect(passes.length).toBeGreaterThan(10);
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    window.close();
  },
);

test("typing filters the table of contents, and Escape resets it", async () => {
  const { window } = await load("/v1/docs/operations/getTeam");
  window.eval(referenceScript);
  const { document } = window;
  const input = document.querySelector<HTMLInputElement>(".search input")!;
  const shown = () =>
    [...document.querySelectorAll<HTMLElement>("#contents li[data-words]")].filter(
      (it) => !it.hidden && !it.closest<HTMLElement>("details")!.hidden,
    ).length;
  const all = shown();
  input.value = "delete font";
  input.dispatchEvent(new window.Event("input"));
  expect(shown()).toBe(1);
  expect(document.querySelector<HTMLDetailsElement>("#contents details:not([hidden])")!.open).toBe(true);
  input.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  expect(shown()).toBe(all);
  window.close();
});

/** A page with its script, whose requests go to the API. */
async function trying(operation: string) {
  const { window } = await load(`/v1/docs/operations/${operation}`);
  const asked: { url: string; init: RequestInit }[] = [];
  Object.assign(window, {
    Headers,
    fetch: (url: string, init: RequestInit) => {
      asked.push({ url, init });
      return api.fetch(new Request(ORIGIN + url, init));
    },
  });
  window.eval(referenceScript);
  const { document } = window;
  const form = document.querySelector<HTMLFormElement>(".try form")!;
  const result = form.querySelector(".result")!;
  const fillInput = (field: HTMLInputElement, value: string) => {
    field.value = value;
    field.dispatchEvent(new window.Event("change"));
  };
  const fill = (name: string, value: string) => {
    const fields = [...form.querySelectorAll<HTMLInputElement>("[data-field]")];
    fillInput(fields.find((field) => JSON.parse(field.dataset.field!).name === name)!, value);
  };
  const fillToken = (value: string) => fillInput(form.querySelector<HTMLInputElement>("[data-secret]")!, value);
  const send = async () => {
    form.requestSubmit();
    for (let i = 0; i < 50 && !result.querySelector("pre"); i++) await new Promise((resolve) => setImmediate(resolve));
    return result.textContent!;
  };
  return { window, document, form, result, asked, fill, fillToken, send };
}

test("an operation is tried with a token, and the response is shown as text", async () => {
  const made = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "<b>Letters</b>" },
    token: { label: "test" },
  });
  const { window, form, result, asked, fill, fillToken, send } = await trying("getOrganization");
  expect(form.hidden).toBe(false);
  fill("organizationId", "");
  expect(await send()).toBe("");
  expect(asked).toEqual([]);
  fill("organizationId", made.organization!);
  fillToken(made.token!);
  const shown = await send();
  expect(shown).toContain("200");
  expect(shown).toContain("<b>Letters</b>");
  expect(result.querySelector("b")).toBeNull();
  expect(asked[0]!.url).toBe(`/v1/orgs/${made.organization}`);
  expect(window.sessionStorage.length).toBe(0);
  window.close();
});

test("a query is sent even by browsers without URLSearchParams.size", async () => {
  const { window, asked, fill, send } = await trying("listOrganizations");
  // Safari has it from version 17 on.
  Reflect.deleteProperty(window.URLSearchParams.prototype, "size");
  fill("limit", "2");
  await send();
  fill("limit", "");
  await send();
  expect(asked.map(({ url }) => url)).toEqual(["/v1/orgs?limit=2", "/v1/orgs"]);
  window.close();
});

test("a token is kept for the tab only if the person chooses so", async () => {
  const { window, document, fillToken } = await trying("getOrganization");
  fillToken("secret");
  expect(window.sessionStorage.length).toBe(0);
  const keep = document.querySelector<HTMLInputElement>("[data-keep]")!;
  keep.checked = true;
  keep.dispatchEvent(new window.Event("change"));
  expect(window.sessionStorage.getItem("octavo-reference-token")).toBe("secret");
  keep.checked = false;
  keep.dispatchEvent(new window.Event("change"));
  expect(window.sessionStorage.length).toBe(0);
  expect(window.localStorage.length).toBe(0);
  window.close();
});

test("a parameter cannot escape its segment of the path", async () => {
  const { window, asked, fill, send } = await trying("getOrganization");
  fill("organizationId", "a?b#c&$&");
  await send();
  expect(asked[0]!.url).toBe("/v1/orgs/a%3Fb%23c%26%24%26");
  window.close();
});
