// Malicious servers: packs, trees and answers made to crash, to cost much or to mislead. Each is refused with its
// reason, or read correctly.

import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { pushRemote, readRemote } from "../../src/git/index";
import { serve } from "../node/servers";
import {
  back,
  band,
  commit,
  delta,
  entry,
  head,
  pack,
  packed,
  packet,
  type Row,
  sent,
  thing,
  tree,
} from "./hostile-packs";
import { refusal } from "./refusals";
import { AUTH } from "./server";

// A Git server that sends whatever a test wants.

interface Said {
  readonly tip?: string;
  readonly refs?: Buffer;
  readonly advert?: Buffer;
  /** What answers a fetch or a push, whole. */
  readonly answer: Buffer;
}

const VERSION_2 = Buffer.concat([
  packet("version 2\n"),
  packet("agent=evil\n"),
  packet("ls-refs\n"),
  packet("fetch\n"),
  Buffer.from("0000"),
]);

/** A repository on a server of this kind. */
async function says(said: Said): Promise<{ fetch: typeof fetch; url: string; ref: string; auth: typeof AUTH }> {
  const origin = await serve((req, res) => void reply(req, res, said));
  return { fetch, url: `${origin}/evil.git`, ref: "refs/heads/main", auth: AUTH };
}

async function reply(req: IncomingMessage, res: ServerResponse, said: Said): Promise<void> {
  const service = /git-(upload|receive)-pack/.exec(req.url!)?.[0];
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const line = packet(`${said.tip ?? "1".repeat(40)} refs/heads/main\n`);
  if (req.method === "GET") {
    const first = packet(`${said.tip ?? "1".repeat(40)} refs/heads/main\0report-status side-band-64k\n`);
    const forPush = Buffer.concat([packet(`# service=${service}\n`), Buffer.from("0000"), first, Buffer.from("0000")]);
    const advert = said.advert ?? (service === "git-receive-pack" ? forPush : VERSION_2);
    res.writeHead(200, { "content-type": `application/x-${service}-advertisement` }).end(advert);
    return;
  }
  const asksForRefs = Buffer.concat(chunks).includes("command=ls-refs");
  const refs = said.refs ?? Buffer.concat([line, Buffer.from("0000")]);
  res.writeHead(200, { "content-type": `application/x-${service}-result` }).end(asksForRefs ? refs : said.answer);
}

const blob = thing("blob", "Hello, this is a file.");
const root = tree(["100644", "a.md", blob.oid]);
const tip = commit(root.oid);
const three = [tip, root, blob].map(({ type, bytes }) => entry(type, bytes));
const MIB = 1024 * 1024;

async function reasonFor(bytes: Buffer, oid = tip.oid): Promise<string> {
  return (await refusal(readRemote(await says({ tip: oid, answer: sent(bytes) })))).reason;
}

test("the test server is readable when it tells the truth", async () => {
  const content = await readRemote(await says({ tip: tip.oid, answer: sent(packed(tip, root, blob)) }));
  expect(content.files).toEqual([{ path: "a.md", oid: blob.oid, mode: "100644" }]);
  expect(Buffer.from((await content.read("a.md"))!)).toEqual(blob.bytes);
});

test("both kinds of deltas are applied", async () => {
  const longer = thing("blob", "Hello, this is a file. Hello");
  const other = thing("blob", "Hello");
  const folder = tree(["100644", "a.md", blob.oid], ["100644", "b.md", longer.oid], ["100644", "c.md", other.oid]);
  const top = commit(folder.oid);
  const start = [top, folder, blob].map(({ type, bytes }) => entry(type, bytes));
  const copy = (size: number) => [0b10010000, size];
  const ofs = delta(22, 28, ...copy(22), 6, ...Buffer.from(" Hello"));
  const ref = delta(22, 5, ...copy(5));
  const entries = [
    ...start,
    entry("ofs", ofs, ofs.length, back(start[2]!.length)),
    entry("ref", ref, ref.length, Buffer.from(blob.oid, "hex")),
  ];
  const content = await readRemote(await says({ tip: top.oid, answer: sent(pack(entries)) }));
  expect(Buffer.from((await content.read("b.md"))!)).toEqual(longer.bytes);
  expect(Buffer.from((await content.read("c.md"))!)).toEqual(other.bytes);
});

