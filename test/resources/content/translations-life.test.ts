// The life of a translation: it follows its source, survives crashes without doing a page twice, keeps what people changed,
// and ends sanely when one of its spaces goes.

import type { DocsApiOptions, Storage, Translator } from "octavo";
import { memoryStorage } from "octavo/memory";
import { TranslatorError } from "octavo/translators";
import { describe, expect, test } from "vitest";
import { reversed } from "../../content/translation/translators";
import { until } from "../../support/patience";
import { DAY, dump, MINUTE, open, type Person, type Setting, setUp } from "../../support/setting";

const translator: Translator = async ({ texts }) => texts.map(reversed);

async function stage(options: DocsApiOptions = {}, pages = 3) {
  const storage = memoryStorage();
  const setting = await setUp(storage, { translator, onError: () => {}, ...options });
  const { ask, org } = setting;
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id as string;
  const ids: string[] = [];
  for (let from = 0; from < pages; from += 50) {
    const changes = Array.from({ length: Math.min(50, pages - from) }, (_, i) => ({
      operation: "insert_page",
      title: `Page ${from + i}`,
      document: { markdown: `Text of number ${from + i}.\n\nSecond line.` },
    }));
    const { body } = await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
    ids.push(...body.changes.map((it: { page: { id: string } }) => it.page.id));
  }
  return { ...setting, space, pages: ids };
}

type Stage = Awaited<ReturnType<typeof stage>>;

