// Merging, updating and editing at once, in one process and in several, on every storage: exactly one outcome, no lost edit,
// and numbers without gaps or doubles.

import type { Storage } from "octavo";
import { describe, expect, test } from "vitest";
import { interleave } from "../../storage/interleave";
import { onFreshStorage } from "../../support/fresh-storage";
import { type Change, interrupted, meeting, process, revisionsOf } from "../../support/processes";
import { type Answer, type Setting, setUp } from "../../support/setting";
import { type Opened, storages } from "../../support/storages";

const page = (title: string): Change => ({
  operation: "insert_page",
  title,
  document: { markdown: `About ${title}.\n` },
});
const rewrite = (id: string, markdown: string): Change => ({
  operation: "update_page",
  page: id,
  document: { markdown },
});

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

describe.each(storages)("on %s", (_, openStorage) => {
  let opened: Opened;
  let setting: Setting;
  let space: string;

  onFreshStorage(openStorage, async (fresh) => {
    opened = fresh;
    setting = await setUp(opened.storage);
    space = (await setting.ask("create", `POST /v1/orgs/${setting.org}/spaces`, { title: "Guide" })).body.id;
  });

  /** A change request with some changes in it. */
  async function propose(...changes: Change[]): Promise<string> {
    const made = await setting.ask("edit", `POST /v1/spaces/${space}/change-requests`, {});
    const path = `/v1/spaces/${space}/change-requests/${made.body.id}`;
    if (changes.length > 0) expect((await setting.ask("edit", `POST ${path}/content`, { changes })).status).toBe(200);
    return path;
  }

  async function writePages(...titles: string[]): Promise<string[]> {
    const { body } = await setting.ask("edit", `POST /v1/spaces/${space}/content`, { changes: titles.map(page) });
    return body.changes.map((it: { page: { id: string } }) => it.page.id);
  }

  const titlesOf = async (path = `/v1/spaces/${space}`): Promise<string[]> =>
    (await setting.ask("edit", `GET ${path}/content/pages`)).body.pages.map((it: { title: string }) => it.title);

  const revisions = () => revisionsOf(setting, space, "edit");

  test("change requests created at once in two processes are numbered without gaps or duplicates", async () => {
    const processes = [process(setting), process(setting)];
    const made = await Promise.all(
      processes.flatMap(({ ask }) =>
        Array.from({ length: 20 }, () => ask("edit", `POST /v1/spaces/${space}/change-requests`, {})),
      ),
    );
    expect(made.map(({ body }) => body.number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
  });

  test("a change request merged by two processes at once is merged once", async () => {
    const path = await propose(page("Proposed"));
    const gated = meeting(opened.storage, 2);
    const inTwo = [process(setting, gated), process(setting, gated)];
    const answers = await Promise.all(inTwo.map(({ ask }) => ask("review", `POST ${path}/merge`)));
    expect(statuses(answers)).toEqual([200, 412]);
    expect(answers.find(({ status }) => status === 412)!.body.error.reason).toBe("already_merged");
    expect((await revisions()).filter(({ type }) => type === "merge").length).toBe(1);
    expect(await titlesOf()).toEqual(["Proposed"]);
  });

  test("two change requests merged at once are both merged", async () => {
    const [one = "", two = ""] = await writePages("One", "Two");
    const paths = [await propose(rewrite(one, "First.\n")), await propose(rewrite(two, "Second.\n"))];
    const gated = meeting(opened.storage, 2);
    const answers = await Promise.all(paths.map((path) => process(setting, gated).ask("review", `POST ${path}/merge`)));
    expect(answers.map(({ status, body }) => [status, body.result])).toEqual([
      [200, "merge"],
      [200, "merge"],
    ]);
    for (const [id, text] of [
      [one, "First.\n"],
      [two, "Second.\n"],
    ])
      expect((await setting.ask("edit", `GET /v1/spaces/${space}/content/page/${id}`)).body.markdown).toBe(text);
    expect((await revisions()).length).toBe(4);
  });

  test("an edit made before a merge commits is part of the merge", async () => {
    const path = await propose(page("Early"));
    const meanwhile = async () =>
      expect((await setting.ask("edit", `POST ${path}/content`, { changes: [page("Late")] })).status).toBe(200);
    const merged = await process(setting, interrupted(opened.storage, meanwhile)).ask("review", `POST ${path}/merge`);
    expect([merged.status, merged.body.result]).toEqual([200, "merge"]);
    expect(await titlesOf()).toEqual(["Early", "Late"]);
  });

  test("an edit of a change request merged before the edit commits is refused", async () => {
    const path = await propose(page("Early"));
    const meanwhile = async () => expect((await setting.ask("review", `POST ${path}/merge`)).status).toBe(200);
    const late = await process(setting, interrupted(opened.storage, meanwhile)).ask("edit", `POST ${path}/content`, {
      changes: [page("Late")],
    });
    expect([late.status, late.body.error.reason]).toEqual([412, "already_merged"]);
    expect(await titlesOf()).toEqual(["Early"]);
    expect(await titlesOf(path)).toEqual(["Early"]);
  });

  test("what is written into the space before a merge commits stays", async () => {
    const [one = ""] = await writePages("One");
    const path = await propose(rewrite(one, "Proposed.\n"), page("Proposed"));
    const meanwhile = () => writePages("Meanwhile");
    const merged = await process(setting, interrupted(opened.storage, meanwhile)).ask("review", `POST ${path}/merge`);
    expect(merged.body.result).toBe("merge");
    expect((await titlesOf()).toSorted()).toEqual(["Meanwhile", "One", "Proposed"]);
  });

  test("a conflict that appears during a merge merges nothing", async () => {
    const [one = ""] = await writePages("One");
    const path = await propose(rewrite(one, "Proposed.\n"));
    const meanwhile = async () =>
      expect(
        (await setting.ask("edit", `POST /v1/spaces/${space}/content`, { changes: [rewrite(one, "Meanwhile.\n")] }))
          .status,
      ).toBe(200);
    const merged = await process(setting, interrupted(opened.storage, meanwhile)).ask("review", `POST ${path}/merge`);
    expect([merged.status, merged.body.result]).toEqual([200, "conflicts"]);
    expect((await setting.ask("edit", `GET /v1/spaces/${space}/content/page/${one}`)).body.markdown).toBe(
      "Meanwhile.\n",
    );
    expect((await setting.ask("edit", `GET ${path}/content/page/${one}`)).body.markdown).toContain("Proposed.");
    expect((await setting.ask("edit", `GET ${path}`)).body.status).not.toBe("merged");
  });

  test("no edit of editors, mergers and updaters is lost in any order of their calls", async () => {
    for (let seed = 1; seed <= SEEDS; seed++) await playOnce(opened.storage, seed);
  });

  /** How many orders are tried on a storage. */
  const SEEDS = 8;

  async function playOnce(storage: Storage, seed: number): Promise<void> {
    space = (await setting.ask("create", `POST /v1/orgs/${setting.org}/spaces`, { title: `Guide ${seed}` })).body.id;
    await writePages("First");
    const [mine, other] = [await propose(page("Mine 0")), await propose(page("Other 0"))];
    const { storageFor, run } = interleave(storage, seed);
    const inSpace = ["First"];
    const inMine = ["Mine 0"];
    let merges = 0;
    const writer = (task: number, path: string, name: string, kept: string[]) => async () => {
      const { ask } = process(setting, storageFor(task));
      for (let n = 1; n <= 2; n++) {
        const title = `${name} ${n}`;
        const { status, body } = await ask("edit", `POST ${path}/content`, { changes: [page(title)] });
        if (status === 200) kept.push(title);
        else expect([body.error.reason, path]).toEqual(["already_merged", mine]);
      }
    };
    const merger = (task: number, path: string) => async () => {
      const { status, body } = await process(setting, storageFor(task)).ask("review", `POST ${path}/merge`);
      if (status === 200 && path === mine) merges++;
      if (status !== 200) expect(body.error.reason).toBe("already_merged");
    };
    const updater = (task: number) => async () => {
      const { status, body } = await process(setting, storageFor(task)).ask("edit", `POST ${mine}/update`);
      if (status !== 200) expect(body.error.reason).toBe("already_merged");
    };
    await run(
      [
        writer(0, `/v1/spaces/${space}`, "Space", inSpace),
        writer(1, mine, "Mine", inMine),
        merger(2, mine),
        merger(3, mine),
        merger(4, other),
        updater(5),
      ],
      async () => {},
    );
    expect(merges, `seed ${seed}`).toBe(1);
    expect((await titlesOf()).toSorted(), `seed ${seed}`).toEqual([...inSpace, ...inMine, "Other 0"].toSorted());
    expect((await revisions()).filter(({ type }) => type === "merge").length).toBe(2);
    for (const path of [mine, other]) {
      const { body } = await setting.ask("edit", `GET ${path}`);
      expect([body.status, (await revisions()).some(({ id }) => id === body.revisionMerged)]).toEqual(["merged", true]);
    }
  }
});
