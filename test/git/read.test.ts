// Reading branches of repositories on a real Git server.

import { describe, expect, test } from "vitest";
import { readRemote } from "../../src/git/index";
import { refusal } from "./refusals";
import { at, Repository } from "./repositories";
import { AUTH, git, gitServer, whyNoGit } from "./server";

if (whyNoGit) console.log(`Reading from a real Git server was left out: ${whyNoGit}.`);

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

describe.skipIf(whyNoGit)("reading a branch", () => {
  test("a branch is read with its commit, its files and their bytes", async () => {
    const repository = await Repository.on(await gitServer());
    const oid = await repository.commit(
      { "README.md": "# Hello\r\n", "docs/a.md": "a", "docs/b/c.md": "c", "run.sh": { mode: "100755", data: "#!" } },
      { message: "First\n\nMore words.\n" },
    );
    const content = await readRemote(at(repository));
    expect(content.commit).toEqual({
      oid,
      message: "First\n\nMore words.\n",
      author: { name: "Ada Lovelace", email: "ada@example.org" },
      authoredAt: new Date(1000 * Number(await repository.git("log", "-1", "--format=%at"))),
    });
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

  test("binary files, CRLF, a missing final newline and empty files are read byte for byte", async () => {
    const repository = await Repository.on(await gitServer());
    const files = {
      "binary.png": Uint8Array.from({ length: 70_000 }, (_, index) => (index * index) % 256),
      "crlf.md": Buffer.from("a\r\nb\r\n\r\n"),
      "mixed.md": Buffer.from("a\r\nb\nc"),
      "empty.md": Buffer.from(""),
    };
    await repository.commit(files);
    const content = await readRemote(at(repository));
    for (const [path, bytes] of Object.entries(files)) expect(await content.read(path)).toEqual(new Uint8Array(bytes));
  });

  test("names in any script, with spaces and unusual characters, are read exactly", async () => {
    const repository = await Repository.on(await gitServer());
    const names = [
      "Überblick.md",
      "U\u0308berblick.md",
      "日本語/概要.md",
      "a b/ c .md",
      "emoji 🎉.md",
      "'q\"uote.md",
      "-rf",
    ];
    await repository.commit(Object.fromEntries(names.map((name) => [name, name])));
    const content = await readRemote(at(repository));
    expect(content.files.map(({ path }) => path).sort()).toEqual([...names].sort());
    for (const name of names) expect(text(await content.read(name))).toBe(name);
  });

  test("names that cannot be a path are skipped and reported", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({
      "fine.md": "1",
      "back\\slash.md": "2",
      "new\nline/in.md": "3",
      [`${"n".repeat(300)}.md`]: "4",
    });
    const blob = await repository.git("rev-parse", "main:fine.md");
    const tree = await git(
      repository.folder,
      ["mktree", "-z"],
      Buffer.from(`100644 blob ${blob}\tlatin-\xe9.md\0`, "latin1"),
    );
    const inner = await git(repository.folder, ["mktree"], `040000 tree ${tree}\tinner\n`);
    const all = `${await repository.git("ls-tree", "main")}\n040000 tree ${inner}\tz\n`;
    const root = await git(repository.folder, ["mktree"], all);
    const commit = await git(
      repository.folder,
      ["-c", "user.name=a", "-c", "user.email=b", "commit-tree", root],
      "odd",
    );
    await repository.git("update-ref", "refs/heads/main", commit);
    const { files, skippedEntries: leftOut } = await readRemote(at(repository));
    expect(files.map(({ path }) => path)).toEqual(["fine.md"]);
    expect(leftOut).toEqual([
      { path: "back\\slash.md", reason: "forbidden_character" },
      { path: "new\nline", reason: "forbidden_character" },
      { path: "n".repeat(200), reason: "too_long" },
      { path: "z/inner/latin-\ufffd.md", reason: "not_text" },
    ]);
  });

  test("links and submodules are listed and never followed", async () => {
    const repository = await Repository.on(await gitServer());
    const elsewhere = "1234567890123456789012345678901234567890";
    await repository.commit({
      "a.md": "a",
      link: { mode: "120000", data: "../../etc/passwd" },
      vendored: { mode: "160000", data: elsewhere },
    });
    const content = await readRemote(at(repository));
    expect(content.files.slice(1)).toEqual([
      { path: "link", mode: "120000", oid: expect.any(String) },
      { path: "vendored", mode: "160000", oid: elsewhere },
    ]);
    expect(text(await content.read("link"))).toBe("../../etc/passwd");
    expect(await content.read("vendored")).toBeUndefined();
  });

  test("deep trees are read up to the limit", async () => {
    const repository = await Repository.on(await gitServer());
    const deep = `${"d/".repeat(60)}deep.md`;
    await repository.commit({ [deep]: "deep" });
    expect(text(await (await readRemote(at(repository))).read(deep))).toBe("deep");
    const shallow = { ...at(repository), limits: { maxDepth: 59 } };
    expect((await refusal(readRemote(shallow))).reason).toBe("too_large");
  });

  test("an empty tree is read", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a" });
    const oid = await repository.commit({ "a.md": null });
    const content = await readRemote(at(repository));
    expect(content.commit.oid).toBe(oid);
    expect(content.files).toEqual([]);
  });

  test("a branch is found among branches, tags and annotated tags with similar names", async () => {
    const repository = await Repository.on(await gitServer());
    const oid = await repository.commit({ "a.md": "main" });
    await repository.commit({ "a.md": "other" }, { branch: "main-2" });
    await repository.commit({ "a.md": "inside" }, { branch: "feature/main" });
    await repository.git("tag", "main", "main-2");
    await repository.git("-c", "user.name=a", "-c", "user.email=b", "tag", "-a", "-m", "v1", "v1", "main-2");
    expect((await readRemote(at(repository))).commit.oid).toBe(oid);
    const other = await readRemote(at(repository, "refs/heads/feature/main"));
    expect(text(await other.read("a.md"))).toBe("inside");
  });

  test("a single pack with long delta chains is read", async () => {
    const repository = await Repository.on(await gitServer());
    const page = (changed: number) =>
      Array.from({ length: 400 }, (_, line) => `Line ${line} ${line === changed ? "changed" : "as it was"}`).join("\n");
    const names = Array.from({ length: 120 }, (_, index) => `page-${index}.md`);
    await repository.commit(Object.fromEntries(names.map((name, index) => [name, page(index)])));
    await repository.git("repack", "-q", "-a", "-d", "-f", "--depth=200", "--window=200");
    const content = await readRemote(at(repository));
    for (const [index, name] of names.entries()) expect(text(await content.read(name))).toBe(page(index));
  });

  test("one commit is downloaded, however long the history is", async () => {
    const repository = await Repository.on(await gitServer());
    for (let index = 0; index < 5; index++) await repository.commit({ "a.md": `${index}`.repeat(1000) });
    const before = await repository.git("rev-parse", "main~1:a.md");
    const content = await readRemote(at(repository));
    expect(text(await content.read("a.md"))).toBe("4".repeat(1000));
    expect(await content.read(before)).toBeUndefined();
  });

  test("a server that supports only protocol version 0 is read", async () => {
    const server = await gitServer({
      before: (req) => {
        delete req.headers["git-protocol"];
        return false;
      },
    });
    const repository = await Repository.on(server);
    await repository.commit({ "a.md": "a" });
    expect(text(await (await readRemote(at(repository))).read("a.md"))).toBe("a");
  });

  test("no password is sent where none is needed", async () => {
    const repository = await Repository.on(await gitServer({ isOpen: true }));
    await repository.commit({ "a.md": "a" });
    const content = await readRemote({ ...at(repository), auth: undefined });
    expect(content.files).toHaveLength(1);
  });
});

