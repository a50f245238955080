// Content as PDF, read back as a reader would: what is in it, what is left out, and where its links lead.

import { pdfPrinter } from "octavo/pdf";
import { describe, expect, test } from "vitest";
import { NOTO } from "../../pdf/fonts";
import { readPdf } from "../../pdf/reader";
import { type Change, changed, newPage, page } from "../../security/contents";
import { countPieces } from "../../support/held";
import { bytesAt, pdfUrl, printed, stage } from "./printed";

describe("printed content", () => {
  test("a PDF supports ranges, and is not sent again to clients that have it", async () => {
    const { setting, space } = await stage();
    await changed(setting, space, [page("Start", "First things first.\n")]);
    const path = await pdfUrl(setting, `${space}/pdf`);
    const get = (headers: Record<string, string>) =>
      setting.api.fetch(new Request(`http://test.invalid${path}`, { headers }));
    const whole = await get({});
    const bytes = new Uint8Array(await whole.arrayBuffer());
    const etag = whole.headers.get("etag")!;
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    const part = await get({ range: "bytes=10-", "if-range": etag });
    expect([part.status, part.headers.get("etag")]).toEqual([206, etag]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(10));
    expect((await get({ range: "bytes=10-", "if-range": '"other"' })).status).toBe(200);
    expect((await get({ "if-none-match": etag })).status).toBe(304);
  });

  test("a space is printed with its title, contents, ordered pages, bookmarks and text", async () => {
    const { setting, space } = await stage();
    await changed(setting, space, [
      page("Start", "# Start\n\nFirst things first.\n\n## Details\n\nMore.\n", { ref: "start" }),
      page("Install", "Run it.\n", { into: "start" }),
      { operation: "insert_group", title: "Parts", ref: "parts" },
      page("Engine", "Goes.\n", { into: "parts" }),
      { operation: "insert_group", title: "Empty" },
      { operation: "insert_link", title: "Elsewhere", target: { kind: "url", url: "https://example.com" } },
    ]);
    const { text, bookmarks, info, sheets } = await printed(setting, `${space}/pdf`);
    expect(info.Title).toBe("Guide");
    expect(sheets[0]!.text).toBe("Guide March 1, 2026");
    for (const words of ["First things first.", "Details", "Run it.", "Goes."]) expect(text).toContain(words);
    expect(bookmarks.map(({ title, items }) => [title, items.map((item) => item.title)])).toEqual([
      ["Start", ["Details", "Install"]],
      ["Parts", ["Engine"]],
    ]);
    expect(text).not.toMatch(/Empty|Elsewhere/);
  });

  test("variables, conditions and reusable content are resolved in a PDF", async () => {
    const { setting, space } = await stage();
    const made = await changed(setting, space, [
      { operation: "insert_reusable_content", title: "Warning", document: { markdown: "Mind the gap.\n" } },
      { operation: "set_variables", variables: { product: "Octavo", beta: false } },
    ] as Change[]);
    const reusable = made.changes[0].reusableContent;
    await changed(setting, space, [
      page(
        "Start",
        [
          'This is <code class="expression">space.vars.product</code>.',
          "{% if space.vars.beta %}\nNot yet.\n{% endif %}",
          `{% include "/reusable-contents/${reusable}" %}`,
          "",
        ].join("\n\n"),
      ),
    ]);
    const { text } = await printed(setting, `${space}/pdf`);
    expect(text).toContain("This is Octavo.");
    expect(text).toContain("Mind the gap.");
    expect(text).not.toContain("Not yet.");
  });

  test("hidden pages and those with unmet conditions are omitted with their descendants unless requested", async () => {
    const { setting, space } = await stage();
    const { changes } = await changed(setting, space, [
      page("Open", "Seen.\n"),
      page("Draft", "Unseen.\n", { hidden: true, ref: "draft" }),
      page("Notes", "Below.\n", { into: "draft" }),
      page("Members", "Unmet.\n", { condition: "visitor.claims.unsigned.member" }),
    ]);
    const { text } = await printed(setting, `${space}/pdf`);
    expect(text).toContain("Seen.");
    expect(text).not.toMatch(/Unseen|Below|Unmet|Draft|Notes|Members/);
    const asked = await printed(setting, `${space}/pdf?page=${changes[1].page.id}`);
    expect(asked.text).toContain("Unseen.");
    expect(asked.text).toContain("Below.");
    expect((await printed(setting, `${space}/pdf?page=${changes[3].page.id}`)).text).toContain("Unmet.");
  });

  test("a page is printed with or without its descendants, with its own title above the space's", async () => {
    const { setting, space } = await stage();
    const { changes } = await changed(setting, space, [
      page("Start", "First.\n", { ref: "start" }),
      page("Install", "Second.\n", { into: "start", ref: "install" }),
      page("Linux", "Third.\n", { into: "install" }),
      page("Other", "Fourth.\n"),
    ]);
    const id = changes[1].page.id;
    const below = await printed(setting, `${space}/pdf?page=${id}`);
    expect(below.sheets[0]!.text).toBe("Install Guide March 1, 2026");
    expect(below.text).toMatch(/Second.*Third/);
    expect(below.text).not.toMatch(/First|Fourth/);
    const only = await printed(setting, `${space}/pdf?page=${id}&only=true`);
    expect(only.text).toContain("Second.");
    expect(only.text).not.toMatch(/First|Third|Fourth/);
  });

  test("a change request is printed as it was when requested", async () => {
    const { setting, space } = await stage();
    await newPage(setting, space, "Old", "Old text.\n");
    const { body } = await setting.ask("edit", `POST /v1/spaces/${space}/change-requests`, { subject: "Better words" });
    const at = `${space}/change-requests/${body.id}`;
    const write = (title: string) => setting.ask("edit", `POST /v1/spaces/${at}/content`, { changes: [page(title)] });
    await write("Proposed");
    const url = await pdfUrl(setting, `${at}/pdf`);
    await write("Later");
    const { text, bookmarks } = await readPdf(await bytesAt(setting, url));
    expect(text).toContain("Guide #1 Better words");
    expect(bookmarks.map(({ title }) => title)).toEqual(["Old", "Proposed"]);
    expect((await printed(setting, `${space}/pdf`)).text).not.toContain("Proposed");
  });

  test("a PDF has the same bytes until something it shows changes", async () => {
    const { setting, space } = await stage();
    await newPage(setting, space, "Start", "Text.\n");
    const url = await pdfUrl(setting, `${space}/pdf`);
    const tag = async () => (await setting.ask(null, `GET ${url}`)).headers.get("etag")!;
    const [first, before] = [await bytesAt(setting, url), await tag()];
    expect(await bytesAt(setting, url)).toEqual(first);
    expect((await setting.ask(null, `GET ${url}`, undefined, { "if-none-match": before })).status).toBe(304);
    await setting.ask("create", `PATCH /v1/spaces/${space}`, { title: "Handbook" });
    expect(await tag()).not.toBe(before);
    expect((await readPdf(await bytesAt(setting, url))).info.Title).toBe("Handbook");
  });

  test("an empty space is printed as a title", async () => {
    const { setting, space } = await stage();
    expect((await printed(setting, `${space}/pdf`)).sheets.map(({ text }) => text)).toEqual(["Guide March 1, 2026"]);
  });

  test("HEAD returns the size and sends nothing", async () => {
    const { setting, space } = await stage();
    const url = await pdfUrl(setting, `${space}/pdf`);
    const size = (await bytesAt(setting, url)).length;
    const { status, headers, body } = await setting.ask(null, `HEAD ${url}`);
    expect([status, headers.get("content-length"), body]).toEqual([200, String(size), undefined]);
  });
});

