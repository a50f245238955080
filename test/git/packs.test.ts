// Packs compared with the git program: its packs are unpacked to the same objects, and it accepts ours.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { parseCommit } from "../../src/git/commits";
import { completeLimits } from "../../src/git/limits";
import { hashObject } from "../../src/git/objects";
import type { ObjectType } from "../../src/git/pack-entries";
import { parseTree, writeTree } from "../../src/git/trees";
import { unpackObjects } from "../../src/git/unpack";
import { writePack } from "../../src/git/write-pack";
import { runs } from "../support/test-length";
import { back, delta, entry, pack, tree as treeOf } from "./hostile-packs";
import { refusal } from "./refusals";
import { whyNoGit } from "./server";

if (whyNoGit) console.log(`Packs of the git program were left out: ${whyNoGit}.`);

const limits = completeLimits();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface Kept {
  readonly type: ObjectType;
  readonly oid: string;
  readonly bytes: Buffer;
}

/** A repository of the git program, without commits. */
class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), "octavo-packs-"));

  constructor() {
    folders.push(this.folder);
    this.git(["init", "-q", "--bare", "-b", "main", "."]);
  }

  git(args: readonly string[], input: string | Uint8Array = ""): Buffer {
    const who = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.org", GIT_AUTHOR_DATE: "1700000000 +0100" };
    const committer = { GIT_COMMITTER_NAME: "Ada", GIT_COMMITTER_EMAIL: "", GIT_COMMITTER_DATE: "1700000000 +0100" };
    const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", ...who, ...committer };
    return execFileSync("git", args, {
      cwd: this.folder,
      env,
      input,
      maxBuffer: 2 ** 28,
      stdio: ["pipe", "pipe", "pipe"],
    });
  }

  line(args: readonly string[], input?: string | Uint8Array): string {
    return this.git(args, input).toString().trim();
  }

  put(type: ObjectType, bytes: Uint8Array | string): string {
    return this.line(["hash-object", "-w", "--stdin", "-t", type, "--literally"], bytes);
  }

  /** Every object, as the program reads it. */
  all(): Kept[] {
    const listed = this.line(["cat-file", "--batch-check", "--batch-all-objects"]).split("\n").filter(Boolean);
    const out = this.git(["cat-file", "--batch"], `${listed.map((line) => line.split(" ")[0]).join("\n")}\n`);
    let at = 0;
    return listed.map((line) => {
      const [oid, type, size] = line.split(" ") as [string, ObjectType, string];
      const start = at + line.length + 1;
      at = start + Number(size) + 1;
      return { oid, type, bytes: out.subarray(start, start + Number(size)) };
    });
  }

  /** All objects in one pack of the program's. */
  packed(...options: readonly string[]): Uint8Array<ArrayBuffer> {
    const oids = this.all().map(({ oid }) => oid);
    return Uint8Array.from(this.git(["pack-objects", "-q", "--stdout", ...options], `${oids.join("\n")}\n`));
  }

  /** How long the chains of deltas are in a pack, at most. */
  longestChain(bytes: Uint8Array): number {
    const path = join(this.folder, "looked-at.pack");
    writeFileSync(path, bytes);
    this.git(["index-pack", path]);
    const lengths = [...this.line(["verify-pack", "-v", path]).matchAll(/^chain length = (\d+)/gm)];
    return Math.max(0, ...lengths.map(([, length]) => Number(length)));
  }
}

async function expectSame(bytes: Uint8Array<ArrayBuffer>, objects: readonly Kept[]): Promise<void> {
  const unpacked = await unpackObjects(bytes, limits);
  for (const { oid, type, bytes } of objects) {
    expect(unpacked.has(oid)).toBe(true);
    expect(Buffer.from((await unpacked.read(oid, type))!).equals(bytes)).toBe(true);
  }
}

/** Bytes that do not compress, the same every time. */
function noise(length: number, seed: number): Buffer {
  const parts = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash("sha256").update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(parts).subarray(0, length);
}

