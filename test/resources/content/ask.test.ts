// Questions to a model: what it is given, how its answer is sent, and how its work ends.

import type { AnswerContext, AnswerModel } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { beforeEach, describe, expect, test } from "vitest";
import type { ModelQuestion, Passage } from "../../../src/ports/answer-model";
import { streamAnswer } from "../../../src/ports/stream-answer";
import { host } from "../../support/listening";
import { open, type Setting, setUp } from "../../support/setting";
import { page } from "../scenario";
import { answerIn, eventsIn } from "./ask";

const passage = (id: string): Passage => ({ page: id, space: "s", title: `Title ${id}`, path: id, text: "Text." });

function asked(more: Partial<ModelQuestion> = {}): ModelQuestion {
  const find = async (query: string) => (query === "more" ? [passage("c")] : [passage("a"), passage("b")]);
  return {
    question: "Why?",
    findPassages: find,
    language: undefined,
    about: { organization: "o" },
    user: undefined,
    ...more,
  };
}

async function answered(model: AnswerModel, milliseconds = 60_000) {
  const errors: unknown[] = [];
  const stream = await streamAnswer(
    { model, timeoutMs: milliseconds, onError: (error) => void errors.push(error) },
    asked(),
  );
  return { events: eventsIn(await new Response(stream).text()), errors: errors.map(String) };
}

const names = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
const pagesIn = (events: ReturnType<typeof eventsIn>) =>
  (events.find(({ type }) => type === "sources")!.pages as { page: string }[]).map((it) => it.page);
const failed = { type: "error", code: 502, reason: "ask_failed", message: expect.stringMatching(/\.$/) };
/** A model that never says anything. */
const silent: AnswerModel = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });

describe("the stream", () => {
  test("the stream has the parts in order, then the sources, then follow-up questions", async () => {
    const { events, errors } = await answered(async function* (question, { passages }) {
      yield question;
      yield "";
      yield { followups: ["And?"] };
      yield { text: `\n${passages.length}\n\ndata: x` };
    });
    expect(names(events)).toEqual(["answer", "answer", "sources", "followups", "done"]);
    expect(events.map(({ text }) => text).join("")).toBe("Why?\n2\n\ndata: x");
    expect(events[2]).toEqual({
      type: "sources",
      pages: [
        { page: "a", space: "s", title: "Title a", path: "a" },
        { page: "b", space: "s", title: "Title b", path: "b" },
      ],
    });
    expect(errors).toEqual([]);
  });

  test("the model may return a platform stream or a promise of one", async () => {
    const streamed = () => new Blob(["Yes."]).stream().pipeThrough(new TextDecoderStream());
    for (const model of [streamed, async () => streamed()] as unknown as AnswerModel[])
      expect(names((await answered(model)).events)).toEqual(["answer", "sources", "done"]);
  });

  test("sources are those that the model names, if they were found in this call", async () => {
    const one = await answered(async function* (_, { search }) {
      await search("more");
      yield { sources: ["c", "x", "a", "c"] };
    });
    expect(pagesIn(one.events)).toEqual(["c", "a"]);
    const none = await answered(async function* () {
      yield { sources: [] };
    });
    expect(pagesIn(none.events)).toEqual([]);
  });

  test.each<[string, AnswerModel, RegExp]>([
    [
      "fails in the middle",
      async function* () {
        yield "Well";
        throw new Error("no credit");
      },
      /no credit/,
    ],
    [
      "fails at once",
      () => {
        throw new Error("no key");
      },
      /no key/,
    ],
    ["gives no stream", (async () => undefined) as never, /undefined/],
    [
      "gives what is no part",
      async function* () {
        yield 7 as never;
      },
      /A part of an answer/,
    ],
    [
      "says too much",
      async function* () {
        for (;;) yield "x".repeat(1000);
      },
      /100000 characters/,
    ],
    [
      "searches without end",
      async function* (_, { search }) {
        for (;;) yield String((await search("x")).length);
      },
      /20 times/,
    ],
  ])("a model that %s ends the stream with an error whose cause only the host sees", async (_, model, why) => {
    const { events, errors } = await answered(model);
    expect(events.at(-1)).toEqual(failed);
    expect(names(events).filter((it) => it !== "answer")).toEqual(["error"]);
    expect(errors).toEqual([expect.stringMatching(why)]);
    expect(JSON.stringify(events)).not.toMatch(/no credit|no key/);
  });

  test("a silent model ends at the time limit", async () => {
    let signal: AbortSignal | undefined;
    const { events, errors } = await answered((question, context) => {
      signal = context.signal;
      return silent(question, context);
    }, 1);
    expect(events).toEqual([failed]);
    expect(errors).toEqual([expect.stringMatching(/too long/)]);
    expect(signal?.aborted).toBe(true);
  });

  test("an abandoned stream stops the model and asks nothing more of it", async () => {
    let pulled = 0;
    let returned = 0;
    let context: AnswerContext | undefined;
    const model: AnswerModel = (_, given) => {
      context = given;
      const next = async () => ({ done: false as const, value: `${++pulled} ` });
      const ended = async () => ({ done: true as const, value: undefined, ended: ++returned });
      return { [Symbol.asyncIterator]: () => ({ next, return: ended }) };
    };
    const onError = (error: unknown) => {
      throw error;
    };
    const reader = (await streamAnswer({ model, timeoutMs: 60_000, onError }, asked())).getReader();
    await reader.read();
    await reader.cancel();
    const before = pulled;
    await new Promise((done) => setImmediate(done));
    expect(context!.signal.aborted).toBe(true);
    expect(pulled).toBe(before);
    expect(before).toBeLessThan(5);
    expect(returned).toBe(1);
    await expect(context!.search("more")).rejects.toThrow();
  });
});