describe("links", () => {
  test("links to printed pages stay inside the file, and all others lead to their URLs", async () => {
    const { setting, space } = await stage();
    const { changes } = await changed(setting, space, [
      page("Start", "", { ref: "start" }),
      page("Install", "## Steps\n\nText.\n", { into: "start" }),
      page("Apart", "Text.\n"),
    ]);
    const [start, install, apart] = changes.map((it: { page: { id: string } }) => it.page.id);
    const markdown = [
      `See [the steps](/pages/${install}#steps), [apart](/pages/${apart}), [the web](https://example.com/a?b=1#c),`,
      "[nothing](./nowhere.md), [mail](mailto:a@example.com).\n",
    ].join(" ");
    await changed(setting, space, [{ operation: "update_page", page: start, document: { markdown } }]);
    const { sheets } = await printed(setting, `${space}/pdf?page=${start}`);
    const links = sheets.flatMap((sheet) => sheet.links).filter(({ text }) => !/^Install|^Start/.test(text));
    const inside = links.find(({ sheet }) => sheet !== undefined)!;
    expect(sheets[inside.sheet! - 1]!.text).toContain("Steps");
    const urls = links.flatMap(({ url }) => (url === undefined ? [] : [url]));
    expect(urls).toEqual([
      `http://localhost:3000/o/${setting.org}/s/${space}/apart`,
      "https://example.com/a?b=1#c",
      "mailto:a@example.com",
    ]);
  });
});

test("a PDF URL follows its space into another organization for permitted readers", async () => {
  const { setting, space } = await stage();
  const { ask, otherOrg } = setting;
  await newPage(setting, space, "Start", "Moved text.\n");
  const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
  await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
  const [mine, theirs] = [
    await pdfUrl(setting, `${space}/pdf`, "admin"),
    await pdfUrl(setting, `${space}/pdf`, "edit"),
  ];
  expect((await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg })).status).toBeLessThan(
    300,
  );
  expect((await readPdf(await bytesAt(setting, mine))).text).toContain("Moved text.");
  expect((await ask(null, `GET ${theirs}`)).status).toBe(404);
});