describe("S40: damaged packs", () => {
  const whole = packed(tip, root, blob);
  const broken: readonly (readonly [why: string, bytes: Buffer])[] = [
    ["empty", Buffer.alloc(0)],
    ["cut short", whole.subarray(0, whole.length - 30)],
    ["cut to its head", whole.subarray(0, 12)],
    ["with a wrong sum", pack(three, { sum: Buffer.alloc(20) })],
    ["with a byte changed", Buffer.from(whole).fill(1, 60, 61)],
    ["of another version", pack(three, { version: 3 })],
    ["of something else", Buffer.from(whole).fill("KCAP", 0, 4)],
    ["with fewer objects than it says", pack(three, { count: 4 })],
    ["with more objects than it says", pack(three, { count: 2 })],
    ["without objects", pack([])],
    ["with something behind them", pack(three, { after: randomBytes(40) })],
    ["with types that do not exist", pack([...three, entry(0, blob.bytes), entry(5, blob.bytes)])],
    ["with a size that is too small", pack([...three, entry("blob", blob.bytes, 21)])],
    ["with a size that is too large", pack([...three, entry("blob", blob.bytes, 23)])],
    ["with bytes that do not inflate", pack([...three, Buffer.concat([head(3, 50), randomBytes(60)])])],
    ["with a delta on itself", pack([...three, entry("ofs", delta(5, 5, 5, 1, 2, 3, 4, 5), 8, back(0))])],
    ["with a delta on what is before the pack", pack([...three, entry("ofs", delta(5, 5, 0x90, 5), 4, back(100_000))])],
    ["with a delta on the middle of an object", pack([...three, entry("ofs", delta(22, 5, 0x90, 5), 4, back(3))])],
    [
      "with a delta that ends in its head",
      pack([...three, entry("ofs", Buffer.from([255, 255]), 2, back(three[2]!.length))]),
    ],
    ["without the commit", packed(root, blob)],
    ["without the tree", packed(tip, blob)],
    ["without the file", packed(tip, root)],
  ];

  test.each(broken)("a pack is damaged: %s", async (_, bytes) => {
    expect(await reasonFor(bytes)).toBe("damaged");
  });

  test("a pack in which two deltas depend on each other is damaged", async () => {
    const [one, two] = [thing("blob", "one"), thing("blob", "two")];
    const folder = tree(["100644", "a.md", one.oid], ["100644", "b.md", two.oid]);
    const top = commit(folder.oid);
    const on = (oid: string) => entry("ref", delta(3, 3, 0x90, 3), 4, Buffer.from(oid, "hex"));
    const bytes = pack([entry("commit", top.bytes), entry("tree", folder.bytes), on(two.oid), on(one.oid)]);
    expect(await reasonFor(bytes, top.oid)).toBe("damaged");
  });

  test("a pack in which a delta produces something other than it promises is damaged", async () => {
    const wanted = thing("blob", "HelloHello");
    const folder = tree(["100644", "a.md", blob.oid], ["100644", "b.md", wanted.oid]);
    const top = commit(folder.oid);
    const start = [top, folder, blob].map(({ type, bytes }) => entry(type, bytes));
    const on = (bytes: Buffer) => entry("ofs", bytes, bytes.length, back(start[2]!.length));
    const lies = [
      delta(22, 9, 0x90, 5, 0x90, 5),
      delta(21, 10, 0x90, 5, 0x90, 5),
      delta(22, 10, 0x91, 20, 10),
      delta(22, 10, 0x90, 5, 0),
      delta(22, 10, 100, 1, 2),
    ];
    for (const lie of lies) expect(await reasonFor(pack([...start, on(lie)]), top.oid)).toBe("damaged");
    expect(
      (
        await readRemote(
          await says({ tip: top.oid, answer: sent(pack([...start, on(delta(22, 10, 0x90, 5, 0x90, 5))])) }),
        )
      ).files,
    ).toHaveLength(2);
  });

  test("a pack in which an object of another type is used as a commit, tree or file is damaged", async () => {
    expect(await reasonFor(packed(blob), blob.oid)).toBe("damaged");
    const noTree = commit(blob.oid);
    expect(await reasonFor(packed(noTree, blob), noTree.oid)).toBe("damaged");
    const noCommit = thing("commit", "parent 123\n\nHello");
    expect(await reasonFor(packed(noCommit), noCommit.oid)).toBe("damaged");
    const folder = tree(["100644", "a.md", root.oid]);
    const top = commit(folder.oid);
    const content = await readRemote(await says({ tip: top.oid, answer: sent(packed(top, folder, root, blob)) }));
    expect((await refusal(content.read("a.md"))).reason).toBe("damaged");
  });
});

