// Short texts that say something long: what they include, repeat or pad is counted before it is built.

import { memoryStorage } from "octavo/memory";
import { client, REPOSITORY, remote } from "../../resources/content/git-sync-remote";
import { type Form, publishSpace, readPage, succeed } from "../../resources/content/published-space";
import { setUp } from "../../support/setting";
import type { Attack, Traffic } from "./attack";

/** A page, and the reusable contents that it includes: the address of one stands for its number, as in `{% include "1" %}`. */
interface Written {
  readonly page: string;
  readonly reusables?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** The specification `api` of the organization. */
  readonly specification?: object;
}

async function answerBytes(...asked: Parameters<typeof readPage>): Promise<number> {
  const { status, bytes } = await readPage(...asked);
  if (status !== 200) throw new Error(`The page was answered with ${status}.`);
  return bytes.length;
}

/** A page that somebody without a token reads. Two pages say the same, because an answer that was given is given again. */
function read(form: Form, { page, reusables = [], variables = {}, specification }: Written): Attack["prepare"] {
  return async () => {
    const setting = await setUp(memoryStorage());
    const source = specification && JSON.stringify(specification);
    if (source) {
      const at = `/v1/orgs/${setting.org}/openapi/api`;
      await succeed(setting, 200, "admin", `PUT ${at}`, { source: { text: source } });
      await succeed(setting, 200, "admin", `PATCH ${at}`, { visibility: "public" });
    }
    const sentBytes = [page, source ?? "", ...reusables, ...Object.values(variables)].reduce(
      (sum, { length }) => sum + length,
      0,
    );
    const ids: string[] = [];
    const linked = (text: string) =>
      text.replace(/include "(\d)"/g, (_, n) => `include "/reusable-contents/${ids[n]}"`);
    const stage = await publishSpace(setting, async (space) => {
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
    return async (): Promise<Traffic> => ({
      sentBytes,
      answerBytes: await answerBytes(setting, stage, form, pages.pop()!),
    });
  };
}

/** A page of a Git repository, a book of mdBook. */
function synchronized(form: Form, files: Readonly<Record<string, string>>): Attack["prepare"] {
  return async () => {
    const setting = await setUp(memoryStorage(), {
      git: { client },
      fetch: async () => new Response(null, { status: 404 }),
    });
    remote.reset({
      "book.toml": "[book]\n",
      "src/SUMMARY.md": "# Summary\n\n- [Home](home.md)\n- [First](first.md)\n- [Second](second.md)\n",
      "src/home.md": "# Home\n",
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`src/${name}`, text])),
      "src/second.md": files["first.md"]!,
    });
    const stage = await publishSpace(setting, async (space) => {
      await succeed(setting, 204, "admin", `POST /v1/spaces/${space}/git/import`, {
        url: REPOSITORY,
        ref: "refs/heads/main",
      });
      await setting.api.maintain();
    });
    const pages = stage.pages.slice(1);
    const sentBytes = Object.values(files).reduce((sum, { length }) => sum + length, 0);
    return async (): Promise<Traffic> => ({
      sentBytes,
      answerBytes: await answerBytes(setting, stage, form, pages.pop()!),
    });
  };
}

const wide = (columns: number, rows: number) =>
  `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|\n${"x\n".repeat(rows)}`;
const label = `[^${">".repeat(980)}]: `;
const lines = `a\n${"\n".repeat(4_000)}b`;
const quoted = (marks: number, tags: number) => `${label.repeat(marks)}${"{% if true %}b{% endif %} ".repeat(tags)}`;
const spread = `<table>${`<tr>${"<td colspan=100 rowspan=100>x".repeat(5)}${"<tr>".repeat(99)}`.repeat(600)}</table>`;
const rating = (rows: number) =>
  `<table><thead><tr><th data-type="rating" data-max="999">a</th></tr></thead><tbody>${"<tr><td>999</td></tr>".repeat(rows)}</tbody></table>`;
const sum = (terms: number) => Array.from({ length: terms }, () => "page.vars.v").join("+");
const model = (members: number) => ({
  openapi: "3.1.0",
  info: { title: "API", version: "1" },
  paths: {},
  components: {
    schemas: {
      A: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: members }, (_, n) => [`m${n}`, { type: "string", description: "word ".repeat(300) }]),
        ),
      },
    },
  },
});
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
    prepare: read("site", { page: `${expression(sum(39))}\n\n`.repeat(2_000), variables: { v: "*".repeat(256) } }),
  },
  {
    name: "a schema of a specification, shown 1,000 times",
    budget: "size limit",
    inOnePiece: "the blocks of a page are drawn at once, within its budget",
    prepare: read("site", {
      page: '{% openapi-schemas spec="api" schemas="A" %}\n{% endopenapi-schemas %}\n\n'.repeat(1_000),
      specification: model(100),
    }),
  },
  {
    name: "1,000 searches of one long text in another",
    budget: "size limit",
    prepare: read("site", {
      page: `${expression(`(${sum(39)}).indexOf(${sum(10)}+"b"+${sum(10)})`)}\n`.repeat(1_000),
      variables: { v: "a".repeat(256) },
    }),
  },
];
