// A documentation with every block that there is, as large as one can read it.

import type { Block, ContentRef } from "../../src/content/document";
import type { PrintedPage, PrintJob } from "../../src/content/print-job";
import { gradient, png } from "./pictures";
import { block, code, fragment, grid, h, inline, job, link, list, p, page, text, withFragments } from "./writing";

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
export const SAMPLE_PAGES: readonly PrintedPage[] = [
  introduction,
  { id: "guides", title: "Guides", depth: 0 },
  setup,
  reference,
  authentication,
];

/** The sample as a job. */
export function sample(changes: Partial<PrintJob> = {}): PrintJob {
  return job(SAMPLE_PAGES, {
    title: "Octavo documentation",
    subtitle: "Everything that there is",
    file: async (id) => (FILES[id] ? { bytes: FILES[id], contentType: "image/png" } : undefined),
    name: (ref) => NAMES[(ref as { file?: string }).file ?? Object.values(ref)[1] ?? ""],
    ...changes,
  });
}