describe("S40: oversized packs", () => {
  const zeros = (size: number) => deflateSync(Buffer.alloc(size));

  test("a pack is too large when an object declares so", async () => {
    expect(await reasonFor(pack([...three, entry("blob", blob.bytes, 26 * MIB)]))).toBe("too_large");
    expect(await reasonFor(pack([...three, entry("blob", blob.bytes, 2 ** 45)]))).toBe("too_large");
  });

  test("an object that declares itself small and inflates to much is damaged", async () => {
    const bomb = Buffer.concat([head(3, 100), zeros(50 * MIB)]);
    expect(bomb.length).toBeLessThan(75_000);
    expect(await reasonFor(pack([...three, bomb]))).toBe("damaged");
  });

  test("a pack is too large when many small streams inflate to much together", async () => {
    const one = Buffer.concat([head(3, 20 * MIB), zeros(20 * MIB)]);
    expect(await reasonFor(pack([...three, ...Array.from({ length: 13 }, () => one)]))).toBe("too_large");
  });

  test("a pack is too large when deltas multiply a small object", async () => {
    // Each is sixteen times the one before, and takes twenty bytes.
    const entries = [...three, entry("blob", Buffer.alloc(65_535))];
    for (let size = 65_535, last = entries.at(-1)!; size < 2 ** 34; size *= 16) {
      const ops = Array.from({ length: 16 }, () => [0xb0, size & 255, (size >> 8) & 255]).flat();
      const bytes = delta(size, size * 16, ...ops);
      last = entry("ofs", bytes, bytes.length, back(last.length));
      entries.push(last);
    }
    expect(await reasonFor(pack(entries))).toBe("too_large");
  });

  test("a pack is too large when it counts too many objects", async () => {
    expect(await reasonFor(pack(three, { count: 4_000_000_000 }))).toBe("too_large");
  });
});

describe("hostile trees", () => {
  const of = (...rows: Row[]) => {
    const folder = tree(...rows);
    const top = commit(folder.oid);
    return reasonFor(packed(top, folder, blob, root), top.oid);
  };

  test.each(["", ".", "..", ".git", ".GIT", ".Git", "/etc", "a/b", "../a"])(
    "a file named “%s” is refused",
    async (name) => {
      expect(await of(["100644", name, blob.oid])).toBe("damaged");
    },
  );

  test.each([".", "..", ".git", "a/b"])("a directory named “%s” is refused", async (name) => {
    expect(await of(["40000", name, root.oid])).toBe("damaged");
  });

  test("two entries with the same name are refused", async () => {
    expect(await of(["100644", "a", blob.oid], ["100644", "a", blob.oid])).toBe("damaged");
    expect(await of(["100644", "a", blob.oid], ["40000", "a", root.oid])).toBe("damaged");
  });

  test.each(["", "0", "777", "100648", "999999", "1006444", "50000", "-40000"])(
    "the mode “%s” is refused",
    async (mode) => {
      expect(await of([mode, "a", blob.oid])).toBe("damaged");
    },
  );

  test("a truncated tree is refused", async () => {
    for (const end of [1, 19, 20, 25, 27]) {
      const folder = thing("tree", root.bytes.subarray(0, root.bytes.length - end));
      const top = commit(folder.oid);
      expect(await reasonFor(packed(top, folder, blob), top.oid)).toBe("damaged");
    }
  });

  test("five thousand nested directories are too large", async () => {
    const chain = [root];
    for (let depth = 0; depth < 5000; depth++) chain.push(tree(["40000", "d", chain.at(-1)!.oid]));
    const top = commit(chain.at(-1)!.oid);
    expect(await reasonFor(packed(top, blob, ...chain), top.oid)).toBe("too_large");
  });

  test("ten directories that contain each other ten times are too large", async () => {
    const levels = [root];
    for (let depth = 0; depth < 10; depth++)
      levels.push(tree(...Array.from({ length: 10 }, (_, index): Row => ["40000", `d${index}`, levels[depth]!.oid])));
    const top = commit(levels.at(-1)!.oid);
    expect(await reasonFor(packed(top, blob, ...levels), top.oid)).toBe("too_large");
  });

  test("names with a meaning in JavaScript are ordinary names", async () => {
    const names = ["__proto__", "constructor", "toString"];
    const folder = tree(...names.map((name): Row => ["100644", name, blob.oid]));
    const top = commit(folder.oid);
    const content = await readRemote(await says({ tip: top.oid, answer: sent(packed(top, folder, blob)) }));
    expect(content.files.map(({ path }) => path)).toEqual(names);
    for (const name of names) expect(Buffer.from((await content.read(name))!)).toEqual(blob.bytes);
    expect(await content.read("hasOwnProperty")).toBeUndefined();
  });

  test("an author line may contain anything", async () => {
    const lines = [
      "",
      "<",
      ">",
      "> <",
      "a <b",
      "Eve <eve@x> 99999999999999999999 +0000",
      "Eve <eve@x> -5 +9999",
      "\ud800 <x> NaN",
    ];
    for (const line of lines) {
      const top = commit(root.oid, line);
      const { commit: read } = await readRemote(await says({ tip: top.oid, answer: sent(packed(top, root, blob)) }));
      expect(Number.isNaN(read.authoredAt.getTime())).toBe(false);
    }
  });
});

