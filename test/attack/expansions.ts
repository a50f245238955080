// Short texts that say something long: what they include, repeat or pad is counted before it is built.

import { memoryStorage } from "octavo/memory";
import { createSite } from "octavo/site";
import { client, REPOSITORY, remote } from "../resources/git-sync-remote";
import { type Setting, setUp } from "../setting";
import type { Attack, Traffic } from "./attack";

/** A page, and the reusable contents that it includes: the address of one stands for its number, as in `{% include "1" %}`. */
interface Written {
  readonly page: string;
  readonly reusables?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** How readers get a page. */
type Form = "site" | "markdown" | "llms" | "pdf" | "document";

async function succeed(setting: Setting, status: number, ...asked: Parameters<Setting["ask"]>) {
  const answer = await setting.ask(...asked);
  if (answer.status !== status) throw new Error(`${asked[1]}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A published site with a space that `fill` writes; the pages are in the order of reading. */
async function published(setting: Setting, fill: (space: string) => Promise<void>) {
  const { org } = setting;
  const space: string = (await succeed(setting, 201, "admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).id;
  await fill(space);
  const sites = `/v1/orgs/${org}/sites`;
  const send = { title: "Docs", visibility: "public", spaces: [space] };
  const at = `${sites}/${(await succeed(setting, 201, "admin", `POST ${sites}`, send)).id}`;
  const url: string = (await succeed(setting, 200, "admin", `POST ${at}/publish`)).urls.published;
  const [siteSpace] = (await succeed(setting, 200, "admin", `GET ${at}/site-spaces`)).items;
  const site = createSite(setting.api);
  const { pages } = await succeed(setting, 200, "admin", `GET /v1/spaces/${space}/content/pages`);
  return { space, url: url.replace(/\/$/, ""), at, siteSpace: siteSpace.id as string, site, pages };
}

type Published = Awaited<ReturnType<typeof published>>;

/** Asks for a page as somebody without a token does, and gives the bytes of the answer. */
async function get(setting: Setting, { site, url, at, siteSpace, space }: Published, form: Form, page: Page) {
  let path = `${url}/${page.path}`;
  if (form === "markdown") path += ".md";
  if (form === "llms") path = `${url}/llms-full.txt?from=${siteSpace}.${page.id}`;
  if (form === "document") path = `http://test.invalid${at}/site-spaces/${siteSpace}/page/${page.id}?format=document`;
  if (form === "pdf")
    path = (await succeed(setting, 200, "read", `GET /v1/spaces/${space}/pdf?page=${page.id}&only=true`)).url;
  const response = await site.fetch(new Request(path));
  let bytes = 0;
  for await (const piece of response.body!) bytes += piece.length;
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return bytes;
}

interface Page {
  readonly id: string;
  readonly path: string;
}

/** A page that somebody without a token reads. Two pages say the same, because an answer that was given is given again. */
function read(form: Form, { page, reusables = [], variables = {} }: Written): Attack["prepare"] {
  return async () => {
    const setting = await setUp(memoryStorage());
    const sentBytes = [page, ...reusables, ...Object.values(variables)].reduce((sum, { length }) => sum + length, 0);
    const ids: string[] = [];
    const linked = (text: string) =>
      text.replace(/include "(\d)"/g, (_, n) => `include "/reusable-contents/${ids[n]}"`);
    const stage = await published(setting, async (space) => {
      const change = async (...changes: object[]) =>
        succeed(setting, 200, "admin", `POST /v1/spaces/${space}/content`, { changes });
      for (const markdown of reusables) {
        const document = { markdown: linked(markdown) };
        const { changes } = await change({ operation: "insert_reusable_content", title: "Part", document });
        ids.push(changes[0].reusableContent);
      }
      for (const title of ["Home", "First", "Second"]) {
        const document = { markdown: title === "Home" ? "" : linked(page) };
        await change({ operation: "insert_page", title, document, ...(title === "Home" ? {} : { variables }) });
      }
    });
    const pages = stage.pages.slice(1);
    return async (): Promise<Traffic> => ({ sentBytes, answerBytes: await get(setting, stage, form, pages.pop()) });
  };
}

/** A page of a Git repository, a book of mdBook. */
function synchronized(form: Form, files: Readonly<Record<string, string>>): Attack["prepare"] {
  return async () => {
    const setting = await setUp(memoryStorage(), { git: { client }, fetch: async () => new Response(null, { status: 404 }) });
    remote.reset({
      "book.toml": "[book]\n",
      "src/SUMMARY.md": "# Summary\n\n- [Home](home.md)\n- [First](first.md)\n- [Second](second.md)\n",
      "src/home.md": "# Home\n",
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`src/${name}`, text])),
      "src/second.md": files["first.md"]!,
    });
    const stage = await published(setting, async (space) => {
      await succeed(setting, 204, "admin", `POST /v1/spaces/${space}/git/import`, {
        url: REPOSITORY,
        ref: "refs/heads/main",
      });
      await setting.api.maintain();
    });
    const pages = stage.pages.slice(1);
    const sentBytes = Object.values(files).reduce((sum, { length }) => sum + length, 0);
    return async (): Promise<Traffic> => ({ sentBytes, answerBytes: await get(setting, stage, form, pages.pop()) });
  };
}