describe.skipIf(whyNoGit)("missing repositories and branches", () => {
  test("a missing repository, a missing branch and an empty repository are refused with their reasons", async () => {
    const server = await gitServer();
    const repository = await Repository.on(server);
    expect((await refusal(readRemote(at(repository)))).reason).toBe("ref_not_found");
    await repository.commit({ "a.md": "a" });
    expect((await refusal(readRemote(at(repository, "refs/heads/mai")))).reason).toBe("ref_not_found");
    const missing = { ...at(repository), url: `${server.origin}/missing.git` };
    expect((await refusal(readRemote(missing))).reason).toBe("not_found");
  });

  test("a branch that was deleted since is refused", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a" }, { branch: "topic" });
    const { state } = await readRemote(at(repository, "refs/heads/topic"));
    await repository.git("update-ref", "-d", "refs/heads/topic");
    const gone = readRemote({ ...at(repository, "refs/heads/topic"), knownState: state });
    expect((await refusal(gone)).reason).toBe("ref_not_found");
  });

  test("S31: a wrong or missing password is refused without repeating it", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a" });
    for (const auth of [undefined, { ...AUTH, password: "wrong-secret" }]) {
      const refused = await refusal(readRemote({ ...at(repository), auth }));
      expect(refused.reason).toBe("unauthorized");
      expect(JSON.stringify({ ...refused, message: refused.message, stack: refused.stack })).not.toContain("secret");
    }
  });

  test("S40: more files, objects or bytes than allowed are refused", async () => {
    const repository = await Repository.on(await gitServer());
    const files = Array.from({ length: 50 }, (_, index) => [`${index}.md`, `${index}`.repeat(500)] as const);
    await repository.commit(Object.fromEntries(files));
    const tight = [
      { maxFiles: 49 },
      { maxObjects: 51 },
      { maxObjectBytes: 999 },
      { maxUnpackedBytes: 40_000 },
      { maxBytes: 1_000 },
    ];
    for (const limits of tight)
      expect((await refusal(readRemote({ ...at(repository), limits }))).reason).toBe("too_large");
    const enough = { maxFiles: 50, maxObjects: 52, maxObjectBytes: 3_000, maxUnpackedBytes: 60_000, maxBytes: 50_000 };
    expect((await readRemote({ ...at(repository), limits: enough })).files).toHaveLength(50);
  });
});
