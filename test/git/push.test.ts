// Pushes commits to a real Git server. The git program checks the result.

import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type GitPushOptions, pushRemote, readRemote } from "../../src/git/index";
import { hashObject } from "../../src/git/objects";
import { refusal } from "./refusals";
import { at, countingFetch, Repository } from "./repositories";
import { git, gitServer, whyNoGit } from "./server";

if (whyNoGit) console.log(`Pushing to a real Git server was left out: ${whyNoGit}.`);

const bytes = (text: string) => new TextEncoder().encode(text);
const author = { name: "Octavo", email: "octavo@example.org" };
const moment = new Date("2026-02-03T04:05:06Z");

/** A push on top of what was read. */
async function onTop(
  repository: Repository,
  changes: GitPushOptions["changes"],
  more: Partial<GitPushOptions> = {},
): Promise<GitPushOptions> {
  const { commit, state } = await readRemote(at(repository));
  const about = { message: "From here", author, authoredAt: moment };
  return { ...at(repository), parent: commit.oid, knownState: state, changes, ...about, ...more };
}

const first = (repository: Repository, changes: GitPushOptions["changes"]): GitPushOptions => {
  const about = { message: "The first", author, authoredAt: moment };
  return { ...at(repository), parent: undefined, changes, ...about };
};

const lost = async (): Promise<Uint8Array> => {
  throw new Error("lost here");
};

