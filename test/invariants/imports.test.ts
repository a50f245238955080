// Imports run one way. The layers below are ordered from the bottom to the top: a file imports files of its own layer and of
// the layers that its own lists, all of which come before it. There are no import cycles, not even between types.

import { readdir, readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { posix } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";

interface Layer {
  readonly name: string;
  /** A file belongs to the first layer whose pattern matches its path, without its extension. */
  readonly files: RegExp;
  /** The layers that it imports. All of them come before it. */
  readonly imports: readonly string[];
  /** Layers from which it imports only types, which are gone when the code runs. */
  readonly importsTypesOf?: readonly string[];
}

const layer = (name: string, files: RegExp, imports: string[] = [], importsTypesOf: string[] = []): Layer => ({
  name,
  files,
  imports,
  importsTypesOf,
});

/** What every module of resources imports, besides other modules of resources. */
const FOUNDATION = [
  ...["utils", "errors", "storage contract", "storage", "locales", "content", "git client types", "sandbox types"],
  ...["translator errors", "specifications", "ports", "mail", "audit", "jobs", "operation"],
];

/** The layers from the bottom to the top. */
const layers: readonly Layer[] = [
  layer("utils", /^src\/utils\//),
  layer("locales", /^src\/locales\//, ["utils"]),
  layer("package.json", /^package\.json$/),
  layer("error reasons", /^src\/generated\/reasons$/),
  layer("errors", /^src\/errors$/, ["error reasons"]),
  layer("storage contract", /^src\/storage\/(storage|limits)$/),
  layer("storage", /^src\/storage\//, ["storage contract", "utils"]),
  layer("shared by adapters", /^adapters\/[^/]+$/, ["storage contract", "utils"]),
  layer("memory adapter", /^adapters\/memory\//, ["shared by adapters", "utils"]),
  layer("level adapter", /^adapters\/level\//, ["shared by adapters", "utils"]),
  layer("s3 adapter", /^adapters\/s3\//, ["shared by adapters", "utils"]),
  layer("r2 adapter", /^adapters\/r2\//, ["shared by adapters", "s3 adapter", "utils"]),
  layer("postgres adapter", /^adapters\/postgres\//, ["shared by adapters", "utils"]),
  layer("durable objects adapter", /^adapters\/durable-objects\//, ["shared by adapters", "utils"]),
  layer("conformance", /^adapters\/conformance\//, ["shared by adapters"]),
  layer("formulas", /^src\/content\/formulas$/, ["utils"]),
  layer("content", /^src\/content\//, ["utils"]),
  layer("git client types", /^src\/git\/port$/, ["utils"]),
  layer("git", /^src\/git\//, ["git client types", "utils"]),
  layer(
    "specifications",
    /^src\/openapi\/(specifications|model|markdown|html|browser)(\/|$)/,
    ["content", "utils"],
    ["locales"],
  ),
  layer("sandbox types", /^src\/sandbox\/port$/),
  layer("sandbox", /^src\/sandbox\//, ["sandbox types", "utils"]),
  layer("translator errors", /^src\/translators\/errors$/),
  layer("translators", /^src\/translators\//, ["translator errors", "utils"], ["content"]),
  layer("importers", /^src\/importers\//, ["content", "git client types", "git", "utils"]),
  layer("pdf", /^src\/pdf\//, ["utils", "formulas"], ["content"]),
  layer(
    "ports",
    /^src\/ports\//,
    ["content", "errors", "storage", "sandbox", "sandbox types", "importers", "utils"],
    ["git client types"],
  ),
  layer("mail", /^src\/mail\//, ["locales", "utils"], ["ports"]),
  layer("audit", /^src\/audit\//, ["storage contract", "storage", "utils"]),
  layer("jobs", /^src\/jobs\//, ["storage contract", "storage", "utils"], ["ports", "audit"]),
  layer("operation", /^src\/operation\//, ["storage contract", "storage", "errors", "utils", "ports", "jobs"]),
  layer("generated types", /^src\/generated\//, [], ["operation"]),
  layer("people", /^src\/resources\/people\//, FOUNDATION),
  layer("library", /^src\/resources\/library\//, [...FOUNDATION, "people"]),
  layer("resources of content", /^src\/resources\/content\//, [...FOUNDATION, "people", "library"]),
  layer("sites", /^src\/resources\/sites\//, [...FOUNDATION, "people", "library", "resources of content"]),
  layer("integrations", /^src\/resources\/integrations\//, [
    ...[...FOUNDATION, "people", "library", "resources of content", "sites"],
  ]),
  layer("service", /^src\/resources\/service\//, [...FOUNDATION, "people"]),
  layer(
    "execution",
    /^src\/execution\//,
    ["storage contract", "storage", "errors", "utils", "jobs", "operation", "audit"],
    ["ports"],
  ),
  layer("operations", /^src\/operations$/, [
    ...["people", "library", "resources of content", "sites", "integrations", "service", "execution", "operation"],
    ...["jobs", "generated types"],
  ]),
  layer("http", /^src\/http\//, [
    ...["utils", "locales", "storage contract", "storage", "errors", "operation", "execution", "audit"],
  ]),
  layer("openapi", /^src\/openapi\//, [
    ...["utils", "locales", "errors", "operation", "execution", "http", "specifications"],
  ]),
  layer("mcp", /^src\/mcp\/[^/]+$/, ["errors", "utils", "operation", "http"]),
  layer(
    "client",
    /^src\/client\//,
    ["generated types", "utils"],
    ["errors", "error reasons", "operation", "operations"],
  ),
  layer(
    "agents",
    /^src\/mcp\/agents\//,
    ["errors", "utils", "http", "mcp", "operation"],
    ["generated types", "operations"],
  ),
  layer("events", /^src\/events\//, [
    ...["audit", "content", "resources of content", "storage contract", "errors", "execution", "operation", "storage"],
    ...["jobs", "utils"],
  ]),
  layer("internals", /^src\/api\/(internals|internal-client)$/, [
    ...["client", "errors", "execution", "http", "operation", "operations", "people", "sites", "storage"],
    ...["storage contract", "utils"],
  ]),
  layer("secret check", /^src\/api\/(secret-check|reseal)$/, ["storage contract", "errors", "storage", "utils"]),
  layer("provision", /^src\/api\/provision$/, ["errors", "operation", "people", "storage", "utils"]),
  layer("api", /^src\/api\//, [
    ...["internals", "secret check", "provision", "package.json", "utils", "errors", "storage contract", "storage"],
    ...["content", "git client types", "git", "sandbox types", "sandbox", "pdf", "ports", "audit", "jobs", "operation"],
    ...["people", "resources of content", "sites", "integrations", "execution", "operations", "http", "openapi"],
    ...["agents", "events"],
  ]),
  layer(
    "sign-in",
    /^src\/sign-in\//,
    [
      ...["internals", "api", "agents", "http", "execution", "people", "operation", "errors", "storage", "utils"],
      ...["locales", "mail", "jobs", "audit"],
    ],
    ["generated types"],
  ),
  layer(
    "site",
    /^src\/site\//,
    [
      ...["internals", "api", "package.json", "mcp", "http", "execution", "sites", "formulas", "content", "operation"],
      ...["operations", "generated types", "errors", "storage contract", "storage", "specifications", "locales"],
      "utils",
    ],
    ["ports"],
  ),
  // It runs in the browser of a writer: it reaches the API through its client, and renders pages as the site does.
  layer(
    "console application",
    /^src\/console\/app\//,
    ["client", "content", "locales", "site", "utils"],
    ["generated types", "operations", "events"],
  ),
  layer("console", /^src\/console\//, ["internals", "api", "http", "execution", "site", "errors", "locales", "utils"]),
  layer("storage tools", /^src\/storage-tools\//, [
    ...["storage contract", "storage", "utils", "secret check", "audit", "execution", "operations", "provision"],
    ...["sign-in", "jobs"],
  ]),
  layer("node", /^src\/node\//, ["errors", "utils", "storage", "http"], ["storage contract", "ports", "api"]),
  layer("package", /^src\/index$/, [
    ...["errors", "storage contract", "storage", "operation", "http", "api", "operations", "provision", "content"],
    ...["git client types", "ports", "execution", "people", "jobs", "generated types", "utils"],
  ]),
  // The command line imports the package by its public names, like every host.
  layer("command line", /^cli\//, ["package.json", "utils"]),
];

/** Folders with an entry: files outside of them import only their entries, also as types and dynamically. */
const engines: readonly { readonly folder: string; readonly entries: readonly string[] }[] = [
  {
    folder: "src/importers",
    entries: ["src/importers", "src/importers/errors", "src/importers/embeds/describe-embed"],
  },
  { folder: "src/git", entries: ["src/git", "src/git/port"] },
  { folder: "src/translators", entries: ["src/translators", "src/translators/errors"] },
  { folder: "src/sandbox", entries: ["src/sandbox", "src/sandbox/port"] },
  { folder: "src/pdf", entries: ["src/pdf", "src/pdf/standard"] },
  { folder: "src/sign-in/scim", entries: ["src/sign-in/scim"] },
  // The storage tools name the record sets, and load nothing else of it.
  { folder: "src/sign-in/saml", entries: ["src/sign-in/saml", "src/sign-in/saml/records"] },
  { folder: "src/console", entries: ["src/console"] },
  {
    folder: "src/content/markdown",
    entries: [
      ...["append", "document-parts", "emoji", "escape", "fences", "hrefs", "limits", "nodes", "parse", "plain-tags"],
      ...["read", "srcset", "syntax", "tags", "write"],
    ].map((name) => `src/content/markdown/${name}`),
  },
];

interface Import {
  /** A path from the root, without its ending, for a file of ours; else the name as it is written. */
  readonly to: string;
  readonly isOurs: boolean;
  /** Whether it is gone once the types are. */
  readonly isType: boolean;
}

function readImports(file: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (at: ts.Node | undefined, isType: boolean) => {
    if (!at || !ts.isStringLiteral(at)) return;
    const isOurs = at.text.startsWith(".");
    found.push({ to: isOurs ? posix.join(posix.dirname(file), at.text) : at.text, isOurs, isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, bindsOnlyTypes(node.importClause));
    if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return found;
}

function bindsOnlyTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause || clause.isTypeOnly) return clause !== undefined;
  const named = clause.namedBindings;
  return !clause.name && named !== undefined && ts.isNamedImports(named) && named.elements.every((it) => it.isTypeOnly);
}

/** Returns the layer of a path without its extension. A folder is found by its `index`. */
function findLayer(path: string): Layer | undefined {
  return layers.find(({ files }) => files.test(path)) ?? layers.find(({ files }) => files.test(`${path}/index`));
}

/** Returns the imports of a file that its layer doesn't allow, as sentences. */
function findViolations(file: string, imports: readonly Import[]): string[] {
  const own = findLayer(file.replace(/\.tsx?$/, ""));
  if (!own) return [`${file} is in no layer`];
  return imports
    .filter(({ isOurs }) => isOurs)
    .flatMap(({ to, isType }) => {
      const other = findLayer(to);
      const isAllowed =
        other === own ||
        own.imports.includes(other?.name ?? "") ||
        (isType && own.importsTypesOf?.includes(other?.name ?? ""));
      return isAllowed ? [] : [`${file} imports ${to}: ${own.name} must not import ${other?.name ?? "that"}`];
    });
}

/** Returns the imports of a file that reach into an engine past its entries, as sentences. */
function findEngineViolations(file: string, imports: readonly Import[]): string[] {
  return imports.flatMap(({ to }) => {
    const engine = engines.find(({ folder }) => to === folder || to.startsWith(`${folder}/`));
    if (!engine || file.startsWith(`${engine.folder}/`) || engine.entries.includes(to)) return [];
    return [`${file} imports ${to}: ${engine.folder} is imported by its entries only`];
  });
}

/** Returns the import cycles, each as the sorted list of its files. */
function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    open.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = open.splice(open.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

const root = new URL("../../", import.meta.url);

/** Every source file with its imports. */
const sources = new Map<string, readonly Import[]>();

beforeAll(async () => {
  for (const folder of ["src", "adapters", "cli"]) {
    const names = await readdir(new URL(folder, root), { recursive: true });
    for (const name of names.filter((it) => /\.tsx?$/.test(it)).sort()) {
      const file = `${folder}/${name}`;
      sources.set(file, readImports(file, await readFile(new URL(file, root), "utf8")));
    }
  }
});

test("a layer imports only layers that come before it", () => {
  for (const [i, { imports, importsTypesOf = [] }] of layers.entries()) {
    const below = layers.slice(0, i).map(({ name }) => name);
    for (const name of [...imports, ...importsTypesOf]) expect(below).toContain(name);
  }
});

test("imports run one way", () => {
  expect([...sources].flatMap(([file, imports]) => findViolations(file, imports))).toEqual([]);
});

test("files outside of an engine import only its entries", () => {
  expect([...sources].flatMap(([file, imports]) => findEngineViolations(file, imports))).toEqual([]);
});

test("there are no import cycles", () => {
  const graph = new Map<string, string[]>();
  for (const [file, imports] of sources) {
    const ours = imports.filter(({ isOurs }) => isOurs);
    graph.set(
      file,
      ours.flatMap(({ to }) => [`${to}.ts`, `${to}.tsx`, `${to}/index.ts`].filter((path) => sources.has(path))),
    );
  }
  expect(findCycles(graph)).toEqual([]);
});

test("the command line imports the package by its public names, Node, fflate, and nodemailer, which is optional", () => {
  const broken = [...sources]
    .filter(([file]) => file.startsWith("cli/"))
    .flatMap(([file, imports]) => imports.filter(({ isOurs }) => !isOurs).map(({ to }) => ({ file, to })))
    .filter(({ to }) => !isOfNode(to) && !/^(octavo(\/.*)?|fflate|nodemailer)$/.test(to));
  expect(broken).toEqual([]);
});

test("in src only src/node imports node:", () => {
  const others = [...sources].filter(([file]) => file.startsWith("src/") && !file.startsWith("src/node/"));
  const broken = others.flatMap(([file, imports]) =>
    imports.filter(({ to, isOurs }) => !isOurs && isOfNode(to)).map(({ to }) => `${file} imports ${to}`),
  );
  expect(broken).toEqual([]);
});

function isOfNode(name: string): boolean {
  return name.startsWith("node:") || builtinModules.includes(name);
}

describe("a violation is reported", () => {
  test.each([
    ["src/storage/key.ts", 'import { failure } from "../errors";'],
    ["src/content/tree.ts", 'import type { Key } from "../storage/storage";'],
    ["src/jobs/jobs.ts", 'import { operation } from "../operation/operation";'],
    ["src/http/handler.ts", 'export { teams } from "../resources/people/teams/records";'],
    ["src/resources/people/teams/rules.ts", 'import { a } from "../../library/spaces/records";'],
    ["src/resources/content/search/jobs.ts", 'import type { A } from "../../sites/records";'],
    ["src/resources/people/teams/rules.ts", 'import { a } from "../../../execution/execute";'],
    ["adapters/level/index.ts", 'import { key } from "../../src/storage/key";'],
    ["adapters/level/index.ts", 'import type { Key } from "../../src/storage/storage";'],
    ["adapters/level/index.ts", 'import { memoryStorage } from "../memory/index";'],
    ["src/pdf/print-pdf.ts", 'import { readMarkdown } from "../content/markdown/read";'],
    ["src/ports/ports.ts", 'const { a } = await import("../pdf");'],
    ["src/node/body.ts", 'import { type A, join } from "../api/create-docs-api";'],
    ["src/elsewhere/file.ts", "export {};"],
    ["cli/commands/serve/run-serve.ts", 'import { createDocsApi } from "../../../src/index";'],
  ])("a violation is reported in %s: %s", (file, text) => {
    expect(findViolations(file, readImports(file, text))).toHaveLength(1);
  });

  test.each([
    ["src/ports/importer.ts", 'import type { HtmlElement } from "../importers/html/parse-html";'],
    ["src/ports/importer.ts", 'const { a } = await import("../importers/docx/read");'],
  ])("%s: %s, an import of the inside of an engine, is reported", (file, text) => {
    expect(findEngineViolations(file, readImports(file, text))).toHaveLength(1);
  });

  test("a cycle is reported", () => {
    const graph = { a: ["b"], b: ["c", "d"], c: ["a"], d: [] };
    expect(findCycles(new Map(Object.entries(graph)))).toEqual([["a", "b", "c"]]);
  });

  test("a Node module is reported under any of its names", () => {
    expect(["node:path", "crypto", "valibot"].map(isOfNode)).toEqual([true, true, false]);
  });

  test("allowed imports are accepted", () => {
    const allowed = [
      ["src/resources/sites/rules.ts", 'import { a } from "../people/members/records"; import "./anything";'],
      ["src/node/handler.ts", 'import type { PlainRequest } from "../http/plain"; import { isIP } from "node:net";'],
      [
        "adapters/level/blobs.ts",
        'import { bounds } from "../range"; import { Corrupt } from "../adapter"; import { Level } from "level";',
      ],
    ] as const;
    for (const [file, text] of allowed) expect(findViolations(file, readImports(file, text))).toEqual([]);
  });
});
