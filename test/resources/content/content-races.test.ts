// Many writers of one space at once, in one process and in several: no edit is lost, revisions are numbered without gaps or
// doubles, and what happens to the space in between is seen.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { watch } from "../../invariants/faults";
import { interleave } from "../../storage/interleave";
import { onFreshStorage } from "../../support/fresh-storage";
import { type Change, interrupted, meeting, process, revisionsOf } from "../../support/processes";
import { type Answer, DAY, HOUR, MINUTE, open, type Person, type Setting, setUp } from "../../support/setting";
import { type Opened, storages } from "../../support/storages";
import { runs } from "../../support/test-length";
import { through } from "../../support/through";

const page = (title: string, more: object = {}): Change => ({
  operation: "insert_page",
  title,
  document: { markdown: `About ${title}.\n` },
  ...more,
});

async function makeSpace({ ask, org }: Setting): Promise<string> {
  const { status, body } = await ask("create", `POST /v1/orgs/${org}/spaces`, { title: "Guide" });
  expect(status).toBe(201);
  return body.id;
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

/** The titles of the pages at the top of a space, and the numbers of its revisions from the first on. */
async function contentOf(setting: Setting, space: string, as: Person = "admin") {
  const { pages } = (await setting.ask(as, `GET /v1/spaces/${space}/content/pages`)).body;
  const revisions = await revisionsOf(setting, space, as);
  return { titles: (pages as { title: string }[]).map(({ title }) => title), revisions };
}

describe.each(storages)("on %s", (_, openStorage) => {
  let opened: Opened;
  let setting: Setting;
  let space: string;

  onFreshStorage(openStorage, async (fresh) => {
    opened = fresh;
    setting = await setUp(opened.storage);
    space = await makeSpace(setting);
  });

  test("twenty writers in one process all succeed", async () => {
    const { write } = process(setting);
    const names = Array.from({ length: 20 }, (_, i) => `Page ${i}`);
    const answers = await Promise.all(names.map((name) => write(space, [page(name)])));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const { titles, revisions } = await contentOf(setting, space);
    expect(titles.toSorted()).toEqual(names.toSorted());
    expect(revisions.length).toBe(21);
    expect(new Set(revisions.map(({ id }) => id))).toEqual(
      new Set([revisions[0]!.id, ...answers.map((it) => it.body.revision)]),
    );
  });

  test("two processes that write at once lose no edit of either page", async () => {
    const made = (await process(setting).write(space, [page("One"), page("Two")])).body.changes;
    const ids = made.map((it: { page: { id: string } }) => it.page.id) as string[];
    const processes = [process(setting), process(setting)];
    const answers = await Promise.all(
      processes.flatMap(({ write }, p) =>
        Array.from({ length: 8 }, (_, n) =>
          write(space, [
            page(`Page ${p} ${n}`),
            { operation: "update_page", page: ids[p], document: { markdown: `Written ${n}.\n` } },
          ]),
        ),
      ),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const { titles, revisions } = await contentOf(setting, space);
    expect(revisions.length).toBe(18);
    expect(titles.length).toBe(18);
    for (const [p, id] of ids.entries()) {
      // Each process writes in its own order, so the last text is that of its last revision.
      const order = new Map(revisions.map(({ id, number }) => [id, number]));
      const mine = answers.slice(p * 8, p * 8 + 8).map(({ body }) => order.get(body.revision)!);
      const last = mine.indexOf(Math.max(...mine));
      expect((await setting.ask("read", `GET /v1/spaces/${space}/content/page/${id}`)).body.markdown).toBe(
        `Written ${last}.\n`,
      );
    }
  });

  test("of two writes based on one revision, one succeeds and the other learns the new revision", async () => {
    const { revision } = (await setting.ask("read", `GET /v1/spaces/${space}`)).body;
    const match = { "if-match": `"${revision}"` };
    const gated = meeting(opened.storage, 2);
    const inTwo = [process(setting, gated), process(setting, gated)];
    const inOne = process(setting);
    for (const writers of [inTwo, [inOne, inOne]]) {
      const now = (await setting.ask("read", `GET /v1/spaces/${space}`)).body.revision;
      const header = writers === inTwo ? match : { "if-match": `"${now}"` };
      const answers = await Promise.all(writers.map(({ write }, i) => write(space, [page(`Page ${i}`)], header)));
      expect(statuses(answers)).toEqual([200, 412]);
      const [won, lost] = answers.toSorted((a, b) => a.status - b.status) as [Answer, Answer];
      expect(lost.body.error.reason).toBe("precondition_failed");
      expect(lost.headers.get("etag")).toContain(`"${won.body.revision}`);
      // With what it heard it can go on.
      const again = await inOne.write(space, [page("Again")], { "if-match": lost.headers.get("etag")! });
      expect(again.status).toBe(200);
    }
    expect((await contentOf(setting, space)).revisions.length).toBe(5);
  });

  test("a write sent twice with one Idempotency-Key is one revision", async () => {
    const gated = meeting(opened.storage, 2);
    const writers = [process(setting, gated), process(setting, gated)];
    const once = { "idempotency-key": "once" };
    const apart = await Promise.all(writers.map(({ write }) => write(space, [page("Once")], once)));
    const one = process(setting);
    const twice = { "idempotency-key": "twice" };
    const together = await Promise.all([one, one].map(({ write }) => write(space, [page("Twice")], twice)));
    for (const [first, second] of [apart, together]) {
      expect(first!.status).toBe(200);
      expect(second!.body).toEqual(first!.body);
    }
    const { titles, revisions } = await contentOf(setting, space);
    expect(titles).toEqual(["Once", "Twice"]);
    expect(revisions.length).toBe(3);
    expect((await one.write(space, [page("Other")], once)).body.error.reason).toBe("idempotency_key_reused");
  });

  test.each<[string, Person, string, unknown, number, string]>([
    ["locked", "create", "PATCH /v1/spaces/SPACE", { editMode: "locked" }, 412, "space_locked"],
    ["deleted", "create", "DELETE /v1/spaces/SPACE", undefined, 404, "space_not_found"],
    ["closed to the writer", "create", "PATCH /v1/spaces/SPACE", { defaultLevel: null }, 404, "space_not_found"],
    [
      "open to the writer for reading only",
      "create",
      "PATCH /v1/spaces/SPACE",
      { defaultLevel: "read" },
      403,
      "forbidden",
    ],
  ])("a write into a space that is %s meanwhile changes nothing", async (_, as, route, send, status, reason) => {
    const before = (await contentOf(setting, space)).revisions;
    const meanwhile = async () => {
      const answer = await setting.ask(as, route.replace("SPACE", space), send);
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    };
    const answer = await process(setting, interrupted(opened.storage, meanwhile)).write(space, [page("Late")]);
    expect([answer.status, answer.body.error.reason]).toEqual([status, reason]);
    if (status !== 404 || reason !== "space_not_found" || route.startsWith("PATCH"))
      expect((await contentOf(setting, space)).revisions).toEqual(before);
    else {
      expect((await setting.ask("admin", `POST /v1/spaces/${space}/restore`)).status).toBe(200);
      expect((await contentOf(setting, space)).revisions).toEqual(before);
    }
  });

  test("a write into a space in transfer follows it to the other organization", async () => {
    const { ask, org, otherOrg } = setting;
    for (const person of ["admin", "edit"] as const) {
      const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
      await ask(person, `POST /v1/orgs/${otherOrg}/invites/${door}`);
    }
    await process(setting).write(space, [page("Early")]);
    const meanwhile = async () => {
      expect((await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg })).status).toBe(200);
      expect((await ask("admin", `GET /v1/spaces/${space}`)).body.organization).toBe(otherOrg);
    };
    const answer = await process(setting, interrupted(opened.storage, meanwhile)).write(space, [page("Late")]);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { titles, revisions } = await contentOf(setting, space);
    expect(titles).toEqual(["Early", "Late"]);
    expect(revisions.at(-1)!.id).toBe(answer.body.revision);
    expect((await ask("admin", `GET /v1/orgs/${org}/spaces`)).body.count).toBe(0);
  });
});

