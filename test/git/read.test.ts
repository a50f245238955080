// Reading branches of repositories on a real Git server.

import { describe, expect, test } from "vitest";
import { GitRefused, readRemote } from "../../src/git/index";
import { at, countingFetch, MAIN, Repository } from "./repositories";
import { AUTH, git, gitServer, whyNoGit } from "./server";

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

async function refusal(promise: Promise<unknown>): Promise<GitRefused> {
  const outcome = await promise.then(
    () => new Error("Nothing was refused."),
    (error: unknown) => error,
  );
  if (outcome instanceof GitRefused) return outcome;
  throw outcome;
}

describe.skipIf(whyNoGit)("a branch is read", () => {
  test("with its commit, its files and their bytes", async () => {
    const repository = await Repository.on(await gitServer());
    const oid = await repository.commit(
      { "README.md": "# Hello\r\n", "docs/a.md": "a", "docs/b/c.md": "c", "run.sh": { mode: "100755", data: "#!" } },
      { message: "First\n\nMore words.\n" },
    );
    const content = await readRemote(at(repository));
    expect(content.commit).toMatchObject({ oid, message: "First\n\nMore words.\n" });
    expect(content.commit.author).toEqual({ name: "Ada Lovelace", email: "ada@example.org" });
    expect(content.files.map(({ path, mode }) => [path, mode])).toEqual([
      ["README.md", "100644"],
      ["docs/a.md", "100644"],
      ["docs/b/c.md", "100644"],
      ["run.sh", "100755"],
    ]);
    expect(text(await content.read("README.md"))).toBe("# Hello\r\n");
    expect(text(await content.read(content.files[2]!.oid))).toBe("c");
    expect(await content.read("missing.md")).toBeUndefined();
  });
});
