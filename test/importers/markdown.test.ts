import fc from "fast-check";
import { strToU8 } from "fflate";
import { describe, expect, test } from "vitest";
import { ImportError } from "../../src/importers/errors";
import { importMarkdown } from "../../src/importers/markdown/import-markdown";
import { mapUrls } from "../../src/importers/markdown/map-urls";
import { runs } from "../support/test-length";
import { PIXEL } from "./docx-fixture";
import { served } from "./served";

describe("addresses in a text", () => {
  const shouted = (text: string) => mapUrls(text, (href) => (href.startsWith("x") ? href.toUpperCase() : undefined));

  test.each([
    ["[a](x.md) and ![b](x.png 'title')", "[a](X.MD) and ![b](X.PNG 'title')"],
    ["[![in](x1)](x2) [a]( <x y.md> )", "[![in](X1)](X2) [a]( X Y.MD )"],
    ["[ref], [other][ref]\n\n[ref]: x.md 'title'\n", "[ref], [other][ref]\n\n[ref]: X.MD 'title'\n"],
    ["<img alt='a' src=\"x.png\"> and <a href='x.md'>b</a>", "<img alt='a' src=\"X.PNG\"> and <a href='X.MD'>b</a>"],
    ['<div>\n<img src="x.png" width="1">\n</div>\n', '<div>\n<img src="X.PNG" width="1">\n</div>\n'],
    ["> 1. [a](x)\n>    [b](x)\n", "> 1. [a](X)\n>    [b](X)\n"],
    [
      '{% content-ref url="x.md" %}\n[x.md](x.md)\n{% endcontent-ref %}\n',
      '{% content-ref url="X.MD" %}\n[x.md](X.MD)\n{% endcontent-ref %}\n',
    ],
    ["| a |\n| - |\n| [a](x) |\n", "| a |\n| - |\n| [a](X) |\n"],
    ["- a\n  - ![](x)\n", "- a\n  - ![](X)\n"],
  ])("the addresses in %j are mapped", (text, expected) => {
    expect(shouted(text)).toBe(expected);
  });

  test.each(["`[a](x)`", "```\n[a](x)\n```\n", "    [a](x)\n", "\\[a](x)", "[a](y)", "<xml://x>", "x"])(
    "%j stays unchanged",
    (text) => {
      expect(shouted(text)).toBe(text);
    },
  );

  test("any text stays unchanged if no address is mapped", () => {
    const piece = fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "](",
      "![",
      "<img src=",
      '"',
      "x",
      "\n",
      " ",
      "`",
      "> ",
      "- ",
      "[a]: ",
      "{% file src=",
      " %}",
      "<a href='",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }).map((it) => it.join("")),
        (text) => {
          expect(mapUrls(text, () => undefined)).toBe(text);
          expect(typeof mapUrls(text, () => "y")).toBe("string");
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test.each(["](", "![](a](", "<img ", "[a](", "<a href='", "[a]: x\n"])(
    "S39: half a megabyte of %j is scanned in time",
    (piece) => {
      const text = piece.repeat(Math.ceil(500_000 / piece.length));
      expect(mapUrls(text, () => undefined)).toBe(text);
    },
    20_000,
  );
});

describe("importing a Markdown file", () => {
  test("a Markdown file is imported with its relative images, and its links keep their targets", async () => {
    const text =
      "# Read me\n\n![One](img/one.png) ![Far](https://far.example/x.png) ![Gone](gone.png) ![No](no.png)\n\n[Next](docs/next.md#a) [Here](#top) [Out](https://out.example)\n";
    const { fetch, asked } = served({ "/o/r/readme.md": text, "/o/r/img/one.png": PIXEL, "/o/r/no.png": "<script>" });
    const { book, foundCount: total } = await importMarkdown({ url: "https://host.example/o/r/readme.md", fetch });
    expect(book.texts.get("read-me.md")?.text).toBe(
      "# Read me\n\n![One](.gitbook/assets/one.png) ![Far](https://far.example/x.png) ![Gone](gone.png) ![No](no.png)\n\n[Next](https://host.example/o/r/docs/next.md#a) [Here](#top) [Out](https://out.example)\n",
    );
    expect([...book.files]).toEqual([[".gitbook/assets/one.png", { bytes: PIXEL, contentType: "image/png" }]]);
    expect(book.skipped).toEqual([
      { resource: "gone.png", reason: "The URL returned the status 404, so nothing was imported." },
      { resource: "no.png", reason: "It is not an image." },
    ]);
    expect(total).toBe(4);
    expect(asked).not.toContain("https://far.example/x.png");
  });

  test("a Markdown file without a title is named after its file", async () => {
    const { fetch } = served({ "/notes%20of%20today.md": "Just text.\n" });
    const { book, foundCount: total } = await importMarkdown({
      url: "https://host.example/notes%20of%20today.md",
      fetch,
    });
    expect(book.chapters).toEqual([{ kind: "page", path: "notes-of-today.md", title: "notes of today", chapters: [] }]);
    expect([book.texts.get("notes-of-today.md")?.text, total]).toEqual(["Just text.\n", 1]);
  });

  test("the raw file is fetched for a GitHub page", async () => {
    const { fetch, asked } = served({ "/o/r/raw/main/README.md": "# R\n" });
    await importMarkdown({ url: "https://github.com/o/r/blob/main/README.md", fetch });
    expect(asked).toEqual(["https://github.com/o/r/raw/main/README.md"]);
  });

  test.each([
    ["that is not there", new Response("", { status: 500 }), "returned the status 500"],
    ["that is a page of HTML", "<!DOCTYPE html><p>x", "HTML page"],
    ["that is empty", "  \n", "no text"],
    ["that is no text", Uint8Array.of(0x89, 0x50, 0xff, 0x00), "not in UTF-8"],
  ])("%s is rejected", async (_, answer, reason) => {
    const { fetch } = served({ "/a.md": answer });
    const done = importMarkdown({ url: "https://host.example/a.md", fetch });
    await expect(done).rejects.toThrow(ImportError);
    await expect(done).rejects.toThrow(reason);
  });

  test("S40: an endless file and images that are too large together are abandoned", async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1000)) });
    const { fetch } = served({ "/a.md": new Response(endless) });
    await expect(
      importMarkdown({ url: "https://host.example/a.md", fetch, limits: { maxBytes: 5000 } }),
    ).rejects.toThrow("more than 5000 bytes");
    const text = "![](1.png) ![](2.png)";
    const images = served({ "/a.md": text, "/1.png": PIXEL, "/2.png": PIXEL });
    const limits = { maxBytes: text.length + PIXEL.length + 5 };
    const { book } = await importMarkdown({ url: "https://host.example/a.md", fetch: images.fetch, limits });
    expect([book.files.size, book.skipped.length]).toEqual([1, 1]);
  });

  test("S8: names of images cannot lead to other paths", async () => {
    const { fetch } = served({ "/a.md": "![](%2e%2e%2f%2e%2e%2fetc%2fpasswd) ![](__proto__)", "/__proto__": PIXEL });
    const { book } = await importMarkdown({ url: "https://host.example/a.md", fetch });
    expect([...book.files.keys()]).toEqual([".gitbook/assets/__proto__"]);
  });

  test("an unreachable file is rejected", async () => {
    const fetch = (async () => {
      throw new TypeError("refused");
    }) as unknown as typeof globalThis.fetch;
    await expect(importMarkdown({ url: "https://host.example/a.md", fetch })).rejects.toThrow("could not be reached");
  });
});

test("bytes are read as text whatever type the server declares", async () => {
  const answer = new Response(strToU8("# A\n"), { headers: { "content-type": "application/octet-stream" } });
  const { book } = await importMarkdown({ url: "https://h.example/x", fetch: served({ "/x": answer }).fetch });
  expect([...book.texts.keys()]).toEqual(["a.md"]);
});
