// A documentation with every block, printed and read back with pdf.js: with fonts that are embedded, and without any.

import { beforeAll, describe, expect, test } from "vitest";
import type { Block, ContentRef } from "../../src/content/document";
import type { PrintedPage, PrintJob } from "../../src/content/print-job";
import { pdfPrinter } from "../../src/pdf";
import { NOTO } from "./fonts";
import { gradient, png } from "./pictures";
import { type ReadPdf, type ReadSheet, readPdf } from "./reader";
import { block, code, fragment, grid, h, inline, job, link, list, p, page, text, withFragments } from "./writing";

// A documentation with every block that there is, as large as one can read it.

const web = (url: string): ContentRef => ({ kind: "url", url });

const FILES: Readonly<Record<string, Uint8Array>> = {
  "fil-photo": gradient(640, 360),
  "fil-icon": png({
    width: 32,
    height: 32,
    colourType: 6,
    pixel: (x, y) => [31, 87, 195, (x - 16) ** 2 + (y - 16) ** 2 < 200 ? 255 : 0],
  }),
  "fil-small": gradient(160, 100),
};

const NAMES: Readonly<Record<string, string>> = {
  "fil-manual": "installation-manual.zip",
  "usr-ada": "Ada Lovelace",
  authentication: "Authentication",
  petstore: "Pet store",
};

const introduction: PrintedPage = {
  ...page(
    "Introduction",
    0,
    p(
      "Octavo keeps documentation. This paragraph has ",
      text("bold text", "bold"),
      ", ",
      text("italic text", "italic"),
      ", ",
      text("both", "bold", "italic"),
      ", ",
      text("inline code", "code"),
      ", a key ",
      text("Ctrl", "keyboard"),
      ", ",
      text("what is gone", "strikethrough"),
      ", water as H",
      text("2", "subscript"),
      "O and area as m",
      text("2", "superscript"),
      ". It leads to ",
      link("the website", web("https://example.com/start?a=1&b=(2)")),
      ", to ",
      link("another page", { kind: "page", page: "authentication" }),
      " and to ",
      link("a heading on it", { kind: "anchor", page: "authentication", anchor: "tokens" }),
      "; formulas such as ",
      inline("inline-math", { formula: "e^{i\\pi}+1=0" }),
      " are printed as they are written, expressions such as ",
      inline("expression", { expression: "space.vars.version" }),
      " too. A picture ",
      inline("inline-image", { ref: { kind: "file", file: "fil-icon" }, size: "line" }),
      " can stand in the line, and so can ",
      inline("mention", { ref: { kind: "user", user: "usr-ada" } }),
      ".",
    ),
    p(
      "A note can hang on ",
      {
        ...inline("annotation", {}, "some words"),
        fragments: [fragment("annotation-body", "n1", p("This is the body of the note."))],
      } as never,
      ", and a ",
      inline("button", { label: "Get started", kind: "primary", ref: web("https://example.com/go") }),
      " button is a link in print.",
    ),
    h(1, "What is in the box", "box"),
    list(
      "list-unordered",
      "First point",
      [
        p("Second point with a list"),
        list("list-unordered", "Inner point", [p("Inner with numbers"), list("list-ordered", "Deep one", "Deep two")]),
      ],
      "Third point, which is long enough that it has to be broken over two lines in order to show how the second line is moved in",
    ),
    list("list-ordered", "Download the package", "Read the manual", "Start the server"),
    block(
      "list-tasks",
      {},
      block("list-item", { checked: true }, p("A task that is done")),
      block("list-item", { checked: false }, p("A task that is open")),
    ),
    h(2, "Hints", "hints"),
    block("hint", { style: "info" }, p("Information: the server listens on port 8080.")),
    block("hint", { style: "success" }, p("Success: everything is in place.")),
    block(
      "hint",
      { style: "warning" },
      p("Warning: keep the token secret."),
      list("list-unordered", "in the environment", "never in the repository"),
    ),
    block("hint", { style: "danger" }, p("Danger: this cannot be undone.")),
    block(
      "blockquote",
      {},
      p(
        "A quotation that somebody said once, and that is repeated here with all of its words so that it takes a second line.",
      ),
    ),
  ),
  description: "What Octavo is, and what can be done with it.",
};