async function translated(it: Stage, as: Person = "create") {
  const made = await it.ask(as, `POST /v1/orgs/${it.org}/translations`, {
    language: "de",
    source: { space: it.space },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const at = `/v1/orgs/${it.org}/translations/${made.body.id}`;
  return { at, result: made.body.result.space as string, get: async () => (await it.ask("admin", `GET ${at}`)).body };
}

const write = ({ ask }: Pick<Setting, "ask">, space: string, page: string, markdown: string, as: Person = "admin") =>
  ask(as, `POST /v1/spaces/${space}/content`, {
    changes: [{ operation: "update_page", page, document: { markdown } }],
  });

const markdownOf = async ({ ask }: Pick<Setting, "ask">, space: string, page: string) =>
  (await ask("admin", `GET /v1/spaces/${space}/content/page/${page}`)).body.markdown as string;

/** What is stored of translations; a total that is back at nothing stays as 0. */
async function leftOf({ storage }: Pick<Setting, "storage">): Promise<string[]> {
  const entries = [...(await dump(storage))].filter(([key, value]) => key.includes("translat") && value !== "0");
  return entries.map(([key]) => key);
}

/** Time passes, and somebody does the work that waits. */
async function later({ api, clock }: Pick<Setting, "api" | "clock">, ms = MINUTE) {
  clock.forward(ms);
  await api.maintain();
}

describe("following the source", () => {
  test("a change to the source is translated, and nothing else is", async () => {
    const asked: string[] = [];
    const it = await stage({
      translator: async ({ texts }) => {
        asked.push(...texts);
        return texts.map(reversed);
      },
    });
    const { result, get } = await translated(it);
    const before = await get();
    asked.length = 0;
    await write(it, it.space, it.pages[1]!, "Text of number 1.\n\nOther words.");
    expect(asked).toEqual([]);
    await later(it);
    expect(asked).toEqual(["Other words."]);
    expect(await markdownOf(it, result, it.pages[1]!)).toBe("txeTq foq rebmunq 1.\n\nrehtOq sdrowq.");
    const after = await get();
    expect(after).toMatchObject({ status: "completed", stats: { runs: 2, latestPages: 1, latestWords: 2 } });
    expect(after.result.revision).not.toBe(before.result.revision);
    expect(after.stats.totalPages).toBe(before.stats.totalPages + 1);
  });

  test("changes in quick succession leave one job", async () => {
    const it = await stage({ translator: async ({ texts }) => texts.map(reversed) });
    const { result, get } = await translated(it);
    // From the beginning of five seconds.
    it.clock.forward(5000 - (it.clock.now.getTime() % 5000));
    for (let i = 0; i < 5; i++) {
      await write(it, it.space, it.pages[1]!, `Words ${i}.`);
      it.clock.forward(900);
    }
    const jobs = await it.ask("admin", `GET /v1/orgs/${it.org}/jobs?status=waiting`);
    expect(jobs.body.items.map((job: { step: string }) => job.step)).toEqual(["run-translation"]);
    await later(it);
    expect(await markdownOf(it, result, it.pages[1]!)).toBe("sdroWq 4.");
    expect(await get()).toMatchObject({ status: "completed", stats: { runs: 2 } });
  });

  test("a change among many pages is found, and nothing else is translated again", async () => {
    const asked: string[] = [];
    const it = await stage(
      {
        translator: async ({ texts }) => {
          asked.push(...texts);
          return texts.map(reversed);
        },
      },
      230,
    );
    const shared = [{ operation: "insert_reusable_content", title: "Shared", document: { markdown: "Shared words." } }];
    const { body } = await it.ask("admin", `POST /v1/spaces/${it.space}/content`, { changes: shared });
    const { result, get } = await translated(it);
    for (let n = 0; n < 5; n++) await later(it);
    expect(await get()).toMatchObject({ status: "completed", stats: { totalPages: 230 } });
    const last = it.pages.toSorted().at(-1)!;
    for (const [change, words] of [
      [{ operation: "update_page", page: last, document: { markdown: "Last words." } }, "Last words."],
      [
        {
          ...{ operation: "update_reusable_content", reusableContent: body.changes[0].reusableContent },
          document: { markdown: "Other words." },
        },
        "Other words.",
      ],
    ] as const) {
      asked.length = 0;
      await it.ask("admin", `POST /v1/spaces/${it.space}/content`, { changes: [change] });
      await later(it);
      expect(asked).toEqual([words]);
      expect((await get()).status).toBe("completed");
    }
    expect(await markdownOf(it, result, last)).toBe("tsaLq sdrowq.");
  });

  test("links to headings lead to them in the result, by any rule that names them", async () => {
    const asked: string[] = [];
    const it = await stage({
      translator: async ({ texts }) => {
        asked.push(...texts);
        return texts.map(reversed);
      },
    });
    const [target, from] = it.pages as [string, string];
    const headings = "# The guide\n\n## What's new?\n\n## Notes\n\n### Notes\n\n## Known {#stated}\n";
    await write(it, it.space, target, headings);
    const to = `/pages/${target}`;
    const links = `[a](${to}#whats-new) [b](${to}#what-s-new) [c](${to}#notes-1) [d](${to}#the-guide) [e](${to}#stated) [f](${to}#gone)`;
    await write(it, it.space, from, `${links}\n`);
    const { result } = await translated(it);
    const statusOf = async (space: string) =>
      (await it.ask("admin", `GET /v1/spaces/${space}/content/page/${from}/links`)).body;
    const anchored = `## tahWq'sq wenq? <a href="#whats-new" id="whats-new"></a>\n\n## setoNq <a href="#notes" id="notes"></a>\n\n### setoNq <a href="#notes-1" id="notes-1"></a>\n\n## nwonKq <a href="#known-stated" id="known-stated"></a> {#stated}\n`;
    expect(await markdownOf(it, result, target)).toBe(`# ehTq ediugq\n\n${anchored}`);
    expect(await markdownOf(it, result, from)).toBe(
      `[aq](${to}#whats-new) [bq](${to}#whats-new) [cq](${to}#notes-1) [dq](${to}) [eq](${to}#known-stated) [fq](${to}#gone)\n`,
    );
    for (const space of [it.space, result]) expect((await statusOf(space)).stats.broken.total).toBe(1);
    asked.length = 0;
    await write(it, it.space, target, `${headings}\nMore words.\n`);
    await later(it);
    expect(asked).toEqual(["More words."]);
    expect(await markdownOf(it, result, target)).toBe(`# ehTq ediugq\n\n${anchored}\neroMq sdrowq.\n`);
  });

  test("pages are created, moved and deleted as in the source", async () => {
    const it = await stage();
    const { result } = await translated(it);
    await it.ask("admin", `POST /v1/spaces/${it.space}/content`, {
      changes: [
        { operation: "delete_page", page: it.pages[0] },
        { operation: "move_page", page: it.pages[2], into: it.pages[1] },
        { operation: "insert_page", title: "New page", slug: "new", document: { markdown: "New." } },
      ],
    });
    await later(it);
    type Page = { id: string; title: string; slug: string; pages: Page[] };
    const tree = (pages: Page[]): unknown => pages.map((page) => [page.id, page.slug, tree(page.pages)]);
    const pagesOf = async (space: string) =>
      (await it.ask("admin", `GET /v1/spaces/${space}/content/pages`)).body.pages as Page[];
    const [source, followed] = [await pagesOf(it.space), await pagesOf(result)];
    expect(tree(followed)).toEqual(tree(source));
    expect(followed.map((page) => page.title)).toEqual(["egaPq 1", "weNq egapq"]);
  });

  test("a merged change request starts a run", async () => {
    const it = await stage();
    const { result } = await translated(it);
    const at = `/v1/spaces/${it.space}/change-requests`;
    const { id } = (await it.ask("admin", `POST ${at}`, { subject: "Change" })).body;
    const changes = [{ operation: "update_page", page: it.pages[0], document: { markdown: "Merged." } }];
    await it.ask("admin", `POST ${at}/${id}/content`, { changes });
    await it.ask("admin", `POST ${at}/${id}/merge`);
    await later(it);
    expect(await markdownOf(it, result, it.pages[0]!)).toBe("degreMq.");
  });

  test("edits in the result stay until the source changes the same", async () => {
    const it = await stage();
    const { result } = await translated(it);
    await write(it, result, it.pages[0]!, "txeTq foq rebmunq 0.\n\nBetter words.", "create");
    await write(it, it.space, it.pages[1]!, "Elsewhere.");
    await later(it);
    expect(await markdownOf(it, result, it.pages[0]!)).toBe("txeTq foq rebmunq 0.\n\nBetter words.");
    expect(await markdownOf(it, result, it.pages[1]!)).toBe("erehweslEq.");
    await write(it, it.space, it.pages[0]!, "New text of number 0.\n\nSecond line.");
    await later(it);
    expect(await markdownOf(it, result, it.pages[0]!)).toBe("weNq txetq foq rebmunq 0.\n\nBetter words.");
    await write(it, it.space, it.pages[0]!, "New text of number 0.\n\nThird line.");
    await later(it);
    expect(await markdownOf(it, result, it.pages[0]!)).toBe("weNq txetq foq rebmunq 0.\n\ndrihTq enilq.");
  });

  test("content that changes during translation is translated in the end", async () => {
    let writing: (() => Promise<unknown>) | undefined;
    const it = await stage({
      translator: async ({ texts }) => {
        const change = writing;
        writing = undefined;
        await change?.();
        return texts.map(reversed);
      },
    });
    writing = () => write(it, it.space, it.pages[2]!, "Changed meanwhile.");
    const { result, get } = await translated(it);
    await later(it);
    expect(await markdownOf(it, result, it.pages[2]!)).toBe("degnahCq elihwnaemq.");
    expect((await get()).status).toBe("completed");
  });
});

test("text that kept its source is retried only by a run that a person starts", async () => {
  let isBroken = true;
  const it = await stage({
    translator: async ({ texts }) => texts.map((text) => (isBroken && text === "Second line." ? "" : reversed(text))),
  });
  const { at, result, get } = await translated(it);
  const pages = [...it.pages].sort().map((page) => ({ page, count: 1 }));
  expect(await get()).toMatchObject({ status: "completed", untranslated: { count: 3, pages } });
  expect(await markdownOf(it, result, it.pages[0]!)).toBe("txeTq foq rebmunq 0.\n\nSecond line.");
  isBroken = false;
  await write(it, it.space, it.pages[1]!, "Other.");
  await later(it);
  expect(await get()).toMatchObject({ untranslated: { count: 2 }, stats: { latestPages: 1 } });
  await it.ask("create", `POST ${at}/run`);
  const after = await get();
  expect(after.untranslated).toBeUndefined();
  expect(after.stats).toMatchObject({ runs: 3, latestPages: 2, latestWords: 4 });
  expect(await markdownOf(it, result, it.pages[0]!)).toBe("txeTq foq rebmunq 0.\n\ndnoceSq enilq.");
});

describe("crashes", () => {
  /** A process that dies while it translates: nothing that it asks for is answered any more. */
  async function crashAfter(answers: number, pages: number) {
    const done = new Map<string, number>();
    let [left, isDead] = [answers, false];
    const counting: Translator = async ({ texts }) => {
      if (isDead || left-- <= 0) {
        isDead = true;
        return new Promise(() => {});
      }
      for (const text of texts) done.set(text, (done.get(text) ?? 0) + 1);
      return texts.map(reversed);
    };
    const it = await stage({ translator: counting, waitUntil: () => {} }, pages);
    const made = await translated(it);
    await until(() => expect(isDead).toBe(true));
    for (let turns = 0; turns < 50; turns++) await new Promise((next) => setTimeout(next, 1));
    return { it, made, done };
  }

  function nextProcess({ storage, clock }: { storage: Storage; clock: Setting["clock"] }, done: Map<string, number>) {
    const next = open(storage, {
      now: () => clock.now,
      translator: async ({ texts }) => {
        for (const text of texts) done.set(text, (done.get(text) ?? 0) + 1);
        return texts.map(reversed);
      },
    });
    return { api: next.api, clock };
  }

  test("two crashes at one page fail the run", async () => {
    const { it, made, done } = await crashAfter(0, 3);
    let hasBegun = false;
    const translator = () => {
      hasBegun = true;
      return new Promise<never>(() => {});
    };
    const never = open(it.storage, { now: () => it.clock.now, translator });
    it.clock.forward(10 * MINUTE);
    void never.api.maintain();
    await until(() => expect(hasBegun).toBe(true));
    await later(nextProcess(it, done), 10 * MINUTE);
    expect(await made.get()).toMatchObject({
      status: "failed",
      error: "The server ended 2 times while it was at it, so it is not tried again by itself.",
    });
    expect(done.size).toBe(0);
  });

  test("a run interrupted within 500 pages continues and translates no page twice", async () => {
    const { it, made, done } = await crashAfter(250, 500);
    const before = [...done.keys()].filter((text) => text.startsWith("Text of")).length;
    expect(before).toBe(250);
    const stopped = await made.get();
    expect(stopped).toMatchObject({ status: "running", progress: { total: 500, step: "translating" } });
    // Of those that were answered, a few were not saved.
    expect(stopped.progress.done).toBeLessThanOrEqual(250);
    expect(stopped.progress.done).toBeGreaterThan(240);
    const jobs = (await it.ask("admin", `GET /v1/orgs/${it.org}/jobs`)).body.items;
    expect(jobs.find(({ step }: { step: string }) => step === "run-translation").progress).toEqual(stopped.progress);
    await later(nextProcess(it, done), 10 * MINUTE);
    await later(nextProcess(it, done), 10 * MINUTE);
    const after = await made.get();
    expect(after.progress).toBeUndefined();
    expect(after).toMatchObject({ status: "completed", stats: { runs: 1, totalPages: 500 } });
    const pages = [...done].filter(([text]) => text.startsWith("Text of"));
    expect(pages.length).toBe(500);
    expect(pages.filter(([, times]) => times !== 1)).toEqual([]);
    expect(await markdownOf(it, made.result, it.pages[499]!)).toBe("txeTq foq rebmunq 499.\n\ndnoceSq enilq.");
  });

  test("a run in progress is not started by anyone else", async () => {
    const { it, made, done } = await crashAfter(2, 20);
    await later(nextProcess(it, done), 2 * MINUTE);
    expect((await made.get()).status).toBe("running");
    expect([...done.values()].every((times) => times <= 2)).toBe(true);
    await later(nextProcess(it, done), 10 * MINUTE);
    expect((await made.get()).status).toBe("completed");
  });

  test("an outage is retried, and finished translations are not repeated", async () => {
    let [left, isDown] = [4, true];
    const done: string[] = [];
    const it = await stage(
      {
        translator: async ({ texts }) => {
          if (isDown && left-- <= 0) throw new TranslatorError("unavailable", "The translator is busy.");
          done.push(...texts);
          return texts.map(reversed);
        },
      },
      12,
    );
    const { get } = await translated(it);
    expect(await get()).toMatchObject({ status: "running", error: "The translator is busy." });
    isDown = false;
    await later(it);
    const after = await get();
    expect(after).toMatchObject({ status: "completed", stats: { runs: 1, totalPages: 12 } });
    expect(after.error).toBeUndefined();
    expect(done.filter((text) => text.startsWith("Text of")).sort()).toEqual(
      Array.from({ length: 12 }, (_, i) => `Text of number ${i}.`).sort(),
    );
  });

  test("a permanent outage fails the translation without revealing the error, until a person starts it again", async () => {
    let isDown = true;
    const it = await stage({
      translator: async ({ texts }) => {
        if (isDown) throw new Error("secret-key");
        return texts.map(reversed);
      },
    });
    const { get, at } = await translated(it);
    for (let i = 0; i < 15; i++) await later(it, 120 * MINUTE);
    expect(await get()).toMatchObject({
      status: "failed",
      error:
        "An unexpected error occurred. If it occurs again, contact the operator of the server, whose log has the details.",
    });
    isDown = false;
    await later(it, 120 * MINUTE);
    expect((await get()).status).toBe("failed");
    await it.ask("create", `POST ${at}/run`);
    expect((await get()).status).toBe("completed");
  });
});

describe("the end of a translation", () => {
  const result = async (it: Stage, space: string, as: Person) => (await it.ask(as, `GET /v1/spaces/${space}`)).status;

  test("a source in the trash pauses its translation, which continues after it is restored", async () => {
    const it = await stage();
    const { get, at, result: to } = await translated(it);
    await it.ask("admin", `DELETE /v1/spaces/${it.space}`);
    await it.ask("create", `POST ${at}/run`);
    expect(await get()).toMatchObject({ status: "failed", error: "The source space was deleted." });
    await it.ask("admin", `POST /v1/spaces/${it.space}/restore`);
    await write(it, it.space, it.pages[0]!, "Back.");
    await later(it);
    expect(await get()).toMatchObject({ status: "completed" });
    expect(await markdownOf(it, to, it.pages[0]!)).toBe("kcaBq.");
  });

  test("a purged source leaves the result to its creator", async () => {
    const it = await stage();
    const { at, result: to } = await translated(it);
    expect(await result(it, to, "read")).toBe(200);
    await it.ask("admin", `DELETE /v1/spaces/${it.space}`);
    await later(it, 8 * DAY);
    expect((await it.ask("admin", `GET ${at}`)).status).toBe(404);
    expect(await result(it, to, "create")).toBe(200);
    expect(await result(it, to, "read")).toBe(404);
    expect(await markdownOf(it, to, it.pages[0]!)).toBe("txeTq foq rebmunq 0.\n\ndnoceSq enilq.");
    expect(await leftOf(it)).toEqual([]);
  });

  test("a purged result ends its translation, and the source can be translated again", async () => {
    const it = await stage();
    const { at, result: to } = await translated(it);
    await it.ask("admin", `DELETE /v1/spaces/${to}`);
    await it.ask("create", `POST ${at}/run`);
    expect((await it.ask("admin", `GET ${at}`)).body).toMatchObject({
      status: "failed",
      error: "The translated space was deleted.",
    });
    await later(it, 8 * DAY);
    expect((await it.ask("admin", `GET ${at}`)).status).toBe(404);
    await translated(it);
  });

  test.each(["source", "result"] as const)(
    "a %s that moves to another organization ends the translation",
    async (which) => {
      const it = await stage();
      const { at, result: to } = await translated(it, "admin");
      const door = (await it.ask("rival", `POST /v1/orgs/${it.otherOrg}/link-invites`, { role: "create" })).body.id;
      await it.ask("admin", `POST /v1/orgs/${it.otherOrg}/invites/${door}`);
      const gone = which === "source" ? it.space : to;
      const { status } = await it.ask("admin", `POST /v1/spaces/${gone}/transfer`, { organization: it.otherOrg });
      expect(status).toBe(200);
      await later(it);
      expect((await it.ask("admin", `GET ${at}`)).status).toBe(404);
      expect(await result(it, it.space, "admin")).toBe(200);
      expect(await result(it, to, "admin")).toBe(200);
      expect(await result(it, to, "read")).toBe(404);
      if (which === "result") expect(await result(it, to, "rival")).toBe(200);
      expect(await leftOf(it)).toEqual([]);
    },
  );

  test("the records of an ended translation are swept, and its result is complete", async () => {
    const it = await stage();
    const { at, result: to } = await translated(it);
    await later(it, 2 * DAY);
    expect(await markdownOf(it, to, it.pages[1]!)).toBe("txeTq foq rebmunq 1.\n\ndnoceSq enilq.");
    await write(it, it.space, it.pages[1]!, "Swept and translated.");
    await later(it, 2 * DAY);
    expect(await markdownOf(it, to, it.pages[1]!)).toBe("tpewSq dnaq detalsnartq.");
    await it.ask("create", `DELETE ${at}`);
    await later(it, 2 * DAY);
    expect(await leftOf(it)).toEqual([]);
    expect(await markdownOf(it, to, it.pages[2]!)).toBe("txeTq foq rebmunq 2.\n\ndnoceSq enilq.");
  });

  test("a copy of a result follows nothing", async () => {
    const it = await stage();
    const { result: to } = await translated(it, "admin");
    const copy = (await it.ask("admin", `POST /v1/spaces/${to}/duplicate`)).body.id;
    await write(it, it.space, it.pages[0]!, "Changed.");
    await later(it);
    expect(await markdownOf(it, copy, it.pages[0]!)).toBe("txeTq foq rebmunq 0.\n\ndnoceSq enilq.");
    expect(await result(it, copy, "read")).toBe(404);
  });
});

describe("permissions", () => {
  test("a person who may read the source but not create in its collection gets the result at the top level", async () => {
    const it = await stage();
    const { ask, org, space } = it;
    const collection = (await ask("admin", `POST /v1/orgs/${org}/collections`, { title: "Closed" })).body.id;
    await ask("admin", `PATCH /v1/collections/${collection}`, { defaultLevel: "read" });
    await ask("admin", `POST /v1/spaces/${space}/move`, { parent: collection });
    const mine = await translated(it, "create");
    expect((await ask("create", `GET /v1/spaces/${mine.result}`)).body.parent).toBeUndefined();
    const theirs = await ask("admin", `POST /v1/orgs/${org}/translations`, { language: "fr", source: { space } });
    const { body } = await ask("admin", `GET /v1/spaces/${theirs.body.result.space}`);
    expect(body).toMatchObject({ parent: collection, title: "Guide (fr)", visibility: "in-collection" });
  });

  test("S19: nothing on the result makes it visible to those who may not see the source", async () => {
    const it = await stage();
    const { ask, ids, space } = it;
    const { result } = await translated(it, "create");
    await ask("create", `POST /v1/spaces/${result}/permissions`, {
      users: [{ id: ids.read, role: "create" }],
      teams: [],
    });
    await ask("create", `PATCH /v1/spaces/${result}`, { defaultLevel: "create" });
    expect((await ask("read", `GET /v1/spaces/${result}`)).body.permissions.admin).toBe(true);
    await ask("admin", `PATCH /v1/spaces/${space}`, { defaultLevel: null });
    for (const person of ["read", "edit", "create"] as const) {
      expect((await ask(person, `GET /v1/spaces/${result}`)).status).toBe(404);
      const listed = (await ask(person, `GET /v1/orgs/${it.org}/spaces`)).body.items;
      expect(listed.map((it: { id: string }) => it.id)).not.toContain(result);
    }
    expect((await ask("admin", `GET /v1/spaces/${result}`)).status).toBe(200);
    const site = await ask("create", `POST /v1/orgs/${it.org}/sites`, { title: "Docs", spaces: [result] });
    expect(site.status).toBe(400);
    // Two who ask at once for the same translation: one gets it.
    const wish = { language: "fr", source: { space } };
    const made = await Promise.all([1, 2].map(() => ask("admin", `POST /v1/orgs/${it.org}/translations`, wish)));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test("S24: a person who may only read the source cannot put its translation on a site", async () => {
    const it = await stage();
    await it.ask("admin", `PATCH /v1/spaces/${it.space}`, { defaultLevel: "read" });
    const { result } = await translated(it, "create");
    const publish = (as: Person) =>
      it.ask(as, `POST /v1/orgs/${it.org}/sites`, { title: `Docs of ${as}`, spaces: [result] });
    expect((await publish("create")).status).toBe(403);
    const made = await publish("admin");
    expect(made.status).toBe(201);
    // On the site it is seen by those who see the source.
    const at = `/v1/orgs/${it.org}/sites/${made.body.id}`;
    const spacesOf = async (as: Person) => (await it.ask(as, `GET ${at}/site-spaces`)).body.count;
    expect(await spacesOf("read")).toBe(1);
    await it.ask("admin", `PATCH /v1/spaces/${it.space}`, { defaultLevel: null });
    expect(await spacesOf("read")).toBe(0);
  });
});