describe("the printer", () => {
  test.each([
    ["by itself has the letters of Western Europe, and says where others are missing", {}],
    ["with fonts has the letters that they have", { pdf: pdfPrinter({ fonts: NOTO }) }],
  ] as const)("text in many scripts is printed: %s", async (_, options) => {
    const { setting, space } = await stage(options);
    await newPage(setting, space, "Größe", "Żółć, Ωμέγα, Лиса, 日本語, 한국어.\n");
    const { text } = await printed(setting, `${space}/pdf`);
    expect(text).toContain("Größe");
    const hasFonts = "pdf" in options;
    for (const words of ["Żółć", "Ωμέγα", "Лиса", "日本語", "한국어"]) expect(text.includes(words)).toBe(hasFonts);
    expect(text.includes("empty boxes")).toBe(!hasFonts);
  });

  test("the host's printer is used if there is one", async () => {
    const { setting, space } = await stage({ pdf: { print: async ({ title }) => new TextEncoder().encode(title) } });
    expect(await bytesAt(setting, await pdfUrl(setting, `${space}/pdf`))).toEqual(new TextEncoder().encode("Guide"));
  });

  test("a few documents are printed at once, some wait, and others are told to retry", async () => {
    let most = 0;
    let printing = 0;
    let release = () => {};
    const free = new Promise<void>((done) => {
      release = done;
    });
    const print = async () => {
      most = Math.max(most, ++printing);
      await free;
      printing--;
      return new Uint8Array([1]);
    };
    const { setting, space } = await stage({ pdf: { print } });
    const url = await pdfUrl(setting, `${space}/pdf`);
    const waiting = Array.from({ length: 22 }, () => setting.ask(null, `GET ${url}`));
    const refused = await Promise.race([...waiting, setting.ask(null, `GET ${url}`)]);
    expect([refused.status, refused.body.error.reason]).toEqual([503, "printer_busy"]);
    expect(refused.headers.get("retry-after")).toBe("5");
    release();
    expect((await Promise.all(waiting)).filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(21);
    expect(most).toBe(2);
    expect((await setting.ask(null, `GET ${url}`)).status).toBe(200);
  });

  test("other work runs between the pages", async () => {
    const { setting, space } = await stage();
    const text = "Some words that fill a line or two of a page. ".repeat(20);
    await changed(
      setting,
      space,
      Array.from({ length: 40 }, (_, at) => page(`Page ${at}`, text)),
    );
    const url = await pdfUrl(setting, `${space}/pdf`);
    expect(await countPieces(() => bytesAt(setting, url))).toBeGreaterThan(40);
  });

  test("printed parts are sent while the rest is printed, without waiting for a reader", async () => {
    const errors: unknown[] = [];
    const made: string[] = [];
    const failing = { first: false, last: false };
    async function* stream({ title }: { title: string }) {
      if (failing.first) throw new Error("no first piece");
      for (const piece of [title, " in", " some", " pieces"]) {
        made.push(piece);
        yield new TextEncoder().encode(piece);
        await new Promise((done) => setImmediate(done));
      }
      if (failing.last) throw new Error("no last piece");
    }
    const print = () => Promise.reject(new Error("It is not asked for all at once."));
    const { setting, space } = await stage({ pdf: { print, stream }, onError: (error) => errors.push(error) });
    const url = await pdfUrl(setting, `${space}/pdf`);
    const get = () => setting.api.fetch(new Request(`http://localhost${url}`));

    const whole = await get();
    expect(whole.headers.get("content-length")).toBeNull();
    expect(await whole.text()).toBe("Guide in some pieces");
    made.length = 0;
    // Nobody reads this one, and it ends all the same.
    const unread = await get();
    for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
    expect(made).toEqual(["Guide", " in", " some", " pieces"]);
    await unread.body!.cancel();
    made.length = 0;
    // This one is given up before its last piece is printed.
    await (await get()).body!.cancel();
    for (let turn = 0; turn < 10; turn++) await new Promise((done) => setImmediate(done));
    expect(made).toEqual(["Guide", " in", " some"]);

    failing.last = true;
    await expect((await get()).text()).rejects.toThrow("no last piece");
    failing.first = true;
    expect((await get()).status).toBe(500);
    expect(errors.map(String)).toEqual(["Error: no last piece", "Error: no first piece"]);
  });

  test("a failing print reveals nothing and frees its place", async () => {
    const errors: unknown[] = [];
    const print = async () => {
      throw new Error("The font at /home/ada/fonts cannot be read.");
    };
    const { setting, space } = await stage({ pdf: { print }, onError: (error) => errors.push(error) });
    const url = await pdfUrl(setting, `${space}/pdf`);
    for (let time = 0; time < 30; time++) {
      const { status, body } = await setting.ask(null, `GET ${url}`);
      expect([status, body.error.reason]).toEqual([500, "internal"]);
      expect(JSON.stringify(body)).not.toContain("ada");
    }
    expect(errors).toHaveLength(30);
  });
});