const setup = page(
  "Set up",
  1,
  p("Code is printed in fixed width:"),
  code(
    'import { createDocsApi } from "octavo";\nimport { memoryStorage } from "octavo/memory";\n\nconst api = createDocsApi(memoryStorage(), {\n\tsecret: process.env.SECRET,\n});\nexport default { fetch: api.fetch }; // a comment that makes this line much longer than there is room for on a sheet of paper',
    { title: "server.ts", syntax: "ts", lineNumbers: true },
  ),
  code("├── src\n│   ├── index.ts\n│   └── api.ts\n└── package.json"),
  block(
    "tabs",
    {},
    block("tabs-item", { title: "npm" }, p("With npm:"), code("npm install octavo")),
    block("tabs-item", { title: "Yarn" }, p("With Yarn:"), code("yarn add octavo")),
  ),
  withFragments(
    block("expandable", {}),
    fragment("expandable-title", "t", p("Why is there no binary?")),
    fragment("expandable-body", "b", p("Because it runs inside of your own server."), p("That is the point of it.")),
  ),
  block(
    "stepper",
    {},
    block("stepper-step", {}, h(3, "Install", "install"), p("Install the package.")),
    block("stepper-step", {}, h(3, "Configure"), p("Set the secret."), code("export SECRET=…")),
    block("stepper-step", {}, h(3, "Start"), p("Start the server.")),
  ),
  block(
    "columns",
    {},
    block(
      "column",
      { width: 60 },
      p("The left column has more room, and what it says is therefore a little longer than what the other one says."),
    ),
    block("column", {}, p("The right column has less.")),
  ),
  block("divider", {}),
  block("math", { formula: "\\int_0^1 x^2 \\, dx = \\frac{1}{3}" }),
  block("embed", { url: "https://video.example.com/watch?v=1" }),
  block("file", { ref: { kind: "file", file: "fil-manual" } }),
  block("content-ref", { ref: { kind: "page", page: "authentication" } }),
);

const reference = page(
  "Pictures and tables",
  1,
  block(
    "images",
    { align: "center" },
    withFragments(
      block("image", { ref: { kind: "file", file: "fil-photo" }, alt: "A gradient" }),
      fragment("caption", "c", p("A picture with a caption")),
    ),
  ),
  block(
    "images",
    {},
    block("image", { ref: { kind: "file", file: "fil-small" } }),
    block("image", { ref: { kind: "file", file: "fil-small" } }),
  ),
  block("images", {}, block("image", { ref: web("https://example.com/outside.png"), alt: "A picture from outside" })),
  grid(
    ["Option", "Type", "Description"],
    [
      [
        "secret",
        "string",
        "What tokens and cursors are sealed with. At least 32 bytes, and the same in every process.",
      ],
      [block("paragraph", {}, text("now", "code")), "function", "The clock; tests give their own."],
      [
        "limits",
        "object",
        block(
          "list-unordered",
          {},
          block("list-item", {}, p("requests a minute")),
          block("list-item", {}, p("bytes of a body")),
        ),
      ],
    ],
  ),
  typedTable(),
  cards(),
);

