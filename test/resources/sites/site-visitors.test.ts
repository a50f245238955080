// URLs of a site, asked about by visitors who show who they are: what they may see resolves for them, and for nobody else.

import { expect, test } from "vitest";
import { HOUR } from "../../support/setting";
import { openSite, ping, sign, unsigned } from "./site-stage";

test("a visitor's JWT opens the URLs of a site, and its claims open those with conditions", async () => {
  const stage = await openSite("visitor-auth");
  const { ask, org, at, space, page } = stage;
  const { basename } = (await ask("admin", `GET ${at}`)).body;
  const secret = {
    operation: "insert_page",
    title: "Secret",
    condition: 'visitor.claims.plan === "pro"',
    document: { markdown: "Pro." },
  };
  const guests = { ...secret, title: "Guests", condition: "visitor.claims.unsigned.isGuest" };
  await ask("admin", `POST /v1/spaces/${space}/content`, { changes: [secret, guests] });
  const base = `http://localhost:3000/sites/${org}/${basename}`;
  const resolve = (path: string, more: object = {}) =>
    ask(null, "POST /v1/urls/published", { url: base + path, ...more });

  const plain = await sign(stage);
  const pro = await sign(stage, { plan: "pro" });
  expect((await resolve("", { visitorToken: plain })).body).toMatchObject({ type: "content", space, page });
  expect((await resolve("/secret", { visitorToken: pro })).body).toMatchObject({ type: "content", pagePath: "secret" });
  expect((await resolve("", { visitorToken: await ping(stage, "read") })).status).toBe(200);
  const claims = { unsignedClaims: { isGuest: true } };
  expect((await resolve("/guests", { visitorToken: plain, ...claims })).status).toBe(200);

  const absent = (await resolve("/none", { visitorToken: plain })).body;
  expect(absent).toMatchObject({ space, complete: true, pathname: "/none" });
  for (const hidden of [
    await resolve("/secret", { visitorToken: plain }),
    await resolve("/guests", { visitorToken: plain }),
    await resolve("/secret", { visitorToken: plain, unsignedClaims: { plan: "pro" } }),
  ]) {
    expect(hidden.body).toMatchObject({ space, complete: true });
    expect(hidden.body).not.toHaveProperty("page");
    expect(Object.keys(hidden.body)).toEqual(Object.keys(absent));
  }

  const refused = [
    await resolve(""),
    await resolve("", claims),
    await resolve("", { visitorToken: unsigned(stage, { plan: "pro" }) }),
    await resolve("", { visitorToken: await sign(stage, {}, { key: "x".repeat(32) }) }),
  ];
  stage.clock.forward(48 * HOUR);
  refused.push(await resolve("/secret", { visitorToken: pro }));
  for (const { status, body } of refused) {
    expect(status).toBe(404);
    expect(body.error.reason).toBe("published_url_not_found");
  }
});
