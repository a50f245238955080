// Texts that once cost far more to read than to send: pages that visitors read without a token, imports from a web that
// the attacker fills, texts that are translated.

import { strToU8, zipSync } from "fflate";
import { memoryStorage } from "octavo/memory";
import type { DocsApiOptions } from "../../../src/index";
import { publishSpace, succeed } from "../../resources/content/published-space";
import { type Setting, setUp } from "../../support/setting";
import type { Attack } from "./attack";

/** The most characters of a page. */
const LONGEST = 1 << 20;
const filled = (piece: string, size = LONGEST) => piece.repeat(Math.floor(size / piece.length));

async function newSpace(setting: Setting): Promise<string> {
  return (await succeed(setting, 201, "admin", `POST /v1/orgs/${setting.org}/spaces`, { title: "Guide" })).id;
}

/** Pages that say the same: an answer that was given already would be given again, so each is read once. */
async function newPages(setting: Setting, space: string, markdown: string): Promise<string[]> {
  const ids: string[] = [];
  for (const title of ["First", "Second"]) {
    const changes = [{ operation: "insert_page", title, document: { markdown } }];
    ids.push(
      (await succeed(setting, 200, "admin", `POST /v1/spaces/${space}/content`, { changes })).changes[0].page.id,
    );
  }
  return ids;
}

/** A page of a published site, read by somebody without a token. */
function readByAnybody(markdown: string, query = ""): Attack["prepare"] {
  return async () => {
    const setting = await setUp(memoryStorage());
    let pages: string[] = [];
    const { at, siteSpace } = await publishSpace(setting, async (space) => {
      pages = await newPages(setting, space, markdown);
    });
    return () => succeed(setting, 200, null, `GET ${at}/site-spaces/${siteSpace}/page/${pages.pop()}${query}`);
  };
}

/** A page as PDF, fetched by somebody without a token. */
function printedForAnybody(markdown: string): Attack["prepare"] {
  return async () => {
    const setting = await setUp(memoryStorage());
    const space = await newSpace(setting);
    const urls: string[] = [];
    for (const page of await newPages(setting, space, markdown)) {
      const { url } = await succeed(setting, 200, "read", `GET /v1/spaces/${space}/pdf?page=${page}&only=true`);
      urls.push(new URL(url).pathname);
    }
    return () => succeed(setting, 200, null, `GET ${urls.pop()}`);
  };
}

/** A page that is written. */
function written(markdown: string): Attack["prepare"] {
  return async () => {
    const setting = await setUp(memoryStorage());
    const space = await newSpace(setting);
    const changes = [{ operation: "insert_page", title: "Page", document: { markdown } }];
    return () => succeed(setting, 200, "edit", `POST /v1/spaces/${space}/content`, { changes });
  };
}

/** An import of what another host answers. */
function imported(source: string, address: string, body: string | Uint8Array, type: string): Attack["prepare"] {
  return async () => {
    const fetch: DocsApiOptions["fetch"] = async (input) =>
      String(input) === address
        ? new Response(body as BodyInit, { headers: { "content-type": type } })
        : new Response("Not here", { status: 404 });
    const setting = await setUp(memoryStorage(), { fetch });
    const space = await newSpace(setting);
    return () => setting.ask("edit", `POST /v1/spaces/${space}/content/import`, { url: address, source });
  };
}

const page = (html: string) =>
  imported("website", "https://site.example/", `<html><body>${html}</body></html>`, "text/html");
const archive = (files: Readonly<Record<string, string>>) =>
  imported(
    "zip",
    "https://files.example/book.zip",
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
    "application/zip",
  );

/** A translation of a page, from the request to its last commit. */
function translated(markdown: string): Attack["prepare"] {
  return async () => {
    const setting = await setUp(memoryStorage(), { translator: async ({ texts }) => texts.map((it) => it) });
    const spaces: string[] = [];
    for (let n = 0; n < 2; n++) {
      const space = await newSpace(setting);
      await newPages(setting, space, markdown);
      spaces.push(space);
    }
    return async () => {
      const send = { language: "de", source: { space: spaces.pop() } };
      await succeed(setting, 201, "create", `POST /v1/orgs/${setting.org}/translations`, send);
      for (let n = 0; n < 3; n++) {
        setting.clock.forward(60_000);
        await setting.api.maintain();
      }
    };
  };
}

const HARMLESS = "Some words of a text that means well, with a [link](page.md) and **weight**, line by line.\n\n";
const references = `${"[a]".repeat(66_666)}\n\n[a]: /${"b".repeat(800_000)}\n`;
const nested = (levels: number) => '<div class="admonition note">'.repeat(levels);

export const texts: readonly Attack[] = [
  {
    name: "a page that begins like front matter, with 40,000 tabs",
    budget: "few",
    prepare: readByAnybody(`---\na${"\t".repeat(40_000)}\n---\nx`),
  },
  {
    name: "66,666 links to one long definition, as a document",
    budget: "size limit",
    prepare: readByAnybody(references, "?format=document"),
  },
  {
    name: "66,666 links to one long definition, as they are written",
    budget: "size limit",
    prepare: written(references),
  },
  { name: "20 hints of nothing inside one another", budget: "few", prepare: page(nested(20)) },
  {
    name: "30,000 hints of nothing inside one another",
    budget: "size limit",
    inOnePiece: "HTML is made into Markdown page by page",
    prepare: page(nested(30_000)),
  },
  {
    name: "a contents of tabs and separators in an archive",
    budget: "few",
    prepare: archive({ "SUMMARY.md": `*${`${"\t".repeat(8_000)}\u2028\n*`.repeat(40)}`, "a.md": "# A\n" }),
  },
  { name: "a word of slashes that is translated", budget: "few", prepare: translated(`a${"/".repeat(100_000)}.`) },
  {
    name: "a page of a megabyte, as a document",
    budget: "size limit",
    prepare: readByAnybody(filled(HARMLESS), "?format=document"),
  },
  { name: "a page of a megabyte, as text", budget: "size limit", prepare: readByAnybody(filled(HARMLESS)) },
  { name: "a page of a megabyte, as PDF", budget: "size limit", prepare: printedForAnybody(filled(HARMLESS)) },
  {
    name: "a megabyte of links, as a document",
    budget: "size limit",
    prepare: readByAnybody(filled("[a](b) "), "?format=document"),
  },
  {
    name: "a megabyte of headings, as a document",
    budget: "size limit",
    prepare: readByAnybody(filled("# a\n"), "?format=document"),
  },
  {
    name: "a megabyte of short paragraphs, as PDF",
    budget: "size limit",
    prepare: printedForAnybody(filled("a\n\n")),
  },
  { name: "a megabyte of one word, as PDF", budget: "size limit", prepare: printedForAnybody(filled("a")) },
];
