// Every audience of a site, with every kind of credentials, at every operation for visitors. A refusal is word for word
// the answer of an absent site.

import { beforeAll, describe, expect, test } from "vitest";
import { HOUR } from "../../support/setting";
import { openSite, ping, type Stage, sign, unsigned } from "./site-stage";

const audiences = ["public", "unlisted", "share-link", "visitor-auth", "unpublished"] as const;
type Audience = (typeof audiences)[number];

/** A token in the header, and a query. */
interface Shown {
  readonly token: string | null;
  readonly query: string;
}

const credentials = [
  "nothing",
  "a member's token",
  "a guest's token",
  "a stranger's token",
  "a member's token without the scope",
  "the right share key",
  "a wrong share key",
  "a share key that was switched off",
  "a share key that was deleted",
  "the right visitor JWT",
  "an expired visitor JWT",
  "a visitor JWT without an end",
  "a visitor JWT with another key",
  "a visitor JWT that nobody signed",
  "the JWT of ping",
  "the JWT of ping, of a member who was removed",
  "the JWT of ping, of another organization",
  "an API token for a visitor JWT",
  "a visitor JWT for an API token",
] as const;
type Credential = (typeof credentials)[number];

/** A key in a URL of a site that has none is a part of a path, at which there is nothing. */
const keys: ReadonlySet<Credential> = new Set(credentials.filter((it) => it.includes("share key")));

/** Whom an audience includes. */
const admitted: Record<Audience, ReadonlySet<Credential>> = {
  public: new Set(credentials),
  unlisted: new Set(credentials),
  "share-link": new Set<Credential>(["the right share key"]),
  "visitor-auth": new Set<Credential>(["the right visitor JWT", "the JWT of ping"]),
  unpublished: new Set(),
};

const operations = {
  published: { ask: "GET /published" },
  sections: { ask: "GET /sections" },
  "site-spaces": { ask: "GET /site-spaces" },
  pages: { ask: "GET /site-spaces/{siteSpace}/pages" },
  page: { ask: "GET /site-spaces/{siteSpace}/page/{page}" },
  search: { ask: "POST /search", send: { query: "reader" } },
  /** Asked for the page's URL, with the key in it. */
  "urls/published": { ask: "POST /v1/urls/published" },
} as const;
type OperationName = keyof typeof operations;

/** Whoever is of the organization is shown these as such, whatever the audience. */
const forMembers: ReadonlySet<OperationName> = new Set<OperationName>(["sections", "site-spaces"]);

async function wallet(stage: Stage): Promise<Record<Credential, Shown>> {
  const { ask, at, org, otherOrg, tokens, ids } = stage;
  const link = async () => (await ask("admin", `POST ${at}/share-links`, { name: "Link" })).body;
  const [right, off, deleted] = [await link(), await link(), await link()];
  await ask("admin", `PATCH ${at}/share-links/${off.id}`, { active: false });
  await ask("admin", `DELETE ${at}/share-links/${deleted.id}`);
  const scoped = await ask("read", "POST /v1/user/tokens", { label: "Narrow", scopes: ["spaces:read"] });
  const [member, gone] = [await ping(stage, "read"), await ping(stage, "comment")];
  const foreign = (await ask("rival", `POST /v1/orgs/${otherOrg}/ping`)).body.serviceVisitorClaims;
  expect((await ask("admin", `DELETE /v1/orgs/${org}/members/${ids.comment}`)).status).toBe(204);
  const withToken = (token: string): Shown => ({ token, query: "" });
  const withKey = (key: string): Shown => ({ token: null, query: `?shareKey=${key}` });
  const withJwt = (jwt: string): Shown => ({ token: null, query: `?visitorToken=${jwt}` });
  return {
    nothing: { token: null, query: "" },
    "a member's token": withToken(tokens.read),
    "a guest's token": withToken(tokens.guest),
    "a stranger's token": withToken(tokens.stranger),
    "a member's token without the scope": withToken(scoped.body.token),
    "the right share key": withKey(right.key),
    "a wrong share key": withKey(right.key.replace(/.$/, (last: string) => (last === "a" ? "b" : "a"))),
    "a share key that was switched off": withKey(off.key),
    "a share key that was deleted": withKey(deleted.key),
    "the right visitor JWT": withJwt(await sign(stage)),
    "an expired visitor JWT": withJwt(await sign(stage, {}, { exp: Math.floor(stage.clock.now.getTime() / 1000) - 1 })),
    "a visitor JWT without an end": withJwt(await sign(stage, {}, { exp: null })),
    "a visitor JWT with another key": withJwt(await sign(stage, {}, { key: "x".repeat(43) })),
    "a visitor JWT that nobody signed": withJwt(unsigned(stage)),
    "the JWT of ping": withJwt(member),
    "the JWT of ping, of a member who was removed": withJwt(gone),
    "the JWT of ping, of another organization": withJwt(foreign),
    "an API token for a visitor JWT": withJwt(tokens.read),
    "a visitor JWT for an API token": withToken(await sign(stage)),
  };
}

