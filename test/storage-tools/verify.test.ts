// `verify` finds nothing in a storage that is whole, and every kind of damage that is made here. It puts right what follows
// from the rest, and nothing else.

import { readdir, readFile } from "node:fs/promises";
import type { Json, Storage } from "octavo";
import { Corrupt } from "octavo";
import type { MemoryStorage } from "octavo/memory";
import { type Damage, type VerifyResult, verify } from "octavo/storage-tools";
import { beforeAll, describe, expect, test } from "vitest";
import { encodeKey } from "../../src/storage/key";
import type { Entry } from "../../src/storage/storage";
import { entryChecks } from "../../src/storage-tools/verify/verify";
import { dump, SECRET } from "../support/setting";
import { through } from "../support/through";
import { type System, system } from "./walk";

let source: System;
let home: string;

beforeAll(async () => {
  source = await system();
  home = `org-${source.cast.org.slice(4)}`;
});

async function entriesUnder(storage: Storage, partition: string, ...under: string[]): Promise<readonly Entry[]> {
  return (await storage.partition(partition).snapshot()).list({ under: encodeKey(...under), limit: 10_000 });
}

async function put(storage: Storage, partition: string, at: string, value: Json | undefined): Promise<void> {
  const puts = value === undefined ? [] : [{ key: at, value }];
  const deletes = value === undefined ? [at] : [];
  await storage.partition(partition).commit({ checks: [], puts, deletes, adds: [] });
}

const kindsOf = ({ findings }: VerifyResult) => [...new Set(findings.map(({ damage }) => damage))].sort();

/** An entry of some kind, changed or taken away. */
type Change = (value: never) => Json | undefined;

/** What is done to an entry, and what is found. */
const damages: readonly {
  readonly what: string;
  readonly under: readonly string[];
  readonly pick?: (entry: Entry) => boolean;
  readonly change: Change;
  readonly finds: readonly Damage[];
  readonly isRepaired?: boolean;
}[] = [
  { what: "an index entry is gone", under: ["i", "team"], change: () => undefined, finds: ["index"], isRepaired: true },
  {
    what: "an index entry leads to another record",
    under: ["i", "member"],
    change: (value: Json[]) => ["usr_nobody", ...value.slice(1)],
    finds: ["index"],
    isRepaired: true,
  },
  { what: "an index entry leads nowhere", under: ["i", "team"], change: () => 7, finds: ["index"], isRepaired: true },
  { what: "a unique name is gone", under: ["u", "team"], change: () => undefined, finds: ["index"], isRepaired: true },
  {
    what: "a total is wrong",
    under: ["n", "member"],
    change: (n: number) => n + 1,
    finds: ["total"],
    isRepaired: true,
  },
  { what: "a total is gone", under: ["n", "member"], change: () => undefined, finds: ["total"], isRepaired: true },
  {
    what: "a record is gone",
    under: ["r", "team"],
    change: () => undefined,
    finds: ["index", "total"],
    isRepaired: true,
  },
  {
    what: "a record has the id of another",
    under: ["r", "team"],
    change: (team: { id: string }) => ({ ...team, id: "tem_other" }),
    finds: ["index", "misplaced", "total"],
  },
  { what: "a record is no record", under: ["r", "team"], change: () => null, finds: ["total", "unreadable"] },
  { what: "a guard is no number", under: ["g"], change: () => "many", finds: ["unreadable"] },
  { what: "an object is gone", under: ["object"], change: () => undefined, finds: ["missing"] },
  {
    what: "an object has other bytes",
    under: ["object"],
    pick: ({ value }) => "text" in (value as object) && !JSON.stringify(value).includes('"[0,'),
    change: (it: { size: number; text: string }) => ({ ...it, text: `${it.text.slice(1)}!` }),
    finds: ["changed"],
  },
  {
    what: "the blob of an object is gone",
    under: ["object"],
    pick: ({ value }) => "blob" in (value as object),
    change: (it: { size: number }) => ({ ...it, blob: `${it.size}-gone` }),
    finds: ["missing"],
  },
  {
    what: "a job is for an unknown step",
    under: ["job"],
    change: (job: object) => ({ ...job, step: "x" }),
    finds: ["unknown"],
  },
  {
    what: "an audit event was changed",
    under: ["audit-segment"],
    change: (it: { lines: string[] }) => ({ ...it, lines: it.lines.map((line) => line.replace("usr_", "usr-")) }),
    finds: ["audit"],
  },
  { what: "an audit event is gone", under: ["audit-total"], change: (n: number) => n + 1, finds: ["audit"] },
];