describe("transfers beside writers, in seeded order", () => {
  /** Everybody who matters may write on both sides. */
  async function prepare() {
    const storage = memoryStorage();
    const setting = await setUp(storage);
    const { ask, otherOrg } = setting;
    for (const person of ["admin", "edit"] as const) {
      const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
      await ask(person, `POST /v1/orgs/${otherOrg}/invites/${door}`);
    }
    const space = await makeSpace(setting);
    await process(setting).write(space, [page("First")]);
    return { storage, setting, space };
  }
  let prepared: ReturnType<typeof prepare> | undefined;

  /** The same beginning, on a storage of its own. */
  async function begin() {
    prepared ??= prepare();
    const { storage: kept, setting: first, space } = await prepared;
    const storage = kept.copy();
    const { api, clock, askWith } = open(storage);
    clock.now = first.clock.now;
    const ask: Setting["ask"] = (as, ...rest) => askWith(as && first.tokens[as], ...rest);
    const setting: Setting = { ...first, storage, api, clock, ask, askWith };
    return { storage, setting, space };
  }

  const SEEDS = runs(24);

  /** Maintains until nothing is left to do, and sweeps. */
  async function tidy({ api, clock }: Setting): Promise<void> {
    for (let round = 0; round < 3; round++) {
      clock.forward(2 * HOUR);
      await api.maintain();
    }
    clock.forward(2 * DAY);
    await api.maintain();
  }

  /** What was written, according to the answers, is there, once, and can be read with its history. */
  async function checkKept(setting: Setting, space: string, written: readonly string[]): Promise<void> {
    const { titles, revisions } = await contentOf(setting, space);
    expect(titles.toSorted()).toEqual(["First", ...written].toSorted());
    expect(revisions.length).toBe(titles.length + 1);
    for (const { id } of revisions) {
      const { status, body } = await setting.ask("admin", `GET /v1/spaces/${space}/revisions/${id}`);
      expect(status).toBe(200);
      for (const { id: at, title } of body.pages) {
        const found = await setting.ask("admin", `GET /v1/spaces/${space}/revisions/${id}/page/${at}`);
        expect(found.body.markdown).toBe(`About ${title}.\n`);
      }
    }
  }

  test("a transfer beside writers loses no edit, wherever the space is", async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { storage, setting, space } = await begin();
      const { storageFor, run } = interleave(storage, seed);
      const written: string[] = [];
      const writer = (task: number) => async () => {
        const { write } = process(setting, storageFor(task));
        for (let n = 0; n < 3; n++) {
          const title = `Page ${task} ${n}`;
          const { status, body } = await write(space, [page(title)]);
          // At the switch a space is read and not written for a moment.
          if (status === 200) written.push(title);
          else expect([status, body.error.reason]).toEqual([503, "transfer_busy"]);
        }
      };
      const transfer = async () => {
        const { ask } = process(setting, storageFor(2));
        const { status } = await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: setting.otherOrg });
        expect(status).toBe(200);
      };
      await run([writer(0), writer(1), transfer], async () => {});
      await tidy(setting);
      expect((await setting.ask("admin", `GET /v1/spaces/${space}`)).body.organization, `seed ${seed}`).toBe(
        setting.otherOrg,
      );
      await checkKept(setting, space, written);
    }
  });

  test("a space that returns before its first transfer was cleaned up keeps everything", async () => {
    /** Stops the first transfer at a call; the work that it left is done before a commit of the second. */
    const play = async (call: number, commit: number) => {
      const { storage, setting, space } = await begin();
      const { ask, org, otherOrg, clock, api } = setting;
      const watched = watch(storage);
      watched.failAt(call, "crash");
      const route = `POST /v1/spaces/${space}/transfer`;
      await process(setting, watched, { onError: () => {} }).ask("admin", route, { organization: otherOrg });
      if ((await ask("admin", `GET /v1/spaces/${space}`)).body.organization !== otherOrg) return "not there";
      if (watched.calls.total < call) return "not stopped";
      clock.forward(2 * MINUTE);
      let commits = 0;
      const second = through(storage, {
        async commit(_, go) {
          if (++commits === commit) await api.maintain();
          return go();
        },
      });
      const back = () => process(setting, second).ask("admin", route, { organization: org });
      const { status, body } = await back();
      // Whoever was stopped right behind the switch has left the space without its place: it can be sent when it has one.
      if (status !== 200) {
        expect([status, body.error.reason]).toEqual([409, "transfer_under_way"]);
        await tidy(setting);
        expect((await back()).status).toBe(200);
      }
      await tidy(setting);
      expect((await ask("admin", `GET /v1/spaces/${space}`)).body.organization, `${call} ${commit}`).toBe(org);
      await checkKept(setting, space, []);
      return commits < commit ? "no such commit" : "played";
    };
    const seen = new Map<string, number>();
    for (let call = 1, last = ""; last !== "not stopped"; call += last === "not there" ? 6 : 3) {
      last = await play(call, 1);
      for (let commit = 3, state = last; state === "played"; commit += 4) {
        state = await play(call, commit);
        seen.set(state, (seen.get(state) ?? 0) + 1);
      }
    }
    expect(seen.get("played")).toBeGreaterThan(5);
  });
});