describe.each(audiences)("the audience %s", (audience) => {
  let stage: Stage;
  let shown: Record<Credential, Shown>;

  beforeAll(async () => {
    const isPublished = audience !== "unpublished";
    stage = await openSite(isPublished ? audience : "public", { isPublished });
    shown = await wallet(stage);
  });

  /** On a site that has another name, or is of another organization, the page is as well. */
  const resolve = (site: string, { token, query }: Shown) => {
    const [org, id] = site.split("/").filter((part) => /^(?:org|sit)_/.test(part)) as [string, string];
    const given = new URLSearchParams(query);
    const base = stage.url.replace(stage.org, org).replace(/\/docs$/, id === stage.site ? "/docs" : "/none");
    const url = [base, ...(given.get("shareKey") ? [given.get("shareKey")] : []), "welcome"].join("/");
    const visitorToken = given.get("visitorToken");
    return stage.askWith(token, "POST /v1/urls/published", { url, ...(visitorToken ? { visitorToken } : {}) });
  };

  const ask = (site: string, { token, query }: Shown, name: OperationName) => {
    if (name === "urls/published") return resolve(site, { token, query });
    const operation = operations[name];
    const [method, path] = operation.ask.split(" ") as [string, string];
    const filled = path.replace("{siteSpace}", stage.siteSpace).replace("{page}", stage.page);
    return stage.askWith(token, `${method} ${site}${filled}${query}`, "send" in operation ? operation.send : undefined);
  };

  test.each(
    credentials.flatMap((credential) =>
      (Object.keys(operations) as OperationName[]).map((name) => [credential, name] as const),
    ),
  )("access with %s at %s follows the audience", async (credential, name) => {
    const isMember = credential === "a member's token" && forMembers.has(name);
    const isLost = name === "urls/published" && keys.has(credential) && audience !== "share-link";
    const isIn = isMember || admitted[audience].has(credential);
    const answer = await ask(stage.at, shown[credential], name);
    expect(answer.status, JSON.stringify(answer.body)).toBe(isIn ? 200 : 404);
    // A key is part of the path where the site has no share links, and names no page.
    if (isIn && name === "urls/published") expect(answer.body.page !== undefined).toBe(!isLost);
    if (isIn) return;
    // S30: neither an absent site nor an absent organization answers otherwise.
    const others = [stage.at.replace(/.{3}$/, "zzz"), `/v1/orgs/org_${"0".repeat(12)}/sites/${stage.site}`];
    for (const other of others) {
      const absent = await ask(other, shown[credential], name);
      expect(absent.status).toBe(404);
      expect({ ...absent.body.error, requestId: "" }).toEqual({ ...answer.body.error, requestId: "" });
    }
  });
});

test("a cookie from ping opens a site for an hour", async () => {
  const stage = await openSite("visitor-auth");
  const jwt = await ping(stage, "read");
  const look = async () => (await stage.askWith(null, `GET ${stage.at}/published?visitorToken=${jwt}`)).status;
  stage.clock.forward(HOUR - 1000);
  expect(await look()).toBe(200);
  stage.clock.forward(2000);
  expect(await look()).toBe(404);
});
