// Trees, packs and states with random examples: changes compared with a plain map, and damaged bytes.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editTree } from "../../src/git/edit-tree";
import { GitError } from "../../src/git/index";
import { completeLimits } from "../../src/git/limits";
import { listTreeFiles } from "../../src/git/list-tree-files";
import { hashObject } from "../../src/git/objects";
import { parseResponse } from "../../src/git/packets";
import { readState, writeState } from "../../src/git/state";
import { parseTree, writeTree } from "../../src/git/trees";
import { unpackObjects } from "../../src/git/unpack";
import { runs } from "../support/test-length";
import { commit, packed, thing, tree } from "./hostile-packs";

const limits = completeLimits();
const name = fc.constantFrom("a", "b", "a.md", "a-b", "é", "日本", "__proto__");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const bytes = fc.option(fc.uint8Array({ maxLength: 3 }), { nil: null });
const rounds = fc.array(fc.array(fc.record({ path, bytes }), { maxLength: 8 }), { minLength: 1, maxLength: 6 });

test("rounds of changes give the files of a plain map, and the same tree in any order", async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const files = new Map<string, string>();
      const trees = new Map<string, Uint8Array>();
      let root: string | undefined;
      for (const changes of all) {
        let changed: Awaited<ReturnType<typeof editTree>>;
        try {
          changed = await editTree(root, trees, changes);
        } catch (error) {
          expect(error).toMatchObject({ reason: "rejected" });
          continue;
        }
        for (const { path, bytes } of changes) if (bytes === null) files.delete(path);
        for (const { path, bytes } of changes) if (bytes !== null) files.set(path, hashObject("blob", bytes));
        for (const { type, oid, bytes } of changed.newObjects) if (type === "tree") trees.set(oid, bytes);
        root = changed.root;
        const { files: found } = await listTreeFiles(root, (oid) => trees.get(oid), limits);
        expect(new Map(found.map(({ path, oid }) => [path, oid]))).toEqual(files);
      }
      for (const bytes of trees.values()) expect(writeTree(parseTree(bytes))).toEqual(bytes);
    }),
  );
});

test("a state round-trips through its serialized form", async () => {
  const top = commit("1".repeat(40));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array()), async (trees) => {
      const known = (await readState(await writeState(top.bytes, trees)))!;
      expect(known.commit.oid).toBe(top.oid);
      expect([...known.trees.keys()].sort()).toEqual([...new Set(trees.map((one) => hashObject("tree", one)))].sort());
    }),
  );
});

describe("S40: tampered bytes", () => {
  const blobs = Array.from({ length: 12 }, (_, index) => thing("blob", `Page ${index}\n`.repeat(50)));
  const root = tree(...blobs.map(({ oid }, index) => ["100644", `${index}.md`, oid] as const));
  const whole = packed(commit(root.oid), root, ...blobs);
  const tampering = fc.array(fc.tuple(fc.nat(whole.length - 21), fc.nat(255)), { minLength: 1, maxLength: 5 });

  test("a pack that was tampered with is refused or read as the bytes say", async () => {
    await fc.assert(
      fc.asyncProperty(tampering, fc.nat(whole.length), async (places, cut) => {
        const body = Uint8Array.from(whole.subarray(0, whole.length - 20));
        for (const [at, byte] of places) body[at] = byte;
        const kept = body.subarray(0, Math.max(cut, body.length - 5));
        // With the right sum, so that the rest of the check is reached.
        const sum = new Uint8Array(await crypto.subtle.digest("SHA-1", kept));
        const pack = Uint8Array.from([...kept, ...sum]);
        try {
          await unpackObjects(pack, limits);
        } catch (error) {
          expect(error).toBeInstanceOf(GitError);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test("a tree, a state and a response that were tampered with are refused or read as the bytes say", async () => {
    const state = await writeState(commit(root.oid).bytes, [root.bytes]);
    const refuses = (act: () => unknown) => {
      try {
        act();
      } catch (error) {
        expect(error).toBeInstanceOf(GitError);
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.nat(), fc.nat(255), async (noise, at, byte) => {
        refuses(() => parseTree(noise));
        refuses(() => parseResponse(noise));
        refuses(() =>
          parseTree(Uint8Array.from(root.bytes, (old, index) => (index === at % root.bytes.length ? byte : old))),
        );
        await readState(noise);
        await readState(Uint8Array.from(state, (old, index) => (index === at % state.length ? byte : old)));
      }),
      { numRuns: runs(1000) },
    );
  });
});
