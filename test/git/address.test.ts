// Addresses of repositories and names of branches.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBranchRef, pushRemote, readRemote, splitCredentials } from "../../src/git/index";
import { runs } from "../support/test-length";
import { refusal } from "./refusals";
import { git, whyNoGit } from "./server";

describe("S31: credentials in addresses", () => {
  test.each([
    ["https://host/a/b.git", "https://host/a/b.git", undefined],
    ["https://ada:secret@host/b.git", "https://host/b.git", { username: "ada", password: "secret" }],
    ["https://token@host/b.git", "https://host/b.git", { username: "token", password: "" }],
    ["https://:token@host/b.git", "https://host/b.git", { username: "", password: "token" }],
    ["https://a%40b:p%3As%2Fw%C3%B6@host:8443/b/", "https://host:8443/b", { username: "a@b", password: "p:s/wö" }],
    ["https://a:%zz@host/b", "https://host/b", { username: "a", password: "%zz" }],
    ["http://ada:secret@HOST/b?token=x#y", "http://host/b", { username: "ada", password: "secret" }],
  ])("splitCredentials reads the URL and the credentials of %s", (given, url, auth) => {
    expect(splitCredentials(given)).toEqual({ url, auth });
  });

  test("splitCredentials loses nothing, whatever the name and the password contain", () => {
    const word = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(
      fc.property(word, word, (username, password) => {
        const given = `https://${encodeURIComponent(username)}:${encodeURIComponent(password)}@host/b.git`;
        expect(splitCredentials(given)).toEqual({ url: "https://host/b.git", auth: { username, password } });
      }),
    );
  });

  test("splitCredentials rejects an address that cannot be split, without repeating it", () => {
    for (const url of [
      "secret",
      "https://a:secret@",
      "//a:secret@host/b",
      "ssh://a:secret@host/b",
      "a:secret@host:b.git",
    ])
      expect(() => splitCredentials(url)).toThrow(
        expect.objectContaining({ reason: "not_git", message: expect.not.stringContaining("secret") }),
      );
  });
});

describe("S35: invalid addresses and refs", () => {
  let asked = 0;
  const counting: typeof fetch = async () => {
    asked++;
    return new Response();
  };
  const place = { fetch: counting, url: "https://host/b.git", ref: "refs/heads/main" };
  const about = { parent: undefined, message: "m", author: { name: "n", email: "e" }, authoredAt: new Date(0) };
  const change = { changes: [{ path: "a", bytes: new Uint8Array() }] };

  test.each([
    "ext::sh -c touch% /tmp/x",
    "file:///etc/passwd",
    "/etc/passwd",
    "ssh://git@host/b.git",
    "git@host:b.git",
    "git://host/b.git",
    "javascript:alert(1)",
    "ftp://host/b.git",
    "--upload-pack=touch",
    "https://ada:secret@host/b.git",
    "https://host/b.git?service=x",
  ])("no request is sent to the address %s", async (url) => {
    expect((await refusal(readRemote({ ...place, url }))).reason).toBe("not_git");
    expect((await refusal(pushRemote({ ...place, ...about, ...change, url }))).reason).toBe("not_git");
    expect(asked).toBe(0);
  });

  test.each(["main", "HEAD", "refs/tags/v1", "refs/heads/-x", "refs/heads/a..b", "--force"])(
    "no request is sent for the ref %s",
    async (ref) => {
      expect((await refusal(readRemote({ ...place, ref }))).reason).toBe("ref_not_found");
      expect((await refusal(pushRemote({ ...place, ...about, ...change, ref }))).reason).toBe("ref_not_found");
      expect(asked).toBe(0);
    },
  );
});

describe("S35: branch names", () => {
  test.each(["main", "feature/one", "a-b_c.d", "Überblick", "日本語", "1", "a@b", "x/@", "refs/heads/x", "a{b}", "🎉"])(
    "%s is a branch name",
    (name) => {
      expect(isBranchRef(`refs/heads/${name}`)).toBe(true);
    },
  );

  test.each([
    "",
    "-x",
    "--all",
    "a..b",
    ".a",
    "a/.b",
    "a.",
    "a.lock",
    "a.lock/b",
    "a/",
    "/a",
    "a//b",
    "a b",
    "a\tb",
    "a\nb",
    "a\x7fb",
    "a~b",
    "a^b",
    "a:b",
    "a?b",
    "a*b",
    "a[b",
    "a\\b",
    "a@{b",
    "a\0b",
    "\ud800",
    "n".repeat(300),
  ])("“%s” is not a branch name", (name) => {
    expect(isBranchRef(`refs/heads/${name}`)).toBe(false);
  });

  test.each([
    "refs/heads",
    "refs/heads/",
    "refs/tags/a",
    "heads/a",
    "xrefs/heads/a",
    "refs/heads/a\n",
    "\nrefs/heads/a",
    "REFS/HEADS/a",
  ])("%j is not a branch ref", (ref) => {
    expect(isBranchRef(ref)).toBe(false);
  });

  test.skipIf(whyNoGit)("isBranchRef agrees with the git program", async () => {
    const unit = fc.constantFrom(..."ab./-@{}~^:?*[\\ é\t", "..", ".lock", "//", "@{");
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 6 }), async (units) => {
        const name = units.join("");
        const isFine = await git(".", ["check-ref-format", `refs/heads/${name}`]).then(
          () => !name.startsWith("-"),
          () => false,
        );
        expect(isBranchRef(`refs/heads/${name}`)).toBe(isFine);
      }),
      { numRuns: runs(150) },
    );
  });
});
