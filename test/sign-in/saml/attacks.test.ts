// Each known way to break a service provider is refused, and the checks that refuse it are the reason: without them it comes
// in, and with any one of them it does not. No check is there that no attack needs.

import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyResponse } from "../../../src/sign-in/saml/response";
import { attacks } from "./attacks";
import { type Broken, brokenReading, type Switch } from "./broken";
import { expectations } from "./expectations";
import { rsa } from "./keys";

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

test.each(attacks)("$name", async ({ xml, why, out, expects, enters = "eve@corp.example" }) => {
  const message = xml();
  const expected = expectations(rsa, expects);
  await expect(verifyResponse(message, expected)).rejects.toMatchObject({ why });
  await expect(broken.without([], message, expected)).rejects.toMatchObject({ why });
  if (out.length === 0) return;
  expect(await entered(broken.without(out, message, expected))).toBe(enters);
  for (const one of out) {
    const others = out.filter((it) => it !== one);
    expect(await entered(broken.without(others, message, expected)), `with ${one}`).not.toBe(enters);
  }
});

test("every check is one that some attack needs", async () => {
  const files = ["xml", "signature", "decryption", "response"];
  const sources = await Promise.all(
    files.map((file) => readFile(new URL(`../../../src/sign-in/saml/${file}.ts`, import.meta.url), "utf8")),
  );
  const checks = sources.flatMap((source) =>
    [...source.matchAll(/refuseIf\([^;]*?"(\w+)"\);/gs)].map(([, why]) => why!),
  );
  const needed = new Set<Switch>(attacks.flatMap(({ out }) => out));
  expect(checks.length).toBeGreaterThan(30);
  expect(checks.toSorted()).toEqual([...new Set(checks)].toSorted());
  expect(checks.filter((why) => !needed.has(why as Switch))).toEqual([]);
});
