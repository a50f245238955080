// Kills processes that work on one storage, and checks afterwards that every acknowledged write is there, that a recount of
// the storage finds no difference, and that `verify` finds nothing.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { build } from "tsup";
import { createDocsApi } from "../../../src/index";
import { verify } from "../../../src/storage-tools";
import { recount } from "../../resources/library/recount";
import { startAgain } from "../../resources/service/given-up";
import { type Ask, askWithToken } from "../../support/asking";
import { AHEAD_MS, Ledger, type Line, openStorage, SECRET, type World } from "./ledger";

/** After how many kills everything is looked at. */
const LOOK_EVERY = 5;
/** A process is killed some milliseconds after it was told so many things at most: machines are not equally fast. */
const MAX_LINES = 30;

/** Kills a process so many times. The seed decides what the processes do and when they are killed, not how far they get. */
export async function killTimes(kills: number, seed: number, tell: (sentence: string) => void = () => {}) {
  const directory = await mkdtemp(join(tmpdir(), "octavo-kills-"));
  const outDir = join("node_modules", ".cache", `octavo-kills-${process.pid}`);
  const entry = { load: "test/stress/kills/load-process.ts" };
  await build({
    entry,
    outDir,
    format: "esm",
    external: ["level", "pg", "postgres", /^@aws-sdk\//, /^@smithy\//],
    config: false,
    silent: true,
  });
  const start = (round: number) =>
    spawn(process.execPath, [join(outDir, "load.js"), directory, String(round), String(seed)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
  const ledger = new Ledger();
  const wrong: string[] = [];
  const world = await makeWorld(directory);
  let random = seed >>> 0;
  let next = start(1);
  try {
    for (let round = 1; round <= kills && wrong.length === 0; round++) {
      const running = next;
      next = start(round + 1);
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
      const after = { lines: 1 + ((random >>> 8) % MAX_LINES), milliseconds: (random >>> 16) % 40 };
      for (const line of await runAndKill(running, after)) ledger.take(line);
      if (round % LOOK_EVERY !== 0 && round !== kills) continue;
      wrong.push(...(await look(directory, round, world, ledger)).map((it) => `after kill ${round}: ${it}`));
      tell(`${round} kills, ${ledger.acknowledged} acknowledged, ${wrong.length} wrong (seed ${seed})`);
    }
  } finally {
    next.kill("SIGKILL");
    await rm(outDir, { recursive: true, force: true });
  }
  if (wrong.length === 0) await rm(directory, { recursive: true, force: true });
  else wrong.push(`the data is kept in ${directory}`);
  return { kills, acknowledged: ledger.acknowledged, statuses: ledger.statuses, wrong };
}

/** Two organizations with one admin; spaces and collections in the first. */
async function makeWorld(directory: string): Promise<World> {
  const storage = openStorage(directory);
  const api = createDocsApi(storage, { secret: SECRET });
  const { user, token } = await api.provision({
    user: { displayName: "Somebody", email: "somebody@example.com" },
    token: { label: "kills" },
  });
  const ask = askWithToken(api, token!);
  const organizations: string[] = [];
  for (const title of ["One", "Two"]) organizations.push((await ask("POST", "/orgs", { title })).body.id);
  const collections: string[] = [];
  const spaces: string[] = [];
  for (const title of ["Outer", "Other"])
    collections.push((await ask("POST", `/orgs/${organizations[0]}/collections`, { title })).body.id);
  for (const parent of [null, null, collections[0], collections[1]])
    spaces.push((await ask("POST", `/orgs/${organizations[0]}/spaces`, { title: "Space", parent })).body.id);
  const world = { token: token!, user, organizations, collections, spaces };
  await writeFile(join(directory, "world.json"), JSON.stringify(world));
  await api.close();
  await storage.close();
  return world;
}

/** Lets a process that waits begin, kills it some time after it was told so many things, and gives all it was told. */
async function runAndKill(
  child: ChildProcessByStdio<Writable, Readable, null>,
  after: { readonly lines: number; readonly milliseconds: number },
): Promise<Line[]> {
  let output = "";
  let lines = 0;
  const exited = once(child, "close");
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const before = lines;
    lines += text.split("\n").length - 1;
    if (before < after.lines && lines >= after.lines) setTimeout(() => child.kill("SIGKILL"), after.milliseconds);
  });
  child.stdin.write("go\n");
  const [code, signal] = await exited;
  if (signal !== "SIGKILL") throw new Error(`The process ended by itself: ${code}`);
  // Behind the last line end is at most a part of a line.
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** What is not whole once maintain() has done what was left. */
async function look(directory: string, round: number, world: World, ledger: Ledger): Promise<string[]> {
  const wrong: string[] = [];
  const storage = openStorage(directory);
  let ahead = round * AHEAD_MS;
  const api = createDocsApi(storage, { secret: SECRET, now: () => new Date(Date.now() + ahead), onError: () => {} });
  const ask = askWithToken(api, world.token);
  // Half of the lead of the next process: what it writes down comes after what is written here.
  for (let i = 0; i < 3; i++) {
    ahead += AHEAD_MS / 4;
    await api.maintain();
    await startAgain((route) => ask(...(route.replace("/v1", "").split(" ") as [string, string])), world.organizations);
  }
  wrong.push(...(await recount(storage)));
  const { findings } = await verify(storage, { secret: SECRET });
  wrong.push(...findings.map(({ damage, says }) => `verify found ${damage}: ${says}`));
  for (const name of ledger.statuses.keys())
    if (Number(name.split(" ")[1]) >= 500 && !name.endsWith(" 503")) wrong.push(`somebody was told ${name}`);
  const listed = new Map<string, number>();
  for (const organization of world.organizations) {
    const { items, count } = (await ask("GET", `/orgs/${organization}/spaces?limit=1000`)).body;
    if (count !== items.length) wrong.push(`${count} spaces are said to be in a list of ${items.length}`);
    for (const { id } of items) listed.set(id, (listed.get(id) ?? 0) + 1);
  }
  for (const space of world.spaces) {
    if (listed.get(space) !== 1) wrong.push(`${space} stands in lists ${listed.get(space) ?? 0} times`);
    const { status, body } = await ask("GET", `/spaces/${space}`);
    if (status !== 200) wrong.push(`${space} is answered with ${status}`);
    const comments = await everything(ask, `/spaces/${space}/comments`, wrong);
    const open = comments.filter((it) => it.status === "open").length;
    if (body.comments !== open) wrong.push(`${space} has ${body.comments} open comments, ${open} are listed`);
    const there = new Set(comments.map(({ id }) => id));
    for (const [id, known] of ledger.comments)
      if (known.space === space && known.state !== "unknown" && there.has(id) !== (known.state === "there"))
        wrong.push(`the comment ${id} should be ${known.state}`);
    await everything(ask, `/spaces/${space}/change-requests`, wrong);
    for (const { space: of, id } of ledger.proposals) {
      if (of !== space) continue;
      if ((await ask("GET", `/spaces/${space}/change-requests/${id}`)).status !== 200)
        wrong.push(`the change request ${id} is lost`);
    }
    const pages = JSON.stringify((await ask("GET", `/spaces/${space}/content/pages`)).body);
    for (const { space: of, title } of ledger.pages)
      if (of === space && !pages.includes(`"${title}"`)) wrong.push(`the page ${title} is lost`);
  }
  await api.close();
  await storage.close();
  return wrong;
}

async function everything(ask: Ask, path: string, wrong: string[]) {
  const items: { readonly id: string; readonly status: string }[] = [];
  let page = "";
  for (;;) {
    const { body } = await ask("GET", `${path}?limit=1000${page}`);
    items.push(...body.items);
    if (body.next === undefined) {
      if (body.count !== items.length) wrong.push(`${path} says ${body.count}, and has ${items.length}`);
      return items;
    }
    page = `&page=${body.next.page}`;
  }
}
