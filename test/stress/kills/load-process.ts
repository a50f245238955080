// The process that is killed: an API under a mixed load, with transfers between two organizations, while
// maintain() finishes the work of earlier processes. It waits for a line on its input. Each worker writes every answer
// to the output before its next call.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createDocsApi } from "../../../src/index";
import { askWithToken } from "../../support/asking";
import { AHEAD_MS, type Line, openStorage, SECRET, type World } from "./ledger";

const [directory, round, seed] = process.argv.slice(2) as [string, string, string];
const world = JSON.parse(await readFile(join(directory, "world.json"), "utf8")) as World;
await once(process.stdin, "data");

let state = (Number(seed) * 1000 + Number(round)) >>> 0;
function random(below: number): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
}
const one = <T>(list: readonly T[]): T => list[random(list.length)]!;

const api = createDocsApi(openStorage(directory), {
  secret: SECRET,
  now: () => new Date(Date.now() + Number(round) * AHEAD_MS),
  // Half of the processes answer before what follows is done.
  ...(Number(round) % 2 === 0 ? { waitUntil: () => {} } : {}),
  onError: () => {},
});

const askApi = askWithToken(api, world.token);

/** To a pipe this is synchronous: a line that was written survives the process. */
const say = (line: Line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function ask(op: string, method: string, path: string, send?: unknown) {
  const { status, body } = await askApi(method, path, send);
  say({ status, op, ...(status >= 500 && status !== 503 ? { body } : {}) });
  return { isDone: status < 300, body };
}

let made = 0;
const name = () => `${round}-${++made}`;
const mine: { readonly space: string; readonly id: string }[] = [];

const works: Record<string, () => Promise<unknown>> = {
  async comment() {
    const space = one(world.spaces);
    const { isDone, body } = await ask("comment", "POST", `/spaces/${space}/comments`, { body: { markdown: name() } });
    if (!isDone) return;
    say({ post: name(), space, id: body.id });
    mine.push({ space, id: body.id });
  },
  async reply() {
    const subject = mine.at(-1);
    if (!subject) return;
    const path = `/spaces/${subject.space}/comments/${subject.id}/replies`;
    await ask("reply", "POST", path, { body: { markdown: "so" } });
  },
  async deleteComment() {
    const subject = mine.splice(random(mine.length), 1)[0];
    if (!subject) return;
    say({ about: "delete", id: subject.id });
    const { isDone } = await ask("delete-comment", "DELETE", `/spaces/${subject.space}/comments/${subject.id}`);
    if (isDone) say({ about: "deleted", id: subject.id });
  },
  async resolve() {
    const subject = mine[0];
    if (subject) await ask("resolve", "PUT", `/spaces/${subject.space}/comments/${subject.id}`, { resolved: true });
  },
  async write() {
    const [space, title] = [one(world.spaces), name()];
    const changes = [{ operation: "insert_page", title, document: { markdown: `Page ${title}.` } }];
    if ((await ask("write", "POST", `/spaces/${space}/content`, { changes })).isDone) say({ page: title, space });
  },
  async propose() {
    const space = one(world.spaces);
    const { isDone, body } = await ask("propose", "POST", `/spaces/${space}/change-requests`, { subject: name() });
    if (isDone) say({ proposal: body.id, space });
  },
  rename: () => ask("rename", "PATCH", `/spaces/${one(world.spaces)}`, { title: name() }),
  move: () =>
    ask("move", "POST", `/spaces/${one(world.spaces)}/move`, {
      parent: random(2) === 0 ? null : one(world.collections),
    }),
  grant: () =>
    ask("grant", "POST", `/spaces/${one(world.spaces)}/permissions`, { users: [{ id: world.user, role: "edit" }] }),
  transfer: () =>
    ask("transfer", "POST", `/spaces/${one(world.spaces)}/transfer`, { organization: one(world.organizations) }),
  transferCollection: () =>
    ask("transfer-collection", "POST", `/collections/${one(world.collections)}/transfer`, {
      organization: one(world.organizations),
    }),
};
const often = ["comment", "comment", "deleteComment", "reply", "write", "transfer", "transfer", "transferCollection"];
const names = [...Object.keys(works), ...often];

for (let worker = 0; worker < 6; worker++) {
  void (async () => {
    for (;;) await works[one(names)]!();
  })();
}
void (async () => {
  for (;;) {
    await api.maintain();
    await new Promise((done) => setTimeout(done, 50));
  }
})();