describe("verify", () => {
  test("verify finds nothing wrong in a correct storage and knows every kind of entry", async () => {
    const found = await verify(source.storage, { secret: SECRET });
    expect(found.findings).toEqual([]);
    expect(found).toMatchObject({ damaged: 0, notLookedInto: 0 });
    expect(found.records).toBeGreaterThan(100);
    expect(found.objects).toBeGreaterThan(10);
    expect(found.blobs).toBeGreaterThan(0);
    const without = await verify(source.storage);
    expect(without.findings).toEqual([]);
    expect(without.notLookedInto).toBeGreaterThan(2);
  });

  test.each(damages)("verify finds that $what", async ({ under, pick, change, finds, isRepaired }) => {
    const storage = source.storage.copy();
    const found = await entriesUnder(storage, home, ...under);
    const entry = found.find((it) => pick?.(it) ?? true)!;
    await put(storage, home, entry.key, change(entry.value as never));
    const told = await verify(storage, { secret: SECRET, repair: true });
    expect(kindsOf(told)).toEqual([...finds].sort());
    expect(told.findings.every(({ partition, says }) => partition === home && says.endsWith("."))).toBe(true);
    const again = await verify(storage, { secret: SECRET });
    if (isRepaired) expect([told.repaired, again.findings]).toEqual([told.damaged, []]);
    else expect(again.damaged).toBeGreaterThan(0);
  });

  test("verify finds a wrong secret, a lost claim, a lost blob and unknown entries", async () => {
    const wrong = await verify(source.storage, { secret: `another ${SECRET}` });
    expect(kindsOf(wrong)).toEqual(["audit", "sealed"]);

    const storage = source.storage.copy();
    const [claimed] = await entriesUnder(storage, "directory", "claimed");
    await put(storage, "directory", claimed!.key, undefined);
    for await (const blob of storage.blobs.list()) await storage.blobs.delete(blob);
    await put(storage, home, "no key", 1);
    await put(storage, home, encodeKey("r", "newcomer", "x"), {});
    await put(storage, home, encodeKey("i", "team", "by-colour", "x"), ["x"]);
    await storage.blobs.put(`${home}-nobodys`, new Uint8Array(1));
    const before = await dump(storage);
    expect(await verify(storage)).toMatchObject({ repaired: 0 });
    expect(await dump(storage)).toEqual(before);
    const told = await verify(storage, { secret: SECRET, repair: true });
    expect(kindsOf(told)).toEqual(["claim", "missing", "unknown"]);
    expect(told.findings.filter(({ isRepaired }) => isRepaired).map(({ damage }) => damage)).toEqual(["claim"]);
    expect(told.unreachable).toEqual({ objects: 0, blobs: 1 });
    expect((await verify(storage)).findings.some(({ damage }) => damage === "claim")).toBe(false);
  });

  test.each([
    { row: "membership", change: () => undefined },
    { row: "membership", change: (it: object) => ({ ...it, isMember: false, asOf: 1 }) },
    { row: "integration-line", change: () => undefined },
    { row: "installation-line", change: () => undefined },
    { row: "placed-line", change: () => undefined },
    { row: "domain-list", change: (it: object) => ({ ...it, domains: ["other.example"] }) },
  ])("verify finds that a $row disagrees with its organization", async ({ row, change }) => {
    const storage = source.storage.copy();
    const places: [string, Entry][] = [];
    for await (const name of storage.partitions())
      for (const entry of await entriesUnder(storage, name, "r", row)) places.push([name, entry]);
    // One that counts: of somebody who is gone, nobody misses it.
    const [place, entry] = places.find(([, { value }]) => isCounted(value as Record<string, unknown>))!;
    await put(storage, place, entry.key, change(entry.value as never));
    const told = await verify(storage, { secret: SECRET, repair: true });
    expect(told.findings.map(({ says }) => says)).toContainEqual(expect.stringMatching(/does not say what org-/));
    expect([...new Set(told.findings.map(({ partition }) => partition))]).toEqual([place]);
    expect(told.repaired).toBe(told.damaged);
    const again = await verify(storage, { secret: SECRET });
    expect(again.findings).toEqual([]);
  });

  test("verify finds a member without a user, and a name that is used but not held", async () => {
    const storage = source.storage.copy();
    const [member] = await entriesUnder(storage, home, "r", "member");
    const stranger = { ...(member!.value as object), user: "usr_nobody" };
    await put(storage, home, encodeKey("r", "member", "usr_nobody"), stranger);
    const [claim] = await entriesUnder(storage, home, "claim");
    await put(storage, home, claim!.key, undefined);
    const { findings } = await verify(storage, { secret: SECRET });
    const says = findings.map((it) => it.says);
    expect(says).toContain("The member usr_nobody is no user.");
    expect(says).toContainEqual(expect.stringMatching(/is used here, and is not held/));
  });

  test("verify does not report rows that a pending job is about to write", async () => {
    const storage = source.storage.copy();
    const [row] = (await entriesUnder(storage, "directory", "r", "membership")).filter(({ value }) =>
      isCounted(value as Record<string, unknown>),
    );
    const { user, organization } = row!.value as { user: string; organization: string };
    await put(storage, "directory", row!.key, undefined);
    const job = { step: "sync-membership", payload: { user, organization }, attempts: 0 };
    await put(storage, `org-${organization.slice(4)}`, encodeKey("job", 1, "waits"), job);
    const { findings } = await verify(storage, { secret: SECRET });
    expect(findings.filter(({ says }) => /does not say/.test(says))).toEqual([]);
  });

  test("verify reads around an unreadable entry", async () => {
    const [broken] = await entriesUnder(source.storage, home, "r", "team");
    const told = await verify(unreadable(source.storage, broken!.key), { secret: SECRET });
    expect(told.findings.map(({ says }) => says)).toContain("The record is damaged.");
    expect(told.entries).toBe((await verify(source.storage)).entries - 1);
  });

  test("verify counts objects without references", async () => {
    const storage = source.storage.copy();
    const text = "nobody reads this";
    const hash = Array.from(
      new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
      (byte) => byte.toString(16).padStart(2, "0"),
    ).join("");
    await put(storage, home, encodeKey("object", hash), { size: text.length, text });
    const { findings, unreachable } = await verify(storage, { secret: SECRET });
    expect([findings, unreachable.objects]).toEqual([[], 1]);
  });
});

