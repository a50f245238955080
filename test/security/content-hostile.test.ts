// Texts, names, queries and batches that are made to cost much. Each is compared with a harmless one of the same size, in
// processor time, so that the machine and its other work do not decide.

import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Setting, setUp } from "../support/setting";
import { isLongRun } from "../support/test-length";
import { type Change, change, changed, evaluated, newPage, newSpace, page, read } from "./contents";
import { FAMILIES, filled, HARMLESS, numbered, QUICK } from "./hostile-texts";

let setting: Setting;
let space: string;

beforeAll(async () => {
  setting = await setUp(memoryStorage());
  space = await newSpace(setting);
  // The first texts that a process reads take long, whatever they say.
  for (let n = 0; n < 5; n++) await writeAndRead(filled(HARMLESS, SIZE));
});

/** The size of texts that are compared, in characters: what is quadratic shows in no shorter ones. */
const SIZE = isLongRun ? 40_000 : 10_000;
/** That of long texts. */
const LONG = isLongRun ? 500_000 : 60_000;
/** How many times the cost of something harmless is too much. */
const MOST = 50;
/** What is below this is noise. */
const LEAST_MS = 20;

/** The processor time that something takes, in milliseconds. */
async function costOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Asserts that something costs no more than a few times what something harmless did. A collection of garbage may fall into a
 * measurement, so the least of three counts. */
async function expectCheap(
  what: string,
  hostile: () => Promise<unknown>,
  harmlessMs: number,
  options: { most?: number; leastMs?: number } = {},
): Promise<void> {
  const { most = MOST, leastMs = LEAST_MS } = options;
  let ratio = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && ratio >= most; time++)
    ratio = Math.min(ratio, (await costOf(hostile)) / Math.max(harmlessMs, leastMs));
  expect(ratio, what).toBeLessThan(most);
}

const insert = (markdown: string): Promise<Answer> => change(setting, space, [page("Hostile", markdown)]);

/** Writes a text and reads it back as a document; a refusal is an answer too, but a failure is not. */
async function writeAndRead(markdown: string): Promise<void> {
  const answer = await insert(markdown);
  expect([200, 400]).toContain(answer.status);
  if (answer.status === 400) return;
  const { id } = answer.body.changes[0].page;
  expect((await read(setting, space, id, "?format=document")).status).toBe(200);
  await changed(setting, space, [{ operation: "delete_page", page: id }]);
}