const sound = async (repository: Repository) =>
  expect(await repository.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");

describe.skipIf(whyNoGit)("successful pushes", () => {
  test("push adds one commit with exactly the given changes", async () => {
    const repository = await Repository.on(await gitServer());
    const parent = await repository.commit({ "a.md": "a", "b/c.md": "c", "b/d.md": "d", "e/f/g.md": "g" });
    const push = await onTop(repository, [
      { path: "a.md", bytes: bytes("A\r\n") },
      { path: "b/c.md", bytes: null },
      { path: "e/f/g.md", bytes: null },
      { path: "new/Über/日本.md", bytes: bytes("new") },
    ]);
    const pushed = await pushRemote(push);
    expect(pushed).toEqual({ oid: await repository.tip(), state: expect.any(Uint8Array) });
    await sound(repository);
    expect(await repository.git("log", "--format=%P|%an|%ae|%cn|%aI|%B", "-1")).toBe(
      `${parent}|Octavo|octavo@example.org|Octavo|2026-02-03T04:05:06+00:00|From here`,
    );
    const names = await repository.git("-c", "core.quotePath=off", "diff", "--name-status", "main~1", "main");
    expect(names.split("\n")).toEqual(["M\ta.md", "D\tb/c.md", "D\te/f/g.md", "A\tnew/Über/日本.md"]);
    expect(await repository.git("ls-tree", "-d", "--name-only", "main")).toBe("b\nnew");
    expect(await repository.git("cat-file", "-s", "main:a.md")).toBe("3");
  });

  test("push returns the state that reading the branch returns", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a", "b/c.md": "c" });
    let push = await onTop(repository, [{ path: "b/new.md", bytes: bytes("1") }]);
    for (let round = 0; round < 3; round++) {
      const pushed = await pushRemote(push);
      if (!("oid" in pushed)) throw new Error("Nothing was pushed.");
      const { counts, fetch } = countingFetch();
      const content = await readRemote({ ...at(repository), fetch, knownState: pushed.state });
      expect(content.commit.oid).toBe(pushed.oid);
      expect(content.files).toEqual((await readRemote(at(repository))).files);
      expect(counts.requests).toBe(2);
      const changes = [
        { path: `b/${round}/new.md`, bytes: bytes("2") },
        { path: "b/new.md", bytes: bytes(`${round}`) },
      ];
      push = { ...push, parent: pushed.oid, knownState: pushed.state, changes };
    }
    await sound(repository);
    expect(await repository.git("rev-list", "--count", "main")).toBe("4");
  });

  test("push makes no commit and no request when nothing changed", async () => {
    const server = await gitServer();
    const repository = await Repository.on(server);
    const tip = await repository.commit({ "a.md": "a", "run.sh": { mode: "100755", data: "#!" } });
    const push = await onTop(repository, [
      { path: "a.md", bytes: bytes("a") },
      { path: "run.sh", bytes: bytes("#!") },
      { path: "missing/b.md", bytes: null },
    ]);
    server.requests.length = 0;
    expect(await pushRemote(push)).toEqual({ result: "nothing" });
    expect(await pushRemote(first(repository, []))).toEqual({ result: "nothing" });
    expect(server.requests).toEqual([]);
    expect(await repository.tip()).toBe(tip);
  });

  test("push sends only new objects, however large the repository is", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit(
      Object.fromEntries(
        Array.from({ length: 800 }, (_, index) => [`d${index % 8}/${index}.md`, `${index}`.repeat(99)]),
      ),
    );
    const push = await onTop(repository, [{ path: "d1/1.md", bytes: bytes("changed") }]);
    const { counts, fetch } = countingFetch();
    await pushRemote({ ...push, fetch });
    expect(counts.requests).toBe(2);
    expect(counts.sent).toBeLessThan(5_000);
    await sound(repository);
  });

  test("push reads files when they are sent and streams them", async () => {
    const repository = await Repository.on(await gitServer());
    const names = Array.from({ length: 12 }, (_, index) => `${index}.bin`);
    let reads = 0;
    const changes = names.map((path) => {
      const content = randomBytes(300_000);
      const oid = hashObject("blob", content);
      const bytes = async () => {
        reads++;
        return content;
      };
      return { path, oid, bytes };
    });
    const { fetch } = at(repository);
    let readBefore = 0;
    const watching: typeof fetch = (input, init) => {
      if (init?.body instanceof ReadableStream) readBefore = reads;
      return fetch(input, init);
    };
    await pushRemote({ ...first(repository, changes), fetch: watching });
    // Only so many are read before the request as would make a short one.
    expect([readBefore, reads]).toEqual([4, 12]);
    await sound(repository);
    expect((await repository.git("ls-tree", "--name-only", "main")).split("\n").sort()).toEqual(names.sort());

    const broken = changes.map((it, index) => ({
      ...it,
      path: `other/${it.path}`,
      bytes: index < 9 ? it.bytes : lost,
    }));
    await expect(pushRemote({ ...first(repository, broken), ref: "refs/heads/other" })).rejects.toThrow("lost here");
    expect(await repository.git("branch", "--format=%(refname)")).toBe("refs/heads/main");
  });

  test("push creates the first commit of an empty repository", async () => {
    const repository = await Repository.on(await gitServer());
    const pushed = await pushRemote(first(repository, [{ path: "docs/README.md", bytes: bytes("# Hello\n") }]));
    expect(pushed).toMatchObject({ oid: await repository.tip() });
    await sound(repository);
    expect(await repository.show("docs/README.md")).toBe("# Hello");
    expect(await repository.git("rev-list", "--count", "main")).toBe("1");
  });

  test("push creates a branch on top of another one or without history", async () => {
    const repository = await Repository.on(await gitServer());
    const parent = await repository.commit({ "a.md": "a", "b.md": "b" });
    const change = [{ path: "a.md", bytes: bytes("on a branch") }];
    await pushRemote(await onTop(repository, change, { ref: "refs/heads/docs/update" }));
    expect(await repository.git("rev-parse", "docs/update~1")).toBe(parent);
    expect(await repository.git("ls-tree", "--name-only", "docs/update")).toBe("a.md\nb.md");
    await pushRemote({ ...first(repository, change), ref: "refs/heads/alone" });
    expect(await repository.git("rev-list", "--count", "alone")).toBe("1");
    expect(await repository.tip()).toBe(parent);
    await sound(repository);
  });

  test("push preserves modes, links, submodules and binary names", async () => {
    const repository = await Repository.on(await gitServer());
    const elsewhere = "1234567890123456789012345678901234567890";
    await repository.commit({
      "a.md": "a",
      link: { mode: "120000", data: "a.md" },
      "run.sh": { mode: "100755", data: "#!" },
      vendored: { mode: "160000", data: elsewhere },
    });
    const blob = await repository.git("rev-parse", "main:a.md");
    const odd = Buffer.from(`100644 blob ${blob}\tlatin-\xe9.md\0`, "latin1");
    const all = Buffer.concat([Buffer.from(`${await repository.git("ls-tree", "-z", "main")}`, "latin1"), odd]);
    const root = await git(repository.folder, ["mktree", "-z", "--missing"], all);
    const commit = await git(
      repository.folder,
      ["-c", "user.name=a", "-c", "user.email=b", "commit-tree", root],
      "odd",
    );
    await repository.git("update-ref", "refs/heads/main", commit);
    const before = await repository.git("ls-tree", "main");
    await pushRemote(await onTop(repository, [{ path: "run.sh", bytes: bytes("#!/bin/sh") }]));
    const after = await repository.git("ls-tree", "main");
    const others = (list: string) => list.split("\n").filter((line) => !line.endsWith("run.sh"));
    expect(others(after)).toEqual(others(before));
    expect(others(after)).toHaveLength(4);
    expect(after).toMatch(/^100755 blob \w+\trun\.sh$/m);
    await pushRemote(await onTop(repository, [{ path: "link", bytes: bytes("no link any more") }]));
    expect(await repository.git("ls-tree", "main", "link")).toMatch(/^100644/);
    await sound(repository);
  });

  test("push sorts files and directories with a common stem as Git does", async () => {
    const repository = await Repository.on(await gitServer());
    const paths = ["a/x", "a.md", "a-b", "a0", "ab/c", "a.d/e", "Z", "é", "日/本"];
    await pushRemote(
      first(
        repository,
        paths.map((path) => ({ path, bytes: bytes(path) })),
      ),
    );
    await sound(repository);
    const files = (await readRemote(at(repository))).files.map(({ path }) => path);
    expect([...files].sort()).toEqual([...paths].sort());
  });

  test("pushing the removal of the last file leaves an empty tree", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a/b/c.md": "c" });
    await pushRemote(await onTop(repository, [{ path: "a/b/c.md", bytes: null }]));
    expect(await repository.git("ls-tree", "main")).toBe("");
    await sound(repository);
  });

  test("push turns a file into a directory when the file is removed in the same push", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ a: "file", "b/c": "c" });
    const both = [
      { path: "a/inside.md", bytes: bytes("1") },
      { path: "a", bytes: null },
      { path: "b", bytes: bytes("2") },
      { path: "b/c", bytes: null },
    ];
    await pushRemote(await onTop(repository, both));
    expect(await repository.git("ls-tree", "-r", "--name-only", "main")).toBe("a/inside.md\nb");
    await sound(repository);
  });

  test("a message or a name cannot inject a header line into the commit", async () => {
    const repository = await Repository.on(await gitServer());
    const push = first(repository, [{ path: "a.md", bytes: bytes("a") }]);
    const evil = { name: "Eve\nparent 1234 <x@y>", email: "e@x> 1 +0000\ncommitter z" };
    await pushRemote({ ...push, author: evil, message: "tree 123\r\n\r\nparent 456\0\n\n\n" });
    await sound(repository);
    expect(await repository.git("log", "-1", "--format=%an|%ae|%P|%B")).toBe(
      "Eve parent 1234 x@y|e@x 1 +0000 committer z||tree 123\n\nparent 456",
    );
  });
});