describe("what the model gets", () => {
  let setting: Setting;
  let given: AnswerContext[];
  const model: AnswerModel = async function* (question, context) {
    given.push(context);
    const more = await context.search(question);
    yield JSON.stringify([context.passages, more]);
  };
  let space: string;
  let closed: string;
  let at: string;
  const WORDS = ["xylophone", "zeppelin", "quagmire", "obelisk", "marzipan"];
  const question = { question: WORDS.join(" ") };

  beforeEach(async () => {
    given = [];
    setting = await setUp(memoryStorage(), { ask: model });
    const { ask, org, otherOrg } = setting;
    const make = async (as: "admin" | "rival", where: string, changes: object[]) => {
      const { id } = (await ask(as, `POST /v1/orgs/${where}/spaces`, { title: "Space" })).body;
      expect((await ask(as, `POST /v1/spaces/${id}/content`, { changes })).status).toBe(200);
      return id as string;
    };
    space = await make("admin", org, [
      page("Open", 'A xylophone.\n\n{% if visitor.claims.unsigned.plan == "pro" %}\nA zeppelin.\n{% endif %}'),
      page("Kept", '---\nif: visitor.claims.unsigned.plan == "pro"\n---\n\nA quagmire.'),
    ]);
    closed = await make("admin", org, [page("Closed", "An obelisk.")]);
    expect((await ask("admin", `PATCH /v1/spaces/${closed}`, { defaultLevel: null })).status).toBe(200);
    await make("rival", otherOrg, [page("Foreign", "Some marzipan.")]);
    const site = { title: "Docs", visibility: "public", spaces: [space] };
    at = `/v1/orgs/${org}/sites/${(await ask("admin", `POST /v1/orgs/${org}/sites`, site)).body.id}`;
    await ask("admin", `POST ${at}/publish`);
  });

  /** The words that came through, in passages, searches and sources. */
  async function reached(as: Parameters<Setting["ask"]>[0], route: string): Promise<string[]> {
    const { status, body } = await setting.ask(as, `POST ${route}/ask`, question);
    expect(status).toBe(200);
    const told = `${body} ${JSON.stringify(given)}`.toLowerCase();
    return [...WORDS, "kept", "closed", "foreign"].filter((word) =>
      told.replaceAll(question.question, "").includes(word),
    );
  }

  test("the model gets for a visitor only what conditions allow, and only of one site", async () => {
    expect(await reached(null, at)).toEqual(["xylophone"]);
    expect(given[0]).toMatchObject({ user: undefined, about: { organization: setting.org }, language: undefined });
    given.length = 0;
    expect(await reached("admin", at)).toEqual(["xylophone"]);
    // A page is not even found by what is hidden on it.
    given.length = 0;
    const { body } = await setting.ask(null, `POST ${at}/ask`, { question: "zeppelin" });
    expect(given[0]!.passages).toEqual([]);
    expect(pagesIn(eventsIn(body))).toEqual([]);
  });

  test("the model gets for a member only what the member may read", async () => {
    expect(await reached("read", `/v1/orgs/${setting.org}`)).toEqual(["xylophone", "zeppelin", "quagmire", "kept"]);
    expect(given[0]).toMatchObject({ user: setting.ids.read });
    given.length = 0;
    expect(await reached("admin", `/v1/orgs/${setting.org}`)).toEqual([
      ...["xylophone", "zeppelin", "quagmire", "obelisk", "kept", "closed"],
    ]);
    given.length = 0;
    expect(await reached("admin", `/v1/spaces/${closed}`)).toEqual(["obelisk", "closed"]);
    expect((await setting.ask("read", `POST /v1/spaces/${closed}/ask`, question)).status).toBe(404);
    expect(given).toHaveLength(1);
  });

  test("the passages for the model are bounded, however long the pages are", async () => {
    const changes = Array.from({ length: 12 }, (_, i) =>
      page(`Long ${i}`, `# Xylophone\n\n${"xylophone text ".repeat(5000)}`),
    );
    await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes });
    await setting.ask("admin", `POST /v1/spaces/${space}/ask`, { question: "xylophone" });
    expect(given[0]!.passages).toHaveLength(8);
    for (const { text } of given[0]!.passages) expect(text.length).toBeLessThanOrEqual(4000);
  });

  test("a passage is the matching section and not the beginning of a long page", async () => {
    const text = `${"Filler text. ".repeat(2000)}\n\n## Far below\n\nThe kaleidoscope is here.`;
    await setting.ask("admin", `POST /v1/spaces/${space}/content`, { changes: [page("Long", text)] });
    await setting.ask("admin", `POST /v1/spaces/${space}/ask`, { question: "kaleidoscope" });
    expect(given[0]!.passages[0]!.text).toBe("Far below\nThe kaleidoscope is here.");
  });

  test("the answer is streamed over node:http until the client disconnects", async () => {
    let aborted = () => {};
    const gone = new Promise<void>((done) => {
      aborted = done;
    });
    const endless: AnswerModel = async function* (_, { signal }) {
      signal.addEventListener("abort", () => aborted());
      yield "First.";
      await new Promise(() => {});
    };
    const { api, clock } = open(setting.storage, { ask: endless });
    clock.now = setting.clock.now;
    const { origin, close } = await host(nodeHandler(api));
    try {
      const leaving = new AbortController();
      const response = await fetch(`${origin}${at}/ask`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(question),
        signal: leaving.signal,
      });
      const { value } = await response.body!.getReader().read();
      expect(answerIn(new TextDecoder().decode(value))).toBe("First.");
      leaving.abort();
      await gone;
    } finally {
      await close();
    }
  });
});