const authentication = page(
  "Authentication",
  0,
  p("Every request carries a token."),
  h(1, "Tokens", "tokens"),
  p("A token begins with its kind. See ", link("the introduction", { kind: "page", page: "introduction" }), "."),
  block("openapi-operation", {
    ref: { kind: "openapi", spec: "petstore" },
    path: "/orgs/{organizationId}/tokens",
    method: "post",
  }),
  block("swagger", { ref: { kind: "openapi", spec: "petstore" }, path: "/pets", method: "get" }),
  block("openapi-webhook", { ref: { kind: "openapi", spec: "petstore" }, name: "petAdopted", method: "post" }),
  block("openapi-schemas", { ref: { kind: "openapi", spec: "petstore" }, schemas: ["Pet", "Owner"] }),
  block("integration", { integration: "mermaid", block: "diagram", props: {}, url: "https://mermaid.example.com/d/1" }),
  block(
    "reusable-content",
    { ref: { kind: "reusable-content", reusableContent: "rc" } },
    p("What several pages share."),
  ),
  block("if", { expression: "visitor.claims.beta" }, p("What only some people see.")),
  block("updates", {}, block("update", { date: "2026-02-01", tags: ["feature"] }, p("Tokens can expire."))),
  block("unknown", { source: "<video><!-- hidden -->a film</video>" }),
);

function typedTable(): Block {
  const definition = {
    name: { id: "name", title: "Name", type: "text" as const },
    count: { id: "count", title: "Count", type: "number" as const, textAlignment: "right" as const },
    done: { id: "done", title: "Done", type: "checkbox" as const },
    rating: { id: "rating", title: "Rating", type: "rating" as const, max: 5 },
    state: { id: "state", title: "State", type: "select" as const, options: [{ value: "a", label: "Active" }] },
    see: { id: "see", title: "See", type: "content-ref" as const },
    who: { id: "who", title: "Who", type: "users" as const },
  };
  const view = { type: "grid" as const, columns: Object.keys(definition), hideHeader: false };
  const see: ContentRef = { kind: "page", page: "authentication" };
  const who: ContentRef = { kind: "user", user: "usr-ada" };
  const records = {
    b: { orderIndex: "b", values: { name: "second", count: 7, done: false, rating: 2, state: ["a"] } },
    a: { orderIndex: "a", values: { name: "first", count: 42, done: true, rating: 4, state: ["a"], see, who: [who] } },
  };
  return withFragments(
    block("table", { view, records, definition }),
    fragment("cell", "first", p("Row one")),
    fragment("cell", "second", p("Row two")),
  );
}

function cards(): Block {
  const definition = {
    title: { id: "title", title: "", type: "text" as const },
    cover: { id: "cover", title: "Cover", type: "files" as const },
    target: { id: "target", title: "Target", type: "content-ref" as const },
  };
  const records = Object.fromEntries(
    ["Quick start", "Guides", "API"].map((name, at) => {
      const values = {
        title: `t${at}`,
        cover: [{ kind: "file", file: "fil-small" }] as ContentRef[],
        target: { kind: "page", page: "authentication" } as ContentRef,
      };
      return [name, { orderIndex: String(at), values }];
    }),
  );
  const view = {
    type: "cards" as const,
    cardSize: "medium" as const,
    columns: ["title"],
    coverDefinition: "cover",
    targetDefinition: "target",
  };
  return withFragments(
    block("table", { view, records, definition }),
    ...["Quick start", "Guides", "API"].map((name, at) =>
      fragment("cell", `t${at}`, p(text(name, "bold")), p(`Card number ${at + 1}`)),
    ),
  );
}

/** The pages of the sample: a page, a group with two pages, and a page. */
const SAMPLE_PAGES: readonly PrintedPage[] = [
  introduction,
  { id: "guides", title: "Guides", depth: 0 },
  setup,
  reference,
  authentication,
];

/** The sample as a job. */
function sample(changes: Partial<PrintJob> = {}): PrintJob {
  return job(SAMPLE_PAGES, {
    title: "Octavo documentation",
    subtitle: "Everything that there is",
    file: async (id) => (FILES[id] ? { bytes: FILES[id], contentType: "image/png" } : undefined),
    name: (ref) => NAMES[(ref as { file?: string }).file ?? Object.values(ref)[1] ?? ""],
    ...changes,
  });
}