describe("kinds of entries", () => {
  test("verify knows every kind of entry that the code writes", async () => {
    const src = new URL("../../src/", import.meta.url);
    const files = (await readdir(src, { recursive: true })).filter((file) =>
      /^(?!storage-tools|sign-in).*\.ts$/.test(file),
    );
    const written = new Set<string>();
    for (const file of files) {
      const text = await readFile(new URL(file, src), "utf8");
      if (/from "[./]*(?:storage\/)?key"/.test(text))
        for (const [, kind] of text.matchAll(/\bencodeKey\("([a-z-]+)"/g)) written.add(kind!);
    }
    // The first parts of records and of what is derived from them, and what is no key of an entry.
    for (const kind of ["r", "i", "u", "n", "g"]) expect(written.delete(kind)).toBe(true);
    expect([...written].sort()).toEqual(Object.keys(entryChecks).sort());
  });
});

function isCounted({ isMember, isInstalled, isPublished, domains }: Record<string, unknown>): boolean {
  return isMember === true || isInstalled === true || isPublished === true || (domains as string[])?.length > 0;
}

/** A storage in which one entry cannot be read. */
function unreadable(inner: MemoryStorage, at: string): Storage {
  const refuse = <T extends readonly (Entry | undefined)[]>(entries: T): T => {
    if (entries.some((entry) => entry?.key === at)) throw new Corrupt("The record is damaged.");
    return entries;
  };
  return through(inner, {
    get: async (_, go) => refuse(await go()),
    list: async (_, go) => refuse(await go()),
  });
}