describe.skipIf(whyNoGit)("refused pushes", () => {
  test("a push is refused as diverged when the branch moved, and a forced push is not", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a" });
    const push = await onTop(repository, [{ path: "a.md", bytes: bytes("from here") }]);
    const moved = await repository.commit({ "a.md": "from there" });
    expect((await refusal(pushRemote(push))).reason).toBe("diverged");
    expect((await refusal(pushRemote({ ...first(repository, push.changes) }))).reason).toBe("diverged");
    expect(await repository.tip()).toBe(moved);
    await pushRemote({ ...push, force: true });
    expect(await repository.show("a.md")).toBe("from here");
    await sound(repository);
  });

  test("exactly one of two simultaneous pushes succeeds, and the other is refused as diverged", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a" });
    for (let round = 0; round < 5; round++) {
      const mine = await onTop(repository, [{ path: "a.md", bytes: bytes(`mine ${round}`) }]);
      // Both have asked where the branch is before either of them pushes.
      const { fetch: together } = meeting(2);
      const race = ["mine", "yours"].map((who) =>
        pushRemote({ ...mine, message: who, fetch: together }).then(
          () => "won",
          (error) => error.reason,
        ),
      );
      expect((await Promise.all(race)).sort()).toEqual(["diverged", "won"]);
    }
    expect(await repository.git("rev-list", "--count", "main")).toBe("6");
    await sound(repository);
  });

  test("a repeated push finds its commit already there", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a" });
    const push = await onTop(repository, [{ path: "a.md", bytes: bytes("once") }]);
    const pushed = await pushRemote(push);
    expect(await pushRemote(push)).toEqual(pushed);
    expect(await repository.git("rev-list", "--count", "main")).toBe("2");
  });

  test("a push refused by the server's rules reports the server's message", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a" });
    const push = await onTop(repository, [{ path: "a.md", bytes: bytes("b") }]);
    await repository.git("config", "receive.hideRefs", "refs/heads/secret");
    const hidden = await refusal(pushRemote({ ...push, ref: "refs/heads/secret" }));
    expect(hidden).toMatchObject({ reason: "rejected", message: expect.stringContaining("hidden ref") });
    const hook = join(repository.folder, "hooks/pre-receive");
    await writeFile(hook, "#!/bin/sh\necho This branch is blocked by a lock. >&2\nexit 1\n", { mode: 0o755 });
    const declined = await refusal(pushRemote(push));
    expect(declined).toMatchObject({ reason: "rejected", message: expect.stringContaining("hook declined") });
  });

  test("a push with a state that does not belong to the parent, or is not a state, is refused", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a" });
    const push = await onTop(repository, [{ path: "a.md", bytes: bytes("b") }]);
    const parent = await repository.commit({ "b.md": "b" });
    expect((await refusal(pushRemote({ ...push, parent }))).reason).toBe("damaged");
    expect((await refusal(pushRemote({ ...push, knownState: undefined }))).reason).toBe("damaged");
  });

  test("a push is refused when a file and a directory need the same path, or a link is in the way", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a/b.md": "b", "c.md": "c", link: { mode: "120000", data: "a" } });
    for (const path of ["a", "c.md/d.md", "link/b.md"]) {
      const push = await onTop(repository, [{ path, bytes: bytes("x") }]);
      expect((await refusal(pushRemote(push))).reason).toBe("rejected");
    }
  });

  test("S35: a push to an invalid path is refused", async () => {
    const repository = await Repository.on(await gitServer());
    const odd = ["", "/a", "a/", "a//b", "../a", "a/../b", ".git/config", "a/.GIT/b", "a\\b", "a\0b", "a\nb", "\ud800"];
    for (const path of [...odd, "n".repeat(256), `${"d/".repeat(64)}d`]) {
      const push = first(repository, [{ path, bytes: bytes("x") }]);
      expect((await refusal(pushRemote(push))).reason).toBe("rejected");
    }
  });
});

/** A fetch that holds everybody's first POST back until all have one. */
function meeting(count: number): { fetch: typeof fetch } {
  let arrived = 0;
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    fetch: async (input, init) => {
      if (init?.method === "POST" && ++arrived === count) open();
      if (init?.method === "POST") await all;
      return fetch(input, init);
    },
  };
}