/** What is written in the sample, in reading order; "…" stands for what the two kinds of fonts print differently. */
const WRITTEN = [
  // The title and the contents
  "Octavo documentation Everything that there is March 14, 2026",
  "Contents Introduction 3 Guides 5 Set up 5 Pictures and tables 7 Authentication 9",
  // Introduction
  "Introduction What Octavo is, and what can be done with it.",
  "Octavo keeps documentation. This paragraph has bold text, italic text, both, inline code, a key Ctrl, what is gone",
  "It leads to the website, to another page and to a heading on it; formulas such as eiπ+1=0 are printed",
  "expressions such as space.vars.version too.",
  "and so can Ada Lovelace",
  "A note can hang on some words",
  "Get started",
  "What is in the box",
  "First point",
  "Second point with a list",
  "Inner point",
  "Inner with numbers",
  "Deep one",
  "Deep two",
  "Third point",
  "Download the package",
  "Read the manual",
  "Start the server",
  "A task that is done",
  "A task that is open",
  "Hints",
  "Information: the server listens on port 8080.",
  "Success: everything is in place.",
  "Warning: keep the token secret.",
  "in the environment",
  "never in the repository",
  "Danger: this cannot be undone.",
  "A quotation that somebody said once",
  "Notes",
  "This is the body of the note.",
  // Set up
  "Guides Set up",
  "Code is printed in fixed width:",
  "server.ts",
  'import { createDocsApi } from "octavo";',
  'import { memoryStorage } from "octavo/memory";',
  "secret: process.env.SECRET,",
  "export default { fetch: api.fetch }; // a comment that makes this line much longer",
  "package.json",
  "npm With npm:",
  "npm install octavo",
  "Yarn With Yarn:",
  "yarn add octavo",
  "Why is there no binary?",
  "Because it runs inside of your own server.",
  "That is the point of it.",
  "Install",
  "Install the package.",
  "Configure",
  "Set the secret.",
  "export SECRET=…",
  "Start",
  "Start the server.",
  "The left column has more room",
  "The right column has less.",
  "x2dx = 13",
  "https://video.example.com/watch?v=1",
  "installation-manual.zip",
  "Authentication",
  // Pictures and tables
  "Pictures and tables",
  "A picture with a caption",
  "A picture from outside https://example.com/outside.png",
  "Option Type Description",
  "secret string What tokens and cursors are sealed with.",
  "now function The clock; tests give their own.",
  "limits object",
  "requests a minute",
  "bytes of a body",
  "Name Count Done Rating State See Who",
  "Row one 42",
  "Active Authentication Ada Lovelace",
  "Row two 7",
  "Quick start Card number 1 Guides Card number 2 API Card number 3",
  // Authentication
  "Every request carries a token.",
  "Tokens",
  "A token begins with its kind. See the introduction.",
  "POST /orgs/{organizationId}/tokens",
  "GET /pets",
  "POST petAdopted",
  "Pet store: Pet, Owner",
  "mermaid · diagram",
  "What several pages share.",
  "What only some people see.",
  "2026-02-01 · feature",
  "Tokens can expire.",
  "a film",
];