describe("hostile responses", () => {
  const truth = sent(packed(tip, root, blob));

  test.each([
    ["no hexadecimal digits", Buffer.from("zzzz")],
    ["a line longer than the answer", Buffer.from("ffff00")],
    ["a length of three", Buffer.from("0003")],
    ["nothing", Buffer.alloc(0)],
    ["a million times nothing", Buffer.alloc(4_000_000, "0000")],
    ["a hundred thousand lines", Buffer.concat(Array.from({ length: 100_000 }, () => packet("NAK\n")))],
  ])("%s instead of a pack is damaged", async (_, answer) => {
    expect((await refusal(readRemote(await says({ tip: tip.oid, answer })))).reason).toBe("damaged");
  });

  test("a truncated list of refs is damaged and does not mean that the branch is gone", async () => {
    const cut = [Buffer.alloc(0), packet(`${tip.oid} refs/heads/other\n`), Buffer.from("003d1234")];
    for (const refs of cut)
      expect((await refusal(readRemote(await says({ refs, answer: truth })))).reason).toBe("damaged");
    expect((await refusal(readRemote(await says({ refs: Buffer.from("0000"), answer: truth })))).reason).toBe(
      "ref_not_found",
    );
  });

  test("a branch that points to no commit is not read", async () => {
    for (const oid of ["1".repeat(64), "unborn", "G".repeat(40), "-".repeat(40)])
      expect((await refusal(readRemote(await says({ tip: oid, answer: truth })))).reason).toBe("not_git");
  });

  test("any ref advertisement is accepted or refused without side effects", async () => {
    const adverts = [
      Buffer.concat([
        packet("version 2\n"),
        packet("__proto__=polluted\n"),
        packet("constructor=1\n"),
        Buffer.from("0000"),
      ]),
      Buffer.concat([
        packet("# service=git-upload-pack\n"),
        Buffer.from("0000"),
        packet(`${tip.oid} refs/heads/main\0__proto__=1 symref=x symref=HEAD:HEAD\n`),
        Buffer.from("0000"),
      ]),
      Buffer.concat([
        packet("# service=git-upload-pack\n"),
        Buffer.from("0000"),
        packet("no nul byte here\n"),
        Buffer.from("0000"),
      ]),
      Buffer.from("0000".repeat(100_000)),
    ];
    for (const advert of adverts) {
      const place = await says({ tip: tip.oid, advert, answer: truth });
      await readRemote(place).catch((error) => expect(["not_git", "damaged"]).toContain(error.reason));
    }
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("S31: a message of the server is quoted in one short line and never contains the password", async () => {
    const basic = Buffer.from(`${AUTH.username}:${AUTH.password}`).toString("base64");
    const echo = `no\r\n\x1b[31m ${AUTH.password} ${basic} ${encodeURIComponent(AUTH.password)} ${"x".repeat(5000)}`;
    for (const answer of [packet(`ERR ${echo}`), band(3, Buffer.from(echo))]) {
      const place = await says({ tip: tip.oid, answer });
      const refused = await refusal(readRemote(place));
      expect(refused.reason).toBe("rejected");
      expect(refused.message).toMatch(/: no \[31m \*\*\* \*\*\* \*\*\* x+…$/);
      const change = { changes: [{ path: "a.md", bytes: new Uint8Array() }], parent: undefined, force: true };
      const push = { ...place, ...change, message: "m", author: { name: "n", email: "e" }, authoredAt: new Date(0) };
      expect((await refusal(pushRemote(push))).message).toMatch(/\*\*\* \*\*\* \*\*\* x+…$/);
    }
  });

  test("a push that is neither accepted nor rejected counts as rejected", async () => {
    const reports = [
      "unpack ok\n",
      "ok refs/heads/main\n",
      "unpack index-pack failed\n",
      "ng refs/heads/main hook declined\n",
      "nonsense",
    ];
    const change = { changes: [{ path: "a.md", bytes: new Uint8Array() }], parent: undefined, force: true };
    const about = { message: "m", author: { name: "n", email: "e" }, authoredAt: new Date(0) };
    for (const report of reports) {
      const answer = band(1, Buffer.concat([packet(report), Buffer.from("0000")]));
      const place = await says({ tip: tip.oid, answer });
      expect((await refusal(pushRemote({ ...place, ...change, ...about }))).reason).toBe("rejected");
    }
  });
});