const wide = (columns: number, rows: number) =>
  `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${"x\n".repeat(rows)}`;
const label = `[^${">".repeat(980)}]: `;
const lines = `a\n${"\n".repeat(4_000)}b`;
const quoted = (marks: number, tags: number) => `${label.repeat(marks)}${"{% if true %}b{% endif %} ".repeat(tags)}`;
const spread = `<table><tr>${"<td colspan=100 rowspan=100>".repeat(5)}${"<tr>".repeat(60_000)}</table>`;
const rating = (rows: number) =>
  `<table><thead><tr><th data-type="rating" data-max="999">a</th></tr></thead><tbody>${"<tr><td>999</td></tr>".repeat(rows)}</tbody></table>`;
const sum = (terms: number) => Array.from({ length: terms }, () => "page.vars.v").join("+");
const expression = (of: string) => `<code class="expression">${of}</code>`;

export const expansions: readonly Attack[] = [
  {
    name: "a content of 4,000 empty lines, included 100 times behind a label",
    budget: "size limit",
    prepare: read("site", {
      page: `${label}{% include "1" %}\n`,
      reusables: [lines, '{% include "0" %}\n\n'.repeat(100)],
    }),
  },
  {
    name: "the same behind two labels",
    budget: "size limit",
    prepare: read("site", {
      page: `${label}${label}{% include "1" %}\n`,
      reusables: [lines, '{% include "0" %}\n\n'.repeat(100)],
    }),
  },
  { name: "20 KB of conditions behind a label", budget: "size limit", prepare: read("site", { page: quoted(1, 740) }) },
  {
    name: "280 KB of conditions behind a label",
    budget: "size limit",
    prepare: read("site", { page: quoted(1, 10_300) }),
  },
  ...(["site", "markdown", "document", "pdf", "llms"] as const).map(
    (form): Attack => ({
      name: `10 KB of a table with short rows, as ${form}`,
      budget: form === "pdf" ? "job" : "size limit",
      prepare: read(form, { page: wide(1_700, 1_700) }),
    }),
  ),
  {
    name: "24 KB of a table with short rows",
    budget: "size limit",
    prepare: read("site", { page: wide(4_000, 4_000) }),
  },
  ...(["site", "pdf", "llms"] as const).map(
    (form): Attack => ({
      name: `30,000 blanks before a file of 30,000 lines that a book includes, as ${form}`,
      budget: "size limit",
      prepare: synchronized(form, {
        "first.md": `${" ".repeat(30_000)}{{#include part.txt}}\n`,
        "part.txt": "a\n".repeat(30_000),
      }),
    }),
  ),
  {
    name: "a table of HTML whose cells take 100 rows",
    budget: "size limit",
    prepare: read("site", { page: spread }),
  },
  { name: "ratings of 999 stars", budget: "size limit", prepare: read("site", { page: rating(4_000) }) },
  {
    name: "a value beside 20,000 links to one long definition",
    budget: "size limit",
    prepare: read("site", {
      page: `${expression("page.vars.v")}${"[a]".repeat(20_000)}\n\n[a]: /${"b".repeat(200_000)}\n`,
      variables: { v: "c" },
    }),
  },
  {
    name: "2,000 sums of a long variable",
    budget: "size limit",
    prepare: read("site", {
      page: `${expression(sum(39))}\n\n`.repeat(2_000),
      variables: { v: "*".repeat(256) },
    }),
  },
];
