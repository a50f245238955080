// Reading a branch again: little is transferred when little has changed, and the result always equals that of a first
// read.

import { describe, expect, test } from "vitest";
import { type GitContent, readRemote } from "../../src/git/index";
import { at, countingFetch, Repository } from "./repositories";
import { gitServer, whyNoGit } from "./server";

if (whyNoGit) console.log(`Reading again from a real Git server was left out: ${whyNoGit}.`);

/** Text that does not compress to nothing. */
function words(seed: number): string {
  let state = seed + 1;
  const word = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state.toString(36);
  };
  return Array.from({ length: 60 }, word).join(" ");
}

const pages = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`part-${index % 20}/page-${index}.md`, words(index)]),
  );

/** Reads with what is known, and compares with a reading without; gives what it cost. */
async function readAgain(repository: Repository, known: Uint8Array) {
  const { counts, fetch } = countingFetch();
  const content = await readRemote({ ...at(repository), fetch, knownState: known });
  const first = await readRemote(at(repository));
  expect(content.commit).toEqual(first.commit);
  expect(content.files).toEqual(first.files);
  expect(content.state).toEqual(first.state);
  return { content, counts };
}

/** The paths of the files whose bytes came. */
async function transferred({ files, read }: GitContent): Promise<string[]> {
  const bytes = await Promise.all(files.map(({ path }) => read(path)));
  return files.filter((_, index) => bytes[index] !== undefined).map(({ path }) => path);
}

describe.skipIf(whyNoGit)("reading a branch again", () => {
  test("reading an unchanged branch again takes one request", async () => {
    const server = await gitServer();
    const repository = await Repository.on(server);
    await repository.commit(pages(200));
    const { state } = await readRemote(at(repository));
    server.requests.length = 0;
    const { counts, fetch } = countingFetch();
    const content = await readRemote({ ...at(repository), fetch, knownState: state });
    expect(server.requests).toEqual(["GET /one.git/info/refs", "POST /one.git/git-upload-pack"]);
    expect(counts.received).toBeLessThan(500);
    expect(content.files).toHaveLength(200);
    expect(await transferred(content)).toEqual([]);
    expect(content.state).toEqual(state);
  });

  test("reading a branch again downloads only the changes among 2,000 files", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit(pages(2000));
    const { counts: first, fetch } = countingFetch();
    const { state } = await readRemote({ ...at(repository), fetch });
    await repository.commit({ "part-3/page-3.md": "changed", "part-4/page-4.md": null });
    await repository.commit({ "part-3/page-3.md": "changed again", "new.md": "new" });
    const { content, counts } = await readAgain(repository, state);
    expect(await transferred(content)).toEqual(["new.md", "part-3/page-3.md"]);
    expect(new TextDecoder().decode(await content.read("part-3/page-3.md"))).toBe("changed again");
    expect(first.received).toBeGreaterThan(600_000);
    expect(counts.received).toBeLessThan(first.received / 20);
  });

  test("reading a branch again downloads only directories when a file moved", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit(pages(100));
    const { state } = await readRemote(at(repository));
    await repository.commit({ "part-3/page-3.md": null, "moved.md": words(3) });
    const { content } = await readAgain(repository, state);
    expect(await transferred(content)).toEqual([]);
  });

  test("a merge of a branch that is older than the known commit is read", async () => {
    const repository = await Repository.on(await gitServer());
    const base = await repository.commit(pages(500));
    const side = await repository.commit({ "side.md": "side" }, { branch: "side", from: base });
    await repository.commit({ "a.md": "a" });
    const { state } = await readRemote(at(repository));
    const tree = await repository.git("merge-tree", "--write-tree", "main", "side");
    const who = ["-c", "user.name=a", "-c", "user.email=b"];
    const merge = await repository.git(...who, "commit-tree", "-p", "main", "-p", side, "-m", "merge", tree);
    await repository.git("update-ref", "refs/heads/main", merge);
    const { content, counts } = await readAgain(repository, state);
    expect(await transferred(content)).toEqual(["side.md"]);
    expect(counts.received).toBeLessThan(5_000);
  });

  test("a force-pushed history is read, related or not, older or not", async () => {
    const repository = await Repository.on(await gitServer());
    const base = await repository.commit(pages(50));
    const older = await repository.commit({ "b.md": "b" });
    await repository.commit({ "c.md": "c", "part-1/page-1.md": null });
    const { state } = await readRemote(at(repository));
    await repository.commit({ "d.md": "d" }, { from: base });
    await readAgain(repository, state);
    await repository.commit({ "e.md": "e" }, { from: null, only: true });
    await readAgain(repository, state);
    await repository.git("update-ref", "refs/heads/main", older);
    const { content } = await readAgain(repository, state);
    expect(await transferred(content)).toContain("part-1/page-1.md");
  });

  test("a file that returns and is missing from the known commit is read from a server that considers the whole history", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ ...pages(50), "back.md": "I am back." });
    await repository.commit({ "back.md": null });
    const { state } = await readRemote(at(repository));
    await repository.commit({ "back.md": "I am back." });
    await repository.git("repack", "-q", "-a", "-d", "-b");
    const { content } = await readAgain(repository, state);
    expect(new TextDecoder().decode(await content.read("back.md"))).toBe("I am back.");
  });

  test("a branch is read after the server discarded the known commit", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "a" });
    const { state, commit } = await readRemote(at(repository));
    await repository.commit({ "b.md": "b" }, { from: null, only: true });
    await repository.git("reflog", "expire", "--expire=now", "--all");
    await repository.git("repack", "-q", "-a", "-d");
    await repository.git("prune", "--expire=now");
    await expect(repository.git("cat-file", "-e", commit.oid)).rejects.toThrow();
    const { content } = await readAgain(repository, state);
    expect(await transferred(content)).toEqual(["b.md"]);
  });

  test("a state that is damaged, of another version or of another repository is ignored", async () => {
    const server = await gitServer();
    const repository = await Repository.on(server);
    const stranger = await Repository.on(server, "two.git");
    await repository.commit({ "a.md": "a" });
    await stranger.commit({ "z.md": "z" });
    const { state } = await readRemote(at(repository));
    const foreign = await readRemote(at(stranger));
    const broken = [
      new Uint8Array(),
      state.subarray(0, state.length - 9),
      Uint8Array.from(state, (byte, index) => (index === 10 ? 2 : byte)),
      Uint8Array.from(state, (byte, index) => (index === state.length - 8 ? byte ^ 1 : byte)),
      Uint8Array.from(state, (byte, index) => (index >= 11 && index < 15 ? 255 : byte)),
      foreign.state,
    ];
    for (const known of broken) {
      const { content } = await readAgain(repository, known);
      expect(await transferred(content)).toEqual(["a.md"]);
    }
  });

  test("S31: the state contains neither the password nor file contents", async () => {
    const repository = await Repository.on(await gitServer());
    await repository.commit({ "a.md": "the content of the file" });
    const { state } = await readRemote(at(repository));
    const { inflateSync } = await import("fflate");
    const plain = Buffer.from(inflateSync(state.subarray(15))).toString("latin1");
    expect(plain).toContain("a.md");
    expect(plain).not.toMatch(/the content|pa:ss|127\.0\.0\.1/);
  });
});