describe.each([
  ["with Noto", { fonts: NOTO }],
  ["with the standard fonts", {}],
])("the sample %s", (_, options) => {
  let pdf: ReadPdf;
  beforeAll(async () => {
    pdf = await readPdf(await pdfPrinter(options).print(sample()));
  });

  test("the sample contains all text in order", () => {
    const squeezed = (words: string) => words.replace(/\s+/g, "");
    const whole = squeezed(pdf.text);
    let at = 0;
    for (const words of WRITTEN) {
      const found = whole.indexOf(squeezed(words), at);
      expect.soft(found, `"${words}" after "…${whole.slice(Math.max(0, at - 40), at)}"`).toBeGreaterThanOrEqual(at);
      if (found >= 0) at = found + squeezed(words).length;
    }
    expect(pdf.text).not.toContain("could not be printed");
    expect(pdf.text).not.toContain("hidden");
  });

  test("the sample has nested bookmarks for every page, group and heading", () => {
    const nested = (items: ReadPdf["bookmarks"]): unknown =>
      items.map(({ title, items: below }) => [title, nested(below)]);
    expect(nested(pdf.bookmarks)).toEqual([
      ["Introduction", [["What is in the box", [["Hints", []]]]]],
      [
        "Guides",
        [
          [
            "Set up",
            [
              ["Install", []],
              ["Configure", []],
              ["Start", []],
            ],
          ],
          ["Pictures and tables", []],
        ],
      ],
      ["Authentication", [["Tokens", []]]],
    ]);
    const authentication = pdf.bookmarks.at(-1)!;
    expect(pdf.sheets[authentication.sheet - 1]!.lines[0]).toBe("Authentication");
  });

  test("the sample has contents with the page numbers of the sheets", () => {
    const entries = pdf.sheets[1]!.links.map(({ text, sheet }) => [text, sheet] as const);
    expect(entries.map(([text]) => text)).toEqual([
      "Introduction 3",
      "Guides 5",
      "Set up 5",
      "Pictures and tables 7",
      "Authentication 9",
    ]);
    for (const [text, sheet] of entries) {
      const number = text.split(" ").at(-1)!;
      expect(sheet).toBe(Number(number));
      expect(pdf.sheets[sheet! - 1]!.lines).toContain(text.slice(0, -number.length - 1));
    }
  });

  test("the sample has the title and the page number at the foot of every sheet but the first", () => {
    expect(pdf.sheets[0]!.lines).toEqual(["Octavo documentation", "Everything that there is", "March 14, 2026"]);
    for (const [at, sheet] of pdf.sheets.entries())
      if (at > 0) expect(sheet.lines.at(-1)).toBe(`Octavo documentation ${at + 1}`);
  });

  test("the sample has links that lead to their targets", () => {
    const authentication = pdf.bookmarks.at(-1)!;
    const [tokens] = authentication.items;
    expect(leads(pdf.sheets[2]!)).toEqual([
      "https://example.com/start?a=1&b=(2)",
      9, // another page
      9, // a heading on it
      4, // the note
      "https://example.com/go",
    ]);
    const [, page, heading] = pdf.sheets[2]!.links;
    expect(authentication.sheet).toBe(9);
    expect(tokens).toMatchObject({ title: "Tokens", sheet: 9 });
    expect(heading!.y).toBeLessThan(page!.y!);
    expect(leads(pdf.sheets[5]!)).toEqual(["https://video.example.com/watch?v=1", 9]);
    expect(leads(pdf.sheets[6]!)).toEqual(["https://example.com/outside.png", 9]);
    expect(pdf.sheets[7]!.links.map(({ sheet }) => sheet)).toEqual([9, 9, 9]);
    expect(leads(pdf.sheets[8]!)).toEqual([3, "https://mermaid.example.com/d/1"]);
  });

  test("the sample shows its pictures", () => {
    expect(pdf.sheets.map(({ pictures }) => pictures.length)).toEqual([0, 0, 1, 0, 0, 0, 3, 3, 0]);
  });

  test("the sample has document information", () => {
    expect(pdf.info).toMatchObject({
      Title: "Octavo documentation",
      Subject: "Everything that there is",
      CreationDate: "D:20260314092653Z",
      Producer: "Octavo",
      Language: "en",
    });
  });
});

/** Where the links of a sheet lead, in order. One that is broken over two lines counts once. */
function leads({ links }: ReadSheet): (string | number | undefined)[] {
  const isSame = (at: number) => links[at - 1]?.sheet === links[at]!.sheet && links[at - 1]?.y === links[at]!.y;
  return links.flatMap(({ url, sheet }, at) => (sheet && isSame(at) ? [] : [url ?? sheet]));
}

test("the same job gives the same bytes, at once or in pieces", async () => {
  const printer = pdfPrinter({ fonts: NOTO });
  const bytes = await printer.print(sample());
  expect(await printer.print(sample())).toEqual(bytes);
  const pieces: Uint8Array[] = [];
  for await (const piece of printer.stream(sample())) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(pieces.length).toBeGreaterThan(1);
});
