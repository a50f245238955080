// Imports run one way. Below is the house from the ground to the roof: a file imports files of its own floor, and of the floors
// that its own stands on, all of which are below it. No files import each other in a circle, not even for their types.

import { readdir, readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { posix } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";

interface Floor {
  readonly name: string;
  /** The first floor whose pattern fits a file has it. */
  readonly files: RegExp;
  readonly on: readonly string[];
  /** Floors of which only types are used, which are gone when the code runs. */
  readonly typesOf?: readonly string[];
}

const floor = (name: string, files: RegExp, on: string[] = [], typesOf: string[] = []): Floor => ({
  name,
  files,
  on,
  typesOf,
});

/** What every wing of resources stands on, beside wings. */
const GROUND = [
  ...[
    "hash",
    "web address",
    "fetch failure",
    "errors",
    "expansion budget",
    "hook",
    "late",
    "streams",
    "contract",
    "store",
    "content",
    "git's port",
  ],
  ...["sandbox's port", "translators' port", "specifications", "secrets", "shapes", "roles", "sent", "urls"],
  ...["turns", "parts", "languages", "mails", "audit", "work", "operation", "byte ranges"],
];

const floors: readonly Floor[] = [
  floor("hash", /^src\/sha256$/),
  floor("web address", /^src\/web-address$/),
  floor("counted cache", /^src\/counted-cache$/),
  floor("cache sizes", /^src\/caches$/),
  floor("expansion budget", /^src\/expansion-budget$/),
  floor("fetch failure", /^src\/fetch-failure$/),
  floor("hook", /^src\/hook$/),
  floor("late", /^src\/late$/),
  floor("formulas", /^src\/formulas$/, ["late"]),
  floor("markup", /^src\/markup$/),
  floor("languages", /^src\/languages$/),
  floor("nearest", /^src\/nearest$/),
  floor("bytes", /^src\/bytes$/),
  floor("checksum", /^src\/crc32$/),
  floor("compression", /^src\/compression$/),
  floor("streams", /^src\/streams$/, ["bytes"]),
  floor("version", /^package\.json$/),
  floor("generated reasons", /^src\/generated\/reasons$/),
  floor("errors", /^src\/errors$/, ["generated reasons"]),
  floor("byte ranges", /^src\/byte-ranges$/, ["errors"]),
  floor("contract", /^src\/store\/(storage|limits)$/),
  floor("store", /^src\/store\//, ["contract", "hash", "counted cache"]),
  floor("shared by adapters", /^adapters\/[^/]+$/, ["contract", "bytes", "checksum"]),
  floor("memory adapter", /^adapters\/memory\//, ["shared by adapters"]),
  floor("level adapter", /^adapters\/level\//, ["shared by adapters"]),
  floor("s3 adapter", /^adapters\/s3\//, ["shared by adapters"]),
  floor("r2 adapter", /^adapters\/r2\//, ["shared by adapters", "s3 adapter"]),
  floor("postgres adapter", /^adapters\/postgres\//, ["shared by adapters"]),
  floor("durable objects adapter", /^adapters\/durable-objects\//, ["shared by adapters"]),
  floor("conformance", /^adapters\/conformance\//, ["shared by adapters"]),
  floor("content", /^src\/content\//, ["hash", "late", "expansion budget"]),
  floor("git's port", /^src\/git\/(address|port|refused)$/, ["web address"]),
  floor("git", /^src\/git\//, ["git's port", "web address", "fetch failure", "bytes"]),
  floor("turns", /^src\/turns\//),
  floor("specifications", /^src\/specifications(\/|$)/, [
    "content",
    "web address",
    "fetch failure",
    "streams",
    "turns",
  ]),
  floor("sandbox's port", /^src\/sandbox\/(?:port|options)$/),
  floor("sandbox", /^src\/sandbox\//, ["sandbox's port", "web address", "bytes"]),
  floor("translators' port", /^src\/translators\/failed$/),
  floor(
    "translators",
    /^src\/translators\//,
    ["translators' port", "hash", "streams", "web address", "fetch failure"],
    ["content"],
  ),
  floor("imports", /^src\/imports\//, [
    ...[
      "content",
      "git's port",
      "git",
      "web address",
      "fetch failure",
      "hash",
      "bytes",
      "checksum",
      "streams",
      "turns",
    ],
  ]),
  floor("embeds", /^src\/embeds(\/|$)/, ["imports", "streams", "web address"]),
  floor(
    "pdf",
    /^src\/pdf\//,
    ["web address", "bytes", "hash", "late", "turns", "formulas", "expansion budget"],
    ["content"],
  ),
  floor("secrets", /^src\/secrets$/, ["hash"]),
  floor("secret check", /^src\/secret-check$/, ["contract", "errors", "secrets", "store"]),
  floor("reseal", /^src\/reseal$/, ["secret check", "secrets", "store"]),
  floor("shapes", /^src\/shapes$/, ["web address"]),
  floor("roles", /^src\/roles$/, ["errors", "shapes"]),
  floor("sent", /^src\/sent$/, [], ["bytes"]),
  floor("urls", /^src\/urls$/, ["web address"]),
  floor(
    "parts",
    /^src\/parts\//,
    [
      ...["content", "errors", "secrets", "sandbox", "sandbox's port", "imports", "embeds", "turns", "urls"],
      ...["counted cache", "late", "web address"],
    ],
    ["git's port"],
  ),
  floor("mails", /^src\/mails\//, ["languages", "markup"], ["parts"]),
  floor("audit", /^src\/audit\//, ["contract", "store", "secrets", "hash"]),
  floor("work", /^src\/work\//, ["contract", "store", "turns"], ["parts", "audit"]),
  floor("operation", /^src\/operation\//, [
    ...["contract", "store", "errors", "roles", "secrets", "sent", "shapes", "urls", "parts", "work"],
  ]),
  floor("generated types", /^src\/generated\//, [], ["operation", "sent"]),
  // The wings, each on those before it.
  floor("people", /^src\/resources\/people\//, GROUND),
  floor("library", /^src\/resources\/library\//, [...GROUND, "people"]),
  floor("content wing", /^src\/resources\/content\//, [...GROUND, "people", "library"]),
  floor("sites", /^src\/resources\/sites\//, [...GROUND, "people", "library", "content wing"]),
  floor("integrations", /^src\/resources\/integrations\//, [...GROUND, "people", "library", "content wing", "sites"]),
  floor("service", /^src\/resources\/service\//, [...GROUND, "people"]),
  floor("kernel", /^src\/kernel\//, [
    ...["contract", "store", "errors", "roles", "secrets", "sent", "urls", "turns", "work", "operation", "audit"],
    ...["counted cache", "shapes"],
  ]),
  floor("operations", /^src\/operations$/, [
    ...["people", "library", "content wing", "sites", "integrations", "service", "kernel", "operation", "work"],
    "generated types",
  ]),
  floor("request targets", /^src\/http\/target$/, ["web address"]),
  floor("http", /^src\/http\//, [
    "compression",
    "request targets",
    ...["contract", "store", "errors", "sent", "shapes", "streams", "web address", "turns", "operation", "kernel"],
    ...["counted cache", "audit", "languages", "bytes"],
  ]),
  floor("mcp", /^src\/mcp\//, ["errors", "nearest", "operation", "http"]),
  floor(
    "client",
    /^src\/client\//,
    ["generated types", "web address"],
    ["errors", "generated reasons", "operation", "operations", "sent"],
  ),
  floor(
    "agents",
    /^src\/agents\//,
    ["client", "errors", "hash", "http", "mcp", "roles"],
    ["generated reasons", "generated types", "operation", "operations"],
  ),
  floor("events", /^src\/events\//, [
    ...["audit", "content", "content wing", "contract", "errors", "kernel", "operation", "roles", "secrets", "sent"],
    ...["store", "work"],
  ]),
  floor("reference", /^src\/reference\//, ["markup", "hash", "errors", "shapes", "kernel", "http"]),
  floor("provision", /^src\/provision$/, ["errors", "operation", "people", "secrets", "shapes", "store"]),
  floor("known users", /^src\/known-users$/, ["people", "shapes", "store"]),
  floor("call", /^src\/call$/, ["errors", "kernel", "nearest", "operation"]),
  floor(
    "options",
    /^src\/options$/,
    ["nearest", "sandbox", "urls", "web address"],
    ["cache sizes", "content", "git's port", "http", "parts", "people", "sandbox's port", "work"],
  ),
  floor("inside", /^src\/inside$/, ["http", "kernel"]),
  floor("api", /^src\/api$/, [
    "inside",
    ...["contract", "store", "content", "git", "git's port", "sandbox", "pdf", "errors", "secrets", "urls", "turns"],
    ...[
      "parts",
      "audit",
      "work",
      "operation",
      "people",
      "content wing",
      "sites",
      "integrations",
      "kernel",
      "operations",
      "http",
    ],
    ...["provision", "version", "call", "options", "secret check", "reseal", "web address", "late", "reference"],
    ...["agents", "counted cache", "cache sizes", "events", "known users"],
  ]),
  floor("sign-in", /^src\/sign-in\//, [
    "request targets",
    "agents",
    "api",
    "inside",
    "http",
    "kernel",
    "people",
    "operation",
    "errors",
    "secrets",
    "store",
    "web address",
    "late",
    "markup",
    "languages",
    "mails",
    "turns",
    "work",
    "audit",
    "shapes",
    "counted cache",
  ]),
  floor("site", /^src\/site\//, [
    "api",
    "byte ranges",
    "request targets",
    "urls",
    "inside",
    "mcp",
    "version",
    "http",
    "kernel",
    "sites",
    "content",
    "operation",
    "operations",
    "generated types",
    "errors",
    "hash",
    "store",
    "contract",
    "web address",
    "late",
    "markup",
    "sent",
    "specifications",
    "languages",
    "turns",
    "counted cache",
    "formulas",
    "expansion budget",
  ]),
  // What runs in the browser of somebody who writes: it knows the API by its client, and draws pages as the reader does.
  floor(
    "console's application",
    /^src\/console\/app\//,
    ["client", "content", "expansion budget", "languages", "markup", "site", "web address"],
    ["generated types", "operations", "events"],
  ),
  floor("console", /^src\/console\//, [
    ...["api", "inside", "request targets", "http", "kernel", "site", "errors", "hash", "languages", "late", "markup"],
    "web address",
  ]),
  floor("storage tools", /^src\/storage-tools\//, [
    ...["contract", "store", "hash", "bytes", "turns", "secrets", "secret check", "audit", "kernel", "operations"],
    ...["provision", "sign-in", "work"],
  ]),
  floor(
    "node",
    /^src\/node\//,
    ["errors", "web address", "request targets", "fetch failure", "store", "turns", "compression"],
    ["contract", "parts", "http", "api"],
  ),
  floor("package", /^src\/index$/, [
    ...["errors", "contract", "store", "operation", "http", "api", "operations", "options", "provision", "known users"],
    ...[
      "content",
      "git's port",
      "parts",
      "kernel",
      "people",
      "work",
      "generated types",
      "counted cache",
      "cache sizes",
    ],
  ]),
  // It stands on what every host has: the package by its public names, which are not files here.
  floor("command line", /^cli\//, ["version", "nearest"]),
];

interface Import {
  /** A path from the root, without its ending, for a file of ours; else the name as it is written. */
  readonly to: string;
  readonly isOurs: boolean;
  /** Whether it is gone once the types are. */
  readonly isType: boolean;
}

function importsOf(file: string, text: string): Import[] {
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

/** The floor of a file, by its path without its ending; a folder is known by its `index`. */
function floorOf(path: string): Floor | undefined {
  return floors.find(({ files }) => files.test(path)) ?? floors.find(({ files }) => files.test(`${path}/index`));
}

/** What of a file's imports leads to a floor that its own does not stand on. */
function violations(file: string, imports: readonly Import[]): string[] {
  const own = floorOf(file.replace(/\.tsx?$/, ""));
  if (!own) return [`${file} is on no floor`];
  return imports
    .filter(({ isOurs }) => isOurs)
    .flatMap(({ to, isType }) => {
      const below = floorOf(to);
      const isAllowed =
        below === own || own.on.includes(below?.name ?? "") || (isType && own.typesOf?.includes(below?.name ?? ""));
      return isAllowed ? [] : [`${file} imports ${to}: ${own.name} does not stand on ${below?.name ?? "that"}`];
    });
}

/** The files that lead to each other in a circle, as groups. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
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

/** Every file of ours, and what it imports. */
const house = new Map<string, readonly Import[]>();

beforeAll(async () => {
  for (const folder of ["src", "adapters", "cli"]) {
    const names = await readdir(new URL(folder, root), { recursive: true });
    for (const name of names.filter((it) => /\.tsx?$/.test(it)).sort()) {
      const file = `${folder}/${name}`;
      house.set(file, importsOf(file, await readFile(new URL(file, root), "utf8")));
    }
  }
});

test("the floors stand on floors below them", () => {
  for (const [i, { on, typesOf = [] }] of floors.entries()) {
    const below = floors.slice(0, i).map(({ name }) => name);
    for (const name of [...on, ...typesOf]) expect(below).toContain(name);
  }
});

test("imports run one way", () => {
  expect([...house].flatMap(([file, imports]) => violations(file, imports))).toEqual([]);
});

test("no files import each other in a circle", () => {
  const graph = new Map<string, string[]>();
  for (const [file, imports] of house) {
    const ours = imports.filter(({ isOurs }) => isOurs);
    graph.set(
      file,
      ours.flatMap(({ to }) => [`${to}.ts`, `${to}.tsx`, `${to}/index.ts`].filter((path) => house.has(path))),
    );
  }
  expect(circlesIn(graph)).toEqual([]);
});

test("the command line imports the package by its public names, Node, and nothing else but fflate", () => {
  const broken = [...house]
    .filter(([file]) => file.startsWith("cli/"))
    .flatMap(([file, imports]) => imports.filter(({ isOurs }) => !isOurs).map(({ to }) => ({ file, to })))
    .filter(({ to }) => !isOfNode(to) && !/^(octavo(\/.*)?|fflate)$/.test(to));
  expect(broken).toEqual([]);
});

test("in src only src/node imports node:", () => {
  const others = [...house].filter(([file]) => file.startsWith("src/") && !file.startsWith("src/node/"));
  const broken = others.flatMap(([file, imports]) =>
    imports.filter(({ to, isOurs }) => !isOurs && isOfNode(to)).map(({ to }) => `${file} imports ${to}`),
  );
  expect(broken).toEqual([]);
});

function isOfNode(name: string): boolean {
  return name.startsWith("node:") || builtinModules.includes(name);
}

describe("a violation is found", () => {
  test.each([
    ["src/store/key.ts", 'import { failure } from "../errors";'],
    ["src/content/tree.ts", 'import type { Key } from "../store/storage";'],
    ["src/work/jobs.ts", 'import { operation } from "../operation/operation";'],
    ["src/http/edge.ts", 'export { teams } from "../resources/people/teams/records";'],
    ["src/resources/people/teams/rules.ts", 'import { a } from "../../library/spaces/records";'],
    ["src/resources/content/search/jobs.ts", 'import type { A } from "../../sites/records";'],
    ["src/resources/people/teams/rules.ts", 'import { a } from "../../../kernel/execute";'],
    ["adapters/level/index.ts", 'import { key } from "../../src/store/key";'],
    ["adapters/level/index.ts", 'import type { Key } from "../../src/store/storage";'],
    ["adapters/level/index.ts", 'import { memoryStorage } from "../memory/index";'],
    ["src/pdf/print.ts", 'import { readMarkdown } from "../content/markdown/read";'],
    ["src/parts/parts.ts", 'const { a } = await import("../pdf");'],
    ["src/node/body.ts", 'import { type A, join } from "../http/fetch";'],
    ["src/elsewhere/file.ts", "export {};"],
    ["cli/serve/run.ts", 'import { createDocsApi } from "../../src/index";'],
  ])("%s: %s", (file, text) => {
    expect(violations(file, importsOf(file, text))).toHaveLength(1);
  });

  test("and a circle", () => {
    const graph = { a: ["b"], b: ["c", "d"], c: ["a"], d: [] };
    expect(circlesIn(new Map(Object.entries(graph)))).toEqual([["a", "b", "c"]]);
  });

  test("and Node by any of its names", () => {
    expect(["node:path", "crypto", "valibot"].map(isOfNode)).toEqual([true, true, false]);
  });

  test("and what is allowed is let through", () => {
    const allowed = [
      ["src/resources/sites/rules.ts", 'import { a } from "../people/members/records"; import "./anything";'],
      ["src/node/handler.ts", 'import type { PlainRequest } from "../http/plain"; import { isIP } from "node:net";'],
      [
        "adapters/level/blobs.ts",
        'import { bounds } from "../range"; import { Corrupt } from "../adapter"; import { Level } from "level";',
      ],
    ] as const;
    for (const [file, text] of allowed) expect(violations(file, importsOf(file, text))).toEqual([]);
  });
});
