// S32: what was given to a member before they were switched off or left doesn't work again when they are back.

import { describe, expect, test } from "vitest";
import { createSignIn } from "../../src/sign-in";
import { openSite, ping, type Stage } from "../resources/site-stage";
import { newFile } from "./contents";

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
async function handOut(stage: Stage, file: string): Promise<Record<string, () => Promise<boolean>>> {
  const { api, ask, askWith, space, url } = stage;
  const jwt = await ping(stage, MEMBER);
  const resolve = async () => (await askWith(null, "POST /v1/urls/published", { url, visitor: { jwtToken: jwt } })).body;
  const visit = (await resolve()).apiToken as string;
  const fileOf = async (as: typeof ask, token: string) =>
    new URL((await as(token as never, `GET /v1/spaces/${space}/content/files/${file}`)).body.downloadURL).pathname;
  const own = await fileOf(ask, MEMBER);
  const visited = await fileOf(askWith as never, visit);
  const pdf = new URL((await ask(MEMBER, `GET /v1/spaces/${space}/pdf`)).body.url);
  const opens = (path: string) => async () => (await askWith(null, `GET ${path}`)).status === 200;
  return {
    "the JWT of `ping`, at the site": async () => (await resolve()).apiToken !== undefined,
    "the JWT of `ping`, at the host": async () => (await api.visitor(jwt)) !== undefined,
    "the token of a visit": async () => (await askWith(visit, `GET /v1/spaces/${space}/content`)).status === 200,
    "the URL of a file": opens(own),
    "the URL of a file that the visit gave": opens(visited),
    "the URL of a PDF": opens(pdf.pathname + pdf.search),
  };
}

async function working(given: Record<string, () => Promise<boolean>>): Promise<string[]> {
  const found: string[] = [];
  for (const [name, works] of Object.entries(given)) if (await works()) found.push(name);
  return found;
}

describe("what was given to a member", () => {
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
  ])("who is %s ends for good", async (_, make) => {
    const stage = await openSite("visitor-auth");
    const { id } = await newFile(stage, stage.space, { name: "a.txt", content: "text" }, MEMBER);
    const [off, on] = await make(stage);
    let before = await handOut(stage, id);
    const all = Object.keys(before);
    // Twice, because the second return must not bring back what the first one ended.
    for (let i = 0; i < 2; i++) {
      expect(await working(before), "the control").toEqual(all);
      await off();
      expect(await working(before)).toEqual([]);
      stage.clock.forward(1000);
      await on();
      expect(await working(before), "back again").toEqual([]);
      const after = await handOut(stage, id);
      expect(await working(after), "made afterwards").toEqual(all);
      before = after;
    }
  });
});