describe.skipIf(whyNoGit)("packs of the git program", () => {
  test("a pack of the git program is unpacked to the same objects, however they are packed", async () => {
    const piece = fc.tuple(fc.nat(5), fc.nat(3000), fc.nat(3000));
    const files = fc.array(fc.array(piece, { maxLength: 6 }), { minLength: 1, maxLength: 12 });
    const options = fc.record({ depth: fc.constantFrom(0, 1, 9, 50), isOffset: fc.boolean(), level: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(files, options, async (texts, { depth, isOffset, level }) => {
        const repository = new Repository();
        // Pieces of the same few sources, so that there is something to make deltas of.
        for (const pieces of texts)
          repository.put(
            "blob",
            Buffer.concat(pieces.map(([seed, from, size]) => noise(6000, seed).subarray(from, from + size))),
          );
        const how = [
          `--depth=${depth}`,
          "--window=20",
          `--compression=${level}`,
          ...(isOffset ? ["--delta-base-offset"] : []),
        ];
        await expectSame(repository.packed(...how), repository.all());
      }),
      { numRuns: runs(96) },
    );
  });

  test("the longest delta chains of the git program are unpacked, by offset and by object id", async () => {
    const repository = new Repository();
    const lines = Array.from({ length: 300 }, (_, line) => `Line ${line} of a page`);
    for (let version = 0; version < 400; version++) {
      lines[version % 300] = `Line ${version % 300} in version ${version}`;
      repository.put("blob", lines.join("\n"));
    }
    for (const how of [["--delta-base-offset"], []]) {
      const bytes = repository.packed("--depth=4095", "--window=5", ...how);
      expect(repository.longestChain(bytes)).toBeGreaterThan(100);
      await expectSame(bytes, repository.all());
    }
  });

  test("a pack may contain signed commits, annotated tags, every mode, binary names and nothing at all", async () => {
    const repository = new Repository();
    const blob = repository.put("blob", "");
    const empty = repository.put("tree", "");
    const modes = ["100644", "100664", "100755", "120000"];
    const rows = [
      ...modes.map((mode) => [mode, `m${mode}`, blob] as const),
      ["160000", "submodule", "1234567890123456789012345678901234567890"] as const,
      ["40000", "z-empty", empty] as const,
      ["100644", "z-latin-\xe9", blob] as const,
    ];
    const root = repository.put("tree", treeOf(...rows).bytes);
    const signature =
      "gpgsig -----BEGIN PGP SIGNATURE-----\n \n author Eve <eve@example.org> 5 +0000\n -----END PGP SIGNATURE-----\n";
    const who = "Ada <ada@example.org> 1700000000 +0100";
    const signed = repository.put("commit", `tree ${root}\nauthor ${who}\ncommitter ${who}\n${signature}\nSigned\n`);
    const tag = repository.put("tag", `object ${signed}\ntype commit\ntag v1\ntagger ${who}\n\nThe first\n`);
    const unpacked = await unpackObjects(repository.packed(), limits);
    await expectSame(repository.packed(), repository.all());
    const commit = parseCommit(signed, (await unpacked.read(signed, "commit"))!)!;
    expect(commit).toMatchObject({
      tree: root,
      message: "Signed\n",
      author: { name: "Ada", email: "ada@example.org" },
    });
    const bytes = (await unpacked.read(root, "tree"))!;
    expect(parseTree(bytes).map(({ mode, name, oid }) => [mode, name, oid])).toEqual(rows);
    expect(writeTree(parseTree(bytes))).toEqual(bytes);
    expect(await unpacked.read(empty, "tree")).toEqual(new Uint8Array());
    expect((await refusal(unpacked.read(tag, "commit"))).reason).toBe("damaged");
  });

  test("a pack that depends on objects outside itself is refused", async () => {
    const repository = new Repository();
    const text = noise(4000, 1).toString("hex");
    const commitOf = (content: string, ...parents: string[]) => {
      const tree = repository.line(["mktree"], `100644 blob ${repository.put("blob", content)}\ta.md\n`);
      return repository.line(["commit-tree", "-m", "m", tree, ...parents.flatMap((parent) => ["-p", parent])]);
    };
    const first = commitOf(text);
    const second = commitOf(`${text} and more`, first);
    const thin = (...how: string[]) =>
      Uint8Array.from(repository.git(["pack-objects", "-q", "--stdout", "--revs", ...how], `${second}\n^${first}\n`));
    expect((await refusal(unpackObjects(thin("--thin"), limits))).reason).toBe("damaged");
    expect((await unpackObjects(thin(), limits)).has(second)).toBe(true);
  });

  test("a truncated pack and a pack with one changed byte are refused", async () => {
    const repository = new Repository();
    for (let version = 0; version < 20; version++)
      repository.put("blob", `${noise(500, 1).toString("hex")} ${version}`);
    const whole = repository.packed("--delta-base-offset");
    expect(repository.longestChain(whole)).toBeGreaterThan(0);
    const oids = new Set(repository.all().map(({ oid }) => oid));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        expect((await refusal(unpackObjects(whole.slice(0, at), limits))).reason).toBe("damaged");
        const changed = whole.slice();
        changed[at]! ^= change;
        // A byte of their number may ask for more objects than are let in.
        expect(["damaged", "too_large"]).toContain((await refusal(unpackObjects(changed, limits))).reason);
        // With the right digest nothing comes out under a name that is not its own.
        const body = changed.subarray(0, -20);
        const lie = Uint8Array.from(Buffer.concat([body, createHash("sha1").update(body).digest()]));
        const unpacked = await unpackObjects(lie, limits).catch((error) => {
          expect(["damaged", "too_large"]).toContain(error.reason);
          return undefined;
        });
        for (const oid of oids) {
          const bytes = await unpacked?.read(oid, "blob").catch(() => undefined);
          if (bytes) expect(hashObject("blob", bytes)).toBe(oid);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

describe.skipIf(whyNoGit)("our packs", () => {
  test("the git program accepts our packs and finds the same objects in them", async () => {
    const blobs = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 6, minLength: 1 });
    const large = fc.constantFrom(0, 1, 15, 16, 2047, 2048, 300_000);
    await fc.assert(
      fc.asyncProperty(blobs, large, async (contents, size) => {
        const repository = new Repository();
        const objects = [...contents, noise(size, size)].map((bytes) => ({ type: "blob" as ObjectType, bytes }));
        const rows = objects.map(
          ({ bytes }, index) => ["100644", `f${String(index).padStart(3, "0")}`, hashObject("blob", bytes)] as const,
        );
        const root = treeOf(...rows);
        const who = "Ada <ada@example.org> 1700000000 +0000";
        const commit = Buffer.from(`tree ${root.oid}\nauthor ${who}\ncommitter ${who}\n\nHello\n`);
        const unique = new Map(objects.map((object) => [hashObject("blob", object.bytes), object]));
        const all = [
          ...unique.values(),
          { type: "tree" as const, bytes: root.bytes },
          { type: "commit" as const, bytes: commit },
        ];
        const pieces: Uint8Array[] = [];
        for await (const piece of writePack(all)) pieces.push(piece);
        const pack = Buffer.concat(pieces);
        repository.git(["index-pack", "--strict", "--stdin"], pack);
        const found = repository.all();
        expect(new Set(found.map(({ oid }) => oid))).toEqual(
          new Set(all.map(({ type, bytes }) => hashObject(type, bytes))),
        );
        expect(repository.line(["fsck", "--full", "--strict", "--no-dangling"])).toBe("");
        await expectSame(Uint8Array.from(pack), found);
      }),
      { numRuns: runs(64) },
    );
  });
});

describe("unusual packs", () => {
  const copyAll = (size: number) => [0b10110000, size & 255, size >> 8];
  const oidOf = (bytes: Uint8Array) => hashObject("blob", bytes);

  test("a chain of ten thousand deltas that each add a byte is unpacked and read", async () => {
    const entries = [entry("blob", Buffer.from("a"))];
    for (let length = 1; length < 10_000; length++) {
      const bytes = delta(length, length + 1, ...copyAll(length), 1, 0x61);
      entries.push(entry("ofs", bytes, bytes.length, back(entries.at(-1)!.length)));
    }
    const unpacked = await unpackObjects(Uint8Array.from(pack(entries)), limits);
    for (const length of [1, 2, 8, 9, 777, 9_999, 10_000]) {
      const bytes = Buffer.alloc(length, "a");
      expect(await unpacked.read(oidOf(bytes), "blob")).toEqual(new Uint8Array(bytes));
    }
  });

  test("deltas by object id are resolved when they come before their base, in any order", async () => {
    const contents = Array.from({ length: 40 }, (_, index) => Buffer.alloc(index + 1, "b"));
    const on = (index: number) => {
      const bytes = delta(index, index + 1, ...copyAll(index), 1, 0x62);
      return entry("ref", bytes, bytes.length, Buffer.from(oidOf(contents[index - 1]!), "hex"));
    };
    const entries = contents.map((bytes, index) => (index === 0 ? entry("blob", bytes) : on(index)));
    for (const order of [[...entries].reverse(), [...entries.slice(20), ...entries.slice(0, 20)]]) {
      const unpacked = await unpackObjects(Uint8Array.from(pack(order)), limits);
      for (const bytes of contents) expect(await unpacked.read(oidOf(bytes), "blob")).toEqual(new Uint8Array(bytes));
    }
  });

  test("duplicate objects, and deltas on both copies, are read once", async () => {
    const one = entry("blob", Buffer.from("one"));
    const longer = delta(3, 4, ...copyAll(3), 1, 0x21);
    const byPlace = (distance: number) => entry("ofs", longer, longer.length, back(distance));
    const byOid = entry("ref", longer, longer.length, Buffer.from(oidOf(Buffer.from("one")), "hex"));
    const entries = [one, one, byPlace(one.length), byOid, byOid];
    const unpacked = await unpackObjects(Uint8Array.from(pack(entries)), limits);
    expect(Buffer.from((await unpacked.read(oidOf(Buffer.from("one!")), "blob"))!).toString()).toBe("one!");
  });

  test("the bytes that were read belong to the caller, and changing them affects nothing", async () => {
    const entries = [entry("blob", Buffer.from("a"))];
    for (let length = 1; length < 20; length++) {
      const bytes = delta(length, length + 1, ...copyAll(length), 1, 0x61);
      entries.push(entry("ofs", bytes, bytes.length, back(entries.at(-1)!.length)));
    }
    const unpacked = await unpackObjects(Uint8Array.from(pack(entries)), limits);
    for (let length = 1; length <= 20; length++) {
      const oid = oidOf(Buffer.alloc(length, "a"));
      (await unpacked.read(oid, "blob"))!.fill(0);
      expect(Buffer.from((await unpacked.read(oid, "blob"))!).toString()).toBe("a".repeat(length));
    }
  });

  test("S40: a long delta for a short result counts with its own length", async () => {
    const long = Buffer.alloc(60_000);
    delta(1, 1, 1, 0x62).copy(long);
    const entries = [entry("blob", Buffer.from("a"))];
    for (let index = 0, last = entries[0]!.length; index < 10; index++) {
      entries.push(entry("ofs", long, long.length, back(last)));
      last += entries.at(-1)!.length;
    }
    const tight = { ...limits, maxUnpackedBytes: 500_000 };
    expect((await refusal(unpackObjects(Uint8Array.from(pack(entries)), tight))).reason).toBe("too_large");
  });

  test("S40: reading the same object again and again ends as too large", async () => {
    const bytes = Buffer.alloc(100_000);
    const unpacked = await unpackObjects(Uint8Array.from(pack([entry("blob", bytes)])), {
      ...limits,
      maxUnpackedBytes: 100_000,
    });
    const readTimes = async (times: number) => {
      for (let index = 0; index < times; index++) await unpacked.read(oidOf(bytes), "blob");
    };
    await readTimes(2);
    expect((await refusal(readTimes(20))).reason).toBe("too_large");
  });
});