describe("S39: slow texts", () => {
  let harmless: { readonly text: number; readonly long: number };
  beforeAll(async () => {
    harmless = {
      text: await costOf(() => writeAndRead(filled(HARMLESS, SIZE))),
      long: await costOf(() => writeAndRead(filled(HARMLESS, LONG))),
    };
  });

  test.each(FAMILIES)("S39: %s cost as much as other texts", async (name, text) => {
    await expectCheap(name, () => writeAndRead(text(SIZE)), harmless.text);
  });

  test.each(FAMILIES.filter(([name]) => QUICK.has(name)))(
    "S39: a long text of %s costs as much as other texts",
    async (name, text) => {
      await expectCheap(name, () => writeAndRead(text(LONG)), harmless.long);
    },
  );

  test("S39: control: quadratic cost is detected", async () => {
    const trap = async () => /a+$/.test(`${filled("a", 8_000)}b`);
    // It takes 80 ms or more where processors are fast, and what is linear takes far less than one.
    await expect(expectCheap("a trap", trap, 0, { leastMs: 0.1 })).rejects.toThrow("a trap");
  });

  test("S39: evaluated content costs as much as other content", async () => {
    const evaluate = async (text: string) => {
      const made = await insert(text);
      if (made.status !== 200) return;
      const { id } = made.body.changes[0].page;
      await evaluated(setting, space, id);
      await changed(setting, space, [{ operation: "delete_page", page: id }]);
    };
    const harmless = await costOf(() => evaluate(filled(HARMLESS, SIZE)));
    for (const [name, text] of FAMILIES)
      if (/expression|include|condition|tag|HTML|element|details/.test(name))
        await expectCheap(name, () => evaluate(text(SIZE)), harmless);
  });

  test("S39: a short text does not become an endless document", async () => {
    const texts = [
      `[a]: /${"b".repeat(5_000)}\n\n${"[a] ".repeat(4_000)}`,
      `[a]: /b "${"c".repeat(5_000)}"\n\n${"[a] ".repeat(4_000)}`,
      `${"![a] ".repeat(4_000)}\n\n[a]: /${"b".repeat(5_000)}\n`,
      `${"[^a] ".repeat(4_000)}\n\n[^a]: ${"b".repeat(5_000)}\n`,
      `${"|a".repeat(2_000)}|\n${"|-".repeat(2_000)}|\n${"x\n".repeat(2_000)}`,
    ];
    for (const text of texts) {
      const id = await newPage(setting, space, "A", text);
      for (const query of ["?format=document", "?evaluated=true", "/links"]) {
        const { status, body } = await read(setting, space, id, query);
        expect(status).toBe(200);
        expect(JSON.stringify(body).length / text.length, `${text.slice(0, 20)} ${query}`).toBeLessThan(250);
      }
      await changed(setting, space, [{ operation: "delete_page", page: id }]);
    }
  });

  test("more than a megabyte is rejected, in characters and in bytes of the request", async () => {
    const long = await insert("a".repeat(1024 * 1024 + 1));
    expect([long.status, long.body.error.issues[0].path]).toEqual([400, "body.changes.0.document.markdown"]);
    expect(
      (
        await change(
          setting,
          space,
          Array.from({ length: 12 }, () => page("A", "a".repeat(1_000_000))),
        )
      ).status,
    ).toBe(413);
  });

  test("refs of a batch make no text longer than a text may be", async () => {
    const answer = await change(setting, space, [page("A", "[](x)".repeat(40_000), { ref: "x" })]);
    if (answer.status === 200) {
      const { body } = await read(setting, space, answer.body.changes[0].page.id);
      expect(body.markdown.length).toBeLessThanOrEqual(1024 * 1024);
    } else expect(answer.status).toBe(400);
  });

  test("refs of a batch cost no more than other links", async () => {
    const write = (to: string) => () =>
      changed(setting, space, [page("A", `[a](${to}.md)\n`.repeat(4_000), { ref: "x" })]);
    await expectCheap("refs", write("x"), await costOf(write("y")));
  });

  test("a bomb of YAML aliases stays a text", async () => {
    const level = (n: number) => `a${n}: &a${n} [${Array.from({ length: 9 }, () => `*a${n - 1}`).join(", ")}]\n`;
    const levels = Array.from({ length: 40 }, (_, n) => level(n + 1)).join("");
    for (const head of [
      `a0: &a0 [x, x, x]\n${levels}vars: *a40\ntitle: *a40\ncover: *a40\n`,
      "vars: &a [*a]\n",
      `vars: &a { b: *a }\n`,
    ]) {
      const text = `---\n${head}---\nText.\n`;
      const harmless = await costOf(() => writeAndRead(`---\n${filled("a: b\n", text.length)}---\nText.\n`));
      const bomb = async () => {
        const id = await newPage(setting, space, "A", text);
        expect((await read(setting, space, id)).body.markdown).toBe(text);
        await changed(setting, space, [{ operation: "update_page", page: id, title: "New", variables: { a: "b" } }]);
      };
      await expectCheap("aliases", bomb, harmless);
    }
  });

  test("fifty hostile pages in one batch cost no more than fifty harmless ones", async () => {
    const batch = (text: (n: number) => string): Change[] =>
      Array.from({ length: 50 }, (_, n) => page(`A${n}`, text(n)));
    const harmless = await costOf(() =>
      changed(
        setting,
        space,
        batch(() => filled(HARMLESS, 2_000)),
      ),
    );
    await expectCheap(
      "batch",
      () =>
        changed(
          setting,
          space,
          batch((n) => FAMILIES[n]![1](2_000)),
        ),
      harmless,
    );
  });

  test("ten thousand links in a page are written, listed and found as backlinks", async () => {
    const own = await newSpace(setting);
    const target = await newPage(setting, own, "Target");
    const links = Array.from({ length: 10_000 }, (_, n) => (n % 2 ? `[a](target.md#x${n})` : "[b](target.md)")).join(
      "\n",
    );
    const ask = async (path: string) =>
      expect((await setting.ask("read", `GET /v1/spaces/${own}/${path}`)).status).toBe(200);
    const write = async (text: string) => {
      const id = await newPage(setting, own, "Links", text);
      await ask(`content/page/${id}/links`);
      await ask("links");
      await ask(`content/page/${target}/backlinks`);
      await changed(setting, own, [{ operation: "delete_page", page: id }]);
    };
    const harmless = await costOf(() => write(filled("[a](target.md)\n", links.length)));
    await expectCheap("links", () => write(links), harmless);
  });

  test("includes of includes end", async () => {
    const own = await newSpace(setting);
    const tag = (name: string) => `{% include "./${name}" %}\n\n`;
    const made = await changed(setting, own, [
      ...Array.from({ length: 40 }, (_, n) => ({
        operation: "insert_reusable_content",
        title: `R${n}`,
        ref: `r${n}`,
        document: { markdown: `${tag(`r${n + 1}`).repeat(10)}words\n` },
      })),
      {
        operation: "insert_reusable_content",
        title: "Self",
        ref: "self",
        document: { markdown: tag("self").repeat(10) },
      },
      page("Page", tag("r0").repeat(10) + tag("self")),
    ]);
    const text = await evaluated({ ...setting }, own, made.changes.at(-1).page.id);
    expect(text.length).toBeLessThanOrEqual(1024 * 1024);
  });

  test("a hundred includes in a long page are bounded", async () => {
    const own = await newSpace(setting);
    const count = 45;
    const made = await changed(setting, own, [
      ...Array.from({ length: count }, (_, n) => ({
        operation: "insert_reusable_content",
        title: `R${n}`,
        ref: `r${n}`,
        document: { markdown: `{% include "./r${n + 1}" %}\n` },
      })),
      page("Long", `{% include "./r0" %}\n\n${filled(HARMLESS, 200_000)}`),
      page("Plain", filled(HARMLESS, 200_000)),
    ]);
    const [long, plain] = made.changes.slice(-2).map((it: { page: { id: string } }) => it.page.id);
    await expectCheap("chain", () => evaluated(setting, own, long), await costOf(() => evaluated(setting, own, plain)));
  });
});

