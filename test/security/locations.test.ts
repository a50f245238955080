// S44: an address that no header can carry was taken, and every use of it failed; or what was written into `Location` was read by
// browsers as another host. One function writes that header.

import { readdir, readFile } from "node:fs/promises";
import fc from "fast-check";
import { memoryStorage } from "octavo/memory";
import { createSignIn } from "octavo/sign-in";
import { createSite } from "octavo/site";
import { beforeAll, describe, expect, test } from "vitest";
import { getApiInternals } from "../../src/api/internals";
import { redirects } from "../../src/resources/sites/addresses/redirect-records";
import { getOrganizationPartition } from "../../src/storage/ids";
import { toLocation, tryParseUrl } from "../../src/utils/url";
import { showSpace } from "../resources/integrations/installed";
import { type Setting, setUp } from "../support/setting";

const ORIGIN = "http://localhost:3000";
/** What no header can hold, or holds only as bytes that everybody reads in another way. */
const uncarried = ["→", "é", "\x7f", "\r\nx-evil: 1", "\t", "\0", " ", "\u2028", "\ud83d\ude00"];

let setting: Setting;
let at: string;
beforeAll(async () => {
  setting = await setUp(memoryStorage());
  at = (await showSpace(setting, { visibility: "public" })).at;
});

describe("addresses that no header can carry", () => {
  test.each(uncarried.map((it) => [JSON.stringify(it), it]))(
    "a redirect to an address that no header can carry is rejected by field: %s",
    async (_, sign) => {
      const { ask } = setting;
      const url = `https://other.example/a${sign}b`;
      const destination = { kind: "url", url };
      const one = await ask("admin", `POST ${at}/redirects`, { source: "/old", destination });
      expect([one.status, one.body.error.issues[0].path]).toEqual([400, "body.destination.url"]);
      const many = await ask("admin", `POST ${at}/redirects/bulk`, { redirects: [{ source: "/old", destination }] });
      expect([many.status, many.body.error.issues[0].path]).toEqual([400, "body.redirects.0.destination.url"]);
      const auth = await ask("admin", `PATCH ${at}/publishing/auth`, { fallbackURL: url });
      expect([auth.status, auth.body.error.issues[0].path]).toEqual([400, "body.fallbackURL"]);
    },
  );

  test("a redirect URI that no header can carry is rejected when a client registers", async () => {
    const { fetch } = createSignIn(setting.api);
    const register = async (...uris: string[]) => {
      const body = JSON.stringify({ client_name: "Tool", redirect_uris: uris });
      const headers = { "content-type": "application/json" };
      const response = await fetch(new Request(`${ORIGIN}/oauth/register`, { method: "POST", headers, body }));
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    expect((await register("https://tool.example/back")).status).toBe(201);
    for (const scheme of ["https://tool.example/", "http://127.0.0.1/", "com.example.tool:/"])
      for (const sign of uncarried) {
        const { status, body } = await register("https://tool.example/back", `${scheme}a${sign}b`);
        expect([status, body.error], `${scheme} ${JSON.stringify(sign)}`).toEqual([400, "invalid_redirect_uri"]);
        expect(body.error_description).toContain("redirect_uris[1]");
      }
  });
});

test("a stored address is written in URL form, and the site answers", async () => {
  const { ask, api, org } = setting;
  const made = await ask("admin", `POST ${at}/redirects`, {
    source: "/former",
    destination: { kind: "url", url: "https://other.example/a" },
  });
  expect(made.status).toBe(201);
  const { store } = getApiInternals(api).kernel;
  await store.write(getOrganizationPartition(org), async (tx) => {
    const found = await redirects.get(tx, at.split("/").at(-1)!, made.body.id);
    await redirects.put(tx, { ...found!, destination: { kind: "url", url: "https://other.example/→é\x7f?ü" } });
  });
  const { urls } = (await ask("admin", `GET ${at}`)).body;
  const response = await createSite(api).fetch(new Request(`${urls.published}/former`, { redirect: "manual" }));
  expect([response.status, response.headers.get("location")]).toEqual([
    307,
    "https://other.example/%E2%86%92%C3%A9%7F?%C3%BC",
  ]);
});

describe("the Location header", () => {
  const visible = /^[\x21-\x7e]+$/;

  test("a Location header has only visible ASCII characters and means what was intended", () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...uncarried, "/", "\\", "?", "#", "@", ":", "a"),
        fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      ),
      maxLength: 12,
    });
    const scheme = fc.constantFrom(
      "https://a.example/",
      "https://a.example?",
      "http://[::1]:3/",
      "com.example.a:",
      "x://",
      "mailto:",
    );
    fc.assert(
      fc.property(scheme, text, (start, rest) => {
        const url = tryParseUrl(start + rest);
        if (!url) expect(() => toLocation(start + rest)).toThrow(TypeError);
        else {
          const location = toLocation(start + rest);
          expect(location).toMatch(visible);
          expect(tryParseUrl(location)!.protocol).toBe(url.protocol);
          expect(tryParseUrl(location)!.host).toBe(url.host);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("a Location header for a path stays on the origin, whatever a relative reference would be", () => {
    for (const path of [
      "//evil.example/",
      "/\\evil.example/",
      "/\t/evil.example/",
      "///evil.example",
      "/.//evil.example",
      "/a",
    ])
      expect(tryParseUrl(toLocation(path, "https://a.example"))!.origin, path).toBe("https://a.example");
  });
});

test("no other code writes the Location header", async () => {
  // Headers with a member `location`, or an assignment to it; other objects have one, too, as a field of responses.
  const writes =
    /\bheaders\b.*(?:\{|,) location(?:,| \}|:(?! string\b))|\bheaders\.location =|\{ location: .*"cache-control"|setHeader\("[Ll]ocation"/;
  const root = new URL("../../", import.meta.url);
  const lines: string[] = [];
  for (const folder of ["src", "adapters", "cli"])
    for (const name of await readdir(new URL(folder, root), { recursive: true })) {
      if (!/\.tsx?$/.test(name) || /(?:^|\/)(?:built|generated)\//.test(name)) continue;
      const text = await readFile(new URL(`${folder}/${name}`, root), "utf8");
      for (const line of text.split("\n"))
        if (line.length < 500 && writes.test(line)) {
          // A shorthand is the variable of this name, which only `toLocation` may give its value.
          const isShorthand = !/location(?::| =)/.test(line);
          const values = [...text.matchAll(/\blocation = (\w+\()?/g)].map(([, call]) => call);
          const isSafe = isShorthand && values.length > 0 && values.every((call) => call === "toLocation(");
          lines.push(`${folder}/${name}:${isSafe ? "location: toLocation(…)" : line}`);
        }
    }
  expect(lines.length).toBeGreaterThan(4);
  expect(
    lines.filter((line) => !line.includes("location: toLocation(") && !line.includes("location = toLocation(")),
  ).toEqual([]);
});
