// Each known way to break a service provider is refused, and the checks that refuse it are the reason: without them it comes
// in, and with any one of them it does not. No check is there that no attack needs.

import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLogoutRequest } from "../../../src/sign-in/saml/logout-request";
import { verifyResponse } from "../../../src/sign-in/saml/response";
import { attacks } from "./attacks";
import { type Broken, brokenReading, type Switch } from "./broken";
import { expectations } from "./expectations";
import { rsa } from "./keys";
import { logoutAttacks, logoutExpectations, logoutUrl } from "./logouts";

let broken: Broken;
beforeAll(async () => {
  broken = await brokenReading();
});
afterAll(() => broken.remove());

/** Who is in: a name, or nobody. */
const entered = (reading: Promise<{ readonly nameId: string }>) =>
  reading.then(
    ({ nameId }) => nameId,
    () => "nobody",
  );

test.each(attacks)(
  "an attack on a response is rejected: $name",
  async ({ xml, why, out, expects, enters = "eve@corp.example" }) => {
    const message = xml();
    const expected = expectations(rsa, expects);
    await expect(verifyResponse(message, expected)).rejects.toMatchObject({ why });
    if (out.length === 0) return;
    expect(await entered(broken.without(out, (broken) => broken.verifyResponse(message, expected)))).toBe(enters);
    for (const one of out) {
      const others = out.filter((it) => it !== one);
      expect(
        await entered(broken.without(others, (broken) => broken.verifyResponse(message, expected))),
        `with ${one}`,
      ).not.toBe(enters);
    }
  },
);

test.each(logoutAttacks)("an attack on a logout request is rejected: $name", async ({ url, why }) => {
  const sent = url();
  const expected = logoutExpectations;
  await expect(readLogoutRequest(sent, expected)).rejects.toMatchObject({ why });
  const read = broken.without([why], (broken) => broken.readLogoutRequest(sent, expected));
  expect(await read).toMatchObject({ nameId: "alice@corp.example" });
});

test("a genuine logout request is accepted", async () => {
  expect(await readLogoutRequest(logoutUrl(), logoutExpectations)).toEqual({
    id: "_logout",
    nameId: "alice@corp.example",
    nameIdFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
    sessions: ["_session"],
    relayState: "a b",
  });
  for (const url of ["https://docs.example/", `${logoutUrl()}&SAMLRequest=x`, logoutUrl({ xml: "<a/>" })])
    await expect(readLogoutRequest(url, logoutExpectations)).rejects.toMatchObject({ name: "SamlRefusal" });
});

test("every check is needed against some attack", async () => {
  const files = ["xml", "signature", "decryption", "response", "logout-request"];
  const sources = await Promise.all(
    files.map((file) => readFile(new URL(`../../../src/sign-in/saml/${file}.ts`, import.meta.url), "utf8")),
  );
  const checks = sources.flatMap((source) =>
    [...source.matchAll(/refuseIf\([^;]*?"(\w+)"\);/gs)].map(([, why]) => why!),
  );
  const needed = new Set<Switch>([...attacks.flatMap(({ out }) => out), ...logoutAttacks.map(({ why }) => why)]);
  expect(checks.length).toBeGreaterThan(30);
  expect(checks.toSorted()).toEqual([...new Set(checks)].toSorted());
  expect(checks.filter((why) => !needed.has(why as Switch))).toEqual([]);
});