describe("S39: slow names", () => {
  test("S39: files with one name cost no more than files with different names, whichever numbers are taken", async () => {
    const files = (count: number, name: (n: number) => string): Change[] =>
      Array.from({ length: count / 20 }, (_, i) => ({
        operation: "insert_files",
        files: Array.from({ length: 20 }, (_, n) => ({
          name: name(20 * i + n),
          contentType: "text/plain",
          base64: "YQ==",
        })),
      }));
    const own = await newSpace(setting);
    const insert = (count: number, name: (n: number) => string) => () => changed(setting, own, files(count, name));
    await insert(800, (n) => `a-${800 + n}.txt`)();
    const harmless = await costOf(insert(200, (n) => `b${n}.txt`));
    await expectCheap(
      "the same name",
      insert(200, () => "c.txt"),
      harmless,
      { most: 5 },
    );
    await expectCheap(
      "the same name, taken ahead",
      insert(200, () => "a.txt"),
      harmless,
      { most: 5 },
    );
  });

  test("S39: no path, slug, title or file name costs more than its length", async () => {
    const hostile = ["/", "-", ".", "a-", "%2F", "../", "\u0301", " ", "é", "ﷺ"];
    const write = (title: string) => () =>
      change(setting, space, [page(title), page("A", "", { slug: title.slice(0, 100) })]);
    const harmless = await costOf(write("a".repeat(255)));
    for (const unit of hostile) await expectCheap(`title ${JSON.stringify(unit)}`, write(filled(unit, 255)), harmless);
  });

  test("S39: a URL of slashes costs no more than a URL of letters, with and without a token", async () => {
    const request = (path: string, token?: string) => () =>
      setting.api.fetch(
        new Request(`http://test.invalid/v1/${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} }),
      );
    const size = 15_000;
    for (const [start, token] of [
      ["x", undefined],
      ["spaces", undefined],
      [`spaces/${space}/content/path/`, setting.tokens.read],
    ] as const) {
      await request(`${start}/x`, token)();
      const harmless = await costOf(request(`${start}${filled("a", size)}x`, token));
      await expectCheap(`/v1/${start}`, request(`${start}${filled("/", size)}x`, token), harmless, { leastMs: 2 });
    }
  });
});

describe("S39: slow searches", () => {
  const QUERIES = [
    "a".repeat(512),
    "a ".repeat(256),
    "(a+)+$ ".repeat(60),
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "*".repeat(512),
    '"'.repeat(512),
    "\\".repeat(512),
    "- -- --- ".repeat(50),
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
    "\u0301".repeat(512),
    "日".repeat(512),
    "é".repeat(512),
    "a|b|c|d".repeat(70),
    "words ".repeat(85),
    "wrods ".repeat(85),
    Array.from({ length: 100 }, (_, n) => `w${n}`).join(" "),
    "\0",
    "%",
    "😀".repeat(256),
    "ﷺ".repeat(512),
  ];

  test("S39: no query costs more than a word", async () => {
    const own = await newSpace(setting);
    const words = ["aaaa", "aaab", "aaba", "words", "wordz", "w1", "w10", "日本", "éa", "a.b.c"];
    await changed(
      setting,
      own,
      Array.from({ length: 20 }, (_, n) =>
        page(`Page ${n}`, `${filled(`${words.join(" ")} x${n} `, 5_000)}\n\n## a${n}\n\n${"a".repeat(5_000)}\n`),
      ),
    );
    const search = (query: string) => async () => {
      const path = `/v1/spaces/${own}/search?query=${encodeURIComponent(query)}`;
      const { status, body } = await setting.ask("read", `GET ${path}`);
      expect(status, JSON.stringify(body).slice(0, 200)).toBe(200);
    };
    await search("first")();
    const harmless = await costOf(search("words"));
    for (const query of QUERIES) await expectCheap(`query ${query.slice(0, 20)}`, search(query), harmless);
    const long = await setting.ask("read", `GET /v1/spaces/${own}/search?query=${"a".repeat(513)}`);
    expect(long.status).toBe(400);
  });

  test("S39: a page with one endless word or thousands of different ones can be searched", async () => {
    const own = await newSpace(setting);
    const search = () => setting.ask("read", `GET /v1/spaces/${own}/search?query=wor`);
    const writeAndSearch = async (text: string) => {
      const id = await newPage(setting, own, "A", text);
      expect((await search()).status).toBe(200);
      await changed(setting, own, [{ operation: "delete_page", page: id }]);
    };
    const size = 100_000;
    const texts = [
      filled("a", size),
      numbered(size, (n) => `w${n.toString(36)} `),
      filled("a\u0301", size),
      filled("a-b_c.d@", size),
      filled("日", size),
    ];
    const harmless = await costOf(() => writeAndSearch(filled(HARMLESS, size)));
    for (const text of texts) await expectCheap(`index ${text.slice(0, 8)}`, () => writeAndSearch(text), harmless);
  });
});
