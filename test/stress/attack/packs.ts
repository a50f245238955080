// Packs of a malicious Git server: small to send, and large, slow or deep to unpack.

import { GitError, readRemote } from "../../../src/git/index";
import { back, commit, delta, entry, pack, packet, type Row, sent, thing, tree } from "../../git/hostile-packs";
import type { Attack } from "./attack";

const MIB = 1024 * 1024;
const url = "https://git.example/evil.git";
const lines = (...texts: string[]) => Buffer.concat([...texts.map(packet), Buffer.from("0000")]);

/** A fetch behind which a server has this pack. */
function serving(tip: string, bytes: Buffer): typeof fetch {
  return async (input, init) => {
    const [type, body] =
      init?.method !== "POST"
        ? ["advertisement", lines("version 2\n", "ls-refs\n")]
        : ["result", isList(init.body) ? lines(`${tip} refs/heads/main\n`) : sent(bytes)];
    const headers = { "content-type": `application/x-git-upload-pack-${type}` };
    return Object.defineProperty(new Response(body, { headers }), "url", { value: String(input) });
  };
}

const isList = (body: unknown) => Buffer.from(body as Uint8Array).includes("command=ls-refs");

/** A branch whose files are all read, as an import does. */
function read(
  name: string,
  make: () => { readonly rows: Row[]; readonly entries: Buffer[] },
  inOnePiece?: string,
): Attack {
  return {
    name,
    budget: "job",
    ...(inOnePiece === undefined ? {} : { inOnePiece }),
    async prepare() {
      const { rows, entries } = make();
      const root = tree(...rows);
      const top = commit(root.oid);
      const all = [...entries, entry("tree", root.bytes), entry("commit", top.bytes)];
      const place = { fetch: serving(top.oid, pack(all)), url, ref: "refs/heads/main" };
      return async () => {
        try {
          const content = await readRemote(place);
          for (const { path } of content.files) await content.read(path);
        } catch (error) {
          if (!(error instanceof GitError) || error.reason !== "too_large") throw error;
        }
      };
    },
  };
}

const copyAll = (size: number) => [0b11110000, size & 255, (size >> 8) & 255, size >> 16];

/** Deltas, each on the entry before it. */
function chain(first: Buffer, deltas: readonly Buffer[]): Buffer[] {
  const entries = [first];
  for (const bytes of deltas) entries.push(entry("ofs", bytes, bytes.length, back(entries.at(-1)!.length)));
  return entries;
}

export const packs: readonly Attack[] = [
  read("a hundred objects of twenty megabytes that deflate to nothing", () => {
    const one = entry("blob", Buffer.alloc(20 * MIB));
    return { rows: [], entries: Array.from({ length: 100 }, () => one) };
  }),
  read("a thousand deltas of twenty megabytes that make one byte", () => {
    const long = Buffer.alloc(20 * MIB);
    delta(1, 1, 1, 0x62).copy(long);
    const first = entry("blob", Buffer.from("a"));
    const one = entry("ref", long, long.length, Buffer.from(thing("blob", "a").oid, "hex"));
    return { rows: [], entries: [first, ...Array.from({ length: 1000 }, () => one)] };
  }),
  read("thirty thousand deltas on one object", () => {
    const base = thing("blob", "a");
    const longer = delta(1, 2, ...copyAll(1), 1, 0x62);
    const one = entry("ref", longer, longer.length, Buffer.from(base.oid, "hex"));
    return { rows: [], entries: [entry("blob", base.bytes), ...Array.from({ length: 30_000 }, () => one)] };
  }),
  read("deltas of twenty megabytes that add byte after byte", () => {
    const size = 10 * MIB;
    const ops = Buffer.alloc(2 * size, Buffer.from([1, 0x61]));
    const bytes = Buffer.concat([delta(size, size), ops]);
    return {
      rows: [],
      entries: chain(
        entry("blob", Buffer.alloc(size)),
        Array.from({ length: 5 }, () => bytes),
      ),
    };
  }),
  read("a chain of four thousand deltas, each of which is a file", () => {
    const size = 20_000;
    const contents = Array.from({ length: 4000 }, (_, index) =>
      Buffer.concat([Buffer.alloc(size), Buffer.from(`${10_000 + index}`)]),
    );
    const rows = contents.map((bytes, index): Row => ["100644", `f${10_000 + index}`, thing("blob", bytes).oid]);
    const deltas = contents
      .slice(1)
      .map((bytes) => delta(size + 5, size + 5, ...copyAll(size), 5, ...bytes.subarray(size)));
    return { rows, entries: chain(entry("blob", contents[0]!), deltas) };
  }),
  read(
    "twenty thousand files that are one object of twenty megabytes",
    () => {
      const large = thing("blob", Buffer.alloc(20 * MIB));
      const rows = Array.from({ length: 19_000 }, (_, index): Row => ["100644", `f${10_000 + index}`, large.oid]);
      return { rows, entries: [entry("blob", large.bytes)] };
    },
    "an object is inflated in one go, and twenty megabytes take a third of a second",
  ),
];
