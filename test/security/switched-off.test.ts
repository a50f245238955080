// S32: what was given to a member before they were switched off or left doesn't work again when they are back.

import { describe, expect, test } from "vitest";
import { pdfPrinter } from "../../src/pdf";
import { createSignIn } from "../../src/sign-in";
import { openSite, ping, type Stage } from "../resources/sites/site-stage";

const MEMBER = "edit";

/** Sets `active` of the member, as the directory of the company. */
async function scim(stage: Stage): Promise<(active: boolean) => Promise<void>> {
  const { api, ask, org, ids } = stage;
  const { token } = (await ask("admin", `POST /v1/orgs/${org}/scim-tokens`, { label: "Directory" })).body;
  const signIn = createSignIn(api);
  return async (active) => {
    const response = await signIn.fetch(
      new Request(`http://localhost:3000/scim/v2/${org}/Users/${ids[MEMBER]}`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ Operations: [{ op: "replace", path: "active", value: active }] }),
      }),
    );
    expect(response.status).toBe(200);
  };
}

async function joinAgain({ ask, org }: Stage): Promise<void> {
  const invite = (await ask("admin", `POST /v1/orgs/${org}/link-invites`, { role: "edit" })).body;
  expect((await ask(MEMBER, `POST /v1/orgs/${org}/invites/${invite.id}`)).status).toBeLessThan(300);
}

/** Everything that works without a session or an API token, made for the member now. Each entry says whether it works. */
async function handOut(stage: Stage): Promise<Record<string, () => Promise<boolean>>> {
  const { api, ask, askWith, space, url } = stage;
  const jwt = await ping(stage, MEMBER);
  const resolve = async () =>
    (await askWith(null, "POST /v1/urls/published", { url, visitor: { jwtToken: jwt } })).body;
  const visit = (await resolve()).apiToken as string;
  const files = `GET /v1/spaces/${space}/content/files`;
  const own = (await ask(MEMBER, files)).body.items[0].downloadURL as string;
  const visited = (await askWith(visit, files)).body.items[0].downloadURL as string;
  const pdf = new URL((await ask(MEMBER, `GET /v1/spaces/${space}/pdf`)).body.url);
  const opens = (path: string) => async () => {
    const response = await api.fetch(new Request(`http://localhost:3000${path}`));
    await response.arrayBuffer();
    return response.status === 200;
  };
  return {
    "the JWT of `ping`, at the site": async () => (await resolve()).apiToken !== undefined,
    "the JWT of `ping`, at the host": async () => (await api.visitor(jwt)) !== undefined,
    "the token of a visit": async () => (await askWith(visit, `GET /v1/spaces/${space}/content`)).status === 200,
    "the URL of a file": opens(new URL(own).pathname),
    "the URL of a file that the visit gave": opens(new URL(visited).pathname),
    "the URL of a PDF": opens(pdf.pathname + pdf.search),
  };
}

async function working(given: Record<string, () => Promise<boolean>>): Promise<string[]> {
  const found: string[] = [];
  for (const [name, works] of Object.entries(given)) if (await works()) found.push(name);
  return found;
}

describe("what was issued to a member", () => {
  test.each<[string, (stage: Stage) => Promise<readonly [() => Promise<unknown>, () => Promise<unknown>]>]>([
    [
      "switched off by SCIM",
      async (stage) => {
        const setActive = await scim(stage);
        return [() => setActive(false), () => setActive(true)];
      },
    ],
    [
      "shut out by the host",
      async ({ api, ids }) => [
        () => api.changeUser(ids[MEMBER], "disabled"),
        () => api.changeUser(ids[MEMBER], "enabled"),
      ],
    ],
    [
      "removed",
      async (stage) => [
        () => stage.ask("admin", `DELETE /v1/orgs/${stage.org}/members/${stage.ids[MEMBER]}`),
        () => joinAgain(stage),
      ],
    ],
  ])("what was issued to a member who is %s ends for good", async (_, make) => {
    const stage = await openSite("visitor-auth", { pdf: pdfPrinter() });
    const changes = [
      {
        operation: "insert_files",
        files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("Text"), ref: "f" }],
      },
      // Visitors see the files of the pages that they see.
      { operation: "insert_page", title: "P", document: { markdown: "[f](./f)" } },
    ];
    await stage.ask("admin", `POST /v1/spaces/${stage.space}/content`, { changes });
    const [off, on] = await make(stage);
    let before = await handOut(stage);
    const all = Object.keys(before);
    // Twice, because the second return must not bring back what the first one ended.
    for (let i = 0; i < 2; i++) {
      expect(await working(before), "the control").toEqual(all);
      await off();
      expect(await working(before)).toEqual([]);
      stage.clock.forward(1000);
      await on();
      expect(await working(before), "back again").toEqual([]);
      const after = await handOut(stage);
      expect(await working(after), "made afterwards").toEqual(all);
      before = after;
    }
  });
});
