// Imports run one way: what is below knows nothing of what is above it. One row a rule; a control for each shows that it
// can fail.

import { readdir, readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { posix } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

interface Import {
  /** A path from the root, without its ending, for a file of ours; else the name as it is written. */
  readonly to: string;
  readonly isOurs: boolean;
  /** Whether it is gone once the types are. */
  readonly isType: boolean;
}

interface Rule {
  readonly says: string;
  readonly files: RegExp;
  readonly allows: (imported: Import, file: string) => boolean;
}

/** Of our files, these alone. */
const only = (allowed: RegExp) => (imported: Import) => !imported.isOurs || allowed.test(imported.to);
/** Of our files, not these. */
const never = (refused: RegExp) => (imported: Import) => !imported.isOurs || !refused.test(imported.to);

const rules: readonly Rule[] = [
  {
    says: "src/store imports nothing of ours but itself and the hash",
    files: /^src\/store\//,
    allows: only(/^src\/(store\/|sha256$)/),
  },
  {
    says: "src/content imports nothing of ours but itself and the hash",
    files: /^src\/content\//,
    allows: only(/^src\/(content\/|sha256$)/),
  },
  {
    says: "src/work imports only src/store, and the type of src/parts",
    files: /^src\/work\//,
    allows: (imported) => only(/^src\/(work|store)\//)(imported) || (imported.to === "src/parts" && imported.isType),
  },
  {
    says: "src/kernel and src/http import no resource, and nothing that knows them all",
    files: /^src\/(kernel|http)\//,
    allows: never(/^src\/(resources\/|operations$|api$|provision$|index$)/),
  },
  {
    says: "a resource imports another one only through its records, rules, schema, views, transfer or jobs",
    files: /^src\/resources\//,
    allows: ({ to }, file) =>
      !to.startsWith("src/resources/") ||
      isOwn(to, file) ||
      /\/(jobs|records|rules|schema|transfer|views)$/.test(to) ||
      // Change requests, imports, Git and translations read and write content as a space does; sites show it.
      (/^src\/resources\/(change-requests|imports|git-sync|translations|sites)\//.test(file) &&
        /^src\/resources\/revisions\//.test(to)) ||
      // A site is searched by the indexes of its spaces.
      (file.startsWith("src/resources/sites/") && /^src\/resources\/search\/(indexes|finding)$/.test(to)) ||
      // The JWT that shows a reader to be a member is made and read in one place.
      (file.startsWith("src/resources/sites/") && to === "src/resources/organizations/visitor") ||
      // What integrations do for a site is theirs to say.
      (file.startsWith("src/resources/sites/") &&
        /^src\/resources\/integrations\/(serving-sites|published-scripts|visitor-logins)$/.test(to)) ||
      // What is computed is read in one way, whoever reads.
      to === "src/resources/revisions/computing" ||
      // What integrations compute is looked up where they are called.
      (file === "src/resources/revisions/computing.ts" && to === "src/resources/integrations/computing") ||
      // What is saved into a change request is saved in one way.
      to === "src/resources/change-requests/saving",
  },
  {
    says: "a resource stands on operation, errors, shapes, web-address, roles, secrets, domains, sent, streams, parts, kernel/pages, kernel/taken, kernel/moved, kernel/outdated, kernel/checking, store, content, work, the hash, what is said of repositories and of the sandbox, and what reads specifications",
    files: /^src\/resources\//,
    allows: only(
      /^src\/((resources|store|content|work)\/|specifications(\/|$)|git\/(address|port|refused)$|sandbox\/port$|translators\/failed$|(sha256|web-address|operation|errors|shapes|roles|secrets|domains|sent|streams|parts|kernel\/(pages|taken|moved|outdated|checking))$)/,
    ),
  },
  {
    says: "an adapter imports the storage contract, its limits, bytes, and what adapters share; R2 is another driver of S3's engine",
    files: /^adapters\//,
    allows: (imported, file) =>
      only(/^(src\/(bytes|store\/(storage|limits))|adapters\/[^/]+)$/)(imported) ||
      isOwn(imported.to, file) ||
      (file.startsWith("adapters/r2/") && imported.to.startsWith("adapters/s3/")),
  },
  {
    says: "src/pdf imports nothing of ours but itself, bytes, web-address and the types of content",
    files: /^src\/pdf\//,
    allows: (imported) =>
      only(/^src\/(pdf\/|(bytes|web-address)$)/)(imported) ||
      (imported.to.startsWith("src/content/") && imported.isType),
  },
  {
    says: "nothing of ours imports src/pdf but src/api, which loads the built-in printer",
    files: /^(src\/(?!pdf\/|api\.ts$)|adapters\/)/,
    allows: never(/^src\/pdf(\/|$)/),
  },
  {
    says: "src/imports imports nothing of ours but itself, src/content, src/git, bytes, streams, web-address and the hash",
    files: /^src\/imports\//,
    allows: only(/^src\/((imports|content|git)\/|(bytes|streams|web-address|sha256)$)/),
  },
  {
    says: "src/translators imports nothing of ours but itself, streams, web-address, the types of content and the hash",
    files: /^src\/translators\//,
    allows: (imported) =>
      only(/^src\/(translators\/|(streams|web-address|sha256)$)/)(imported) ||
      (imported.to.startsWith("src/content/") && imported.isType),
  },
  {
    says: "src/git imports nothing of ours but itself, bytes and web-address",
    files: /^src\/git\//,
    allows: only(/^src\/(git\/|(bytes|web-address)$)/),
  },
  {
    says: "src/specifications imports nothing of ours but itself, streams and web-address",
    files: /^src\/specifications\//,
    allows: only(/^src\/(specifications\/|(streams|web-address)$)/),
  },
  {
    says: "src/sandbox imports nothing of ours but itself, bytes and web-address",
    files: /^src\/sandbox\//,
    allows: only(/^src\/(sandbox\/|(bytes|web-address)$)/),
  },
  {
    says: "src/node imports errors and web-address, and of src/http, src/api and src/domains only types",
    files: /^src\/node\//,
    allows: (imported) =>
      only(/^src\/(node\/|errors$|web-address$)/)(imported) ||
      (imported.isType && /^src\/(http\/|api$|domains$)/.test(imported.to)),
  },
  {
    says: "in src only src/node imports node:",
    files: /^src\/(?!node\/)/,
    allows: ({ to, isOurs }) => isOurs || !(to.startsWith("node:") || builtinModules.includes(to)),
  },
];

/** Whether both lie in the same resource or adapter. */
function isOwn(to: string, file: string): boolean {
  const folder = file.match(/^(src\/resources|adapters)\/[^/]+\//)?.[0];
  return folder !== undefined && to.startsWith(folder);
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

/** What breaks a rule: the file, the import, and the rule. */
function violations(file: string, text: string): string[] {
  const mine = rules.filter(({ files }) => files.test(file));
  return importsOf(file, text).flatMap((imported) =>
    mine.filter(({ allows }) => !allows(imported, file)).map(({ says }) => `${file} imports ${imported.to}: ${says}.`),
  );
}

test("imports run one way", async () => {
  const root = new URL("../../", import.meta.url);
  const broken: string[] = [];
  for (const folder of ["src", "adapters"]) {
    const names = await readdir(new URL(folder, root), { recursive: true });
    for (const name of names.filter((name) => name.endsWith(".ts")).sort()) {
      const file = `${folder}/${name}`;
      broken.push(...violations(file, await readFile(new URL(file, root), "utf8")));
    }
  }
  expect(broken).toEqual([]);
});

describe("a violation is found", () => {
  const controls: readonly (readonly [file: string, text: string, rule: string])[] = [
    ["src/store/key.ts", 'import { failure } from "../errors";', "src/store imports nothing"],
    ["src/content/tree.ts", 'import type { Key } from "../store/storage";', "src/content imports nothing"],
    ["src/work/jobs.ts", 'import { operation } from "../operation";', "src/work imports only"],
    ["src/http/edge.ts", 'export { teams } from "../resources/teams/records";', "src/kernel and src/http import no"],
    ["src/kernel/execute.ts", 'import { rooms } from "../operations";', "src/kernel and src/http import no"],
    ["src/resources/teams/rules.ts", 'import { a } from "../members/operations";', "a resource imports another one"],
    ["src/resources/teams/rules.ts", 'import { a } from "../organizations/visitor";', "a resource imports another one"],
    ["src/resources/teams/rules.ts", 'import { a } from "../../kernel/execute";', "a resource stands on"],
    ["adapters/level/index.ts", 'import { key } from "../../src/store/key";', "an adapter imports"],
    ["adapters/level/index.ts", 'import { memoryStorage } from "../memory/index";', "an adapter imports"],
    ["src/pdf/print.ts", 'import { readMarkdown } from "../content/markdown/read";', "src/pdf imports nothing"],
    ["src/parts.ts", 'import { pdfPrinter } from "./pdf";', "nothing of ours imports src/pdf"],
    ["src/imports/download.ts", 'import { failure } from "../errors";', "src/imports imports nothing"],
    [
      "src/translators/deepl.ts",
      'import { parse } from "../content/markdown/parse";',
      "src/translators imports nothing",
    ],
    ["src/git/read.ts", 'import { readBook } from "../content/book";', "src/git imports nothing"],
    ["src/specifications/read.ts", 'import { failure } from "../errors";', "src/specifications imports nothing"],
    ["src/sandbox/run.ts", 'import { failure } from "../errors";', "src/sandbox imports nothing"],
    ["src/node/body.ts", 'import { type A, join } from "../http/fetch";', "src/node imports errors"],
    ["src/http/fetch.ts", 'const { join } = await import("node:path");', "in src only src/node"],
    ["src/store/ids.ts", 'let random: import("crypto").Hash;', "in src only src/node"],
  ];

  test.each(controls)("%s: %s", (file, text, rule) => {
    expect(violations(file, text)).toEqual([expect.stringContaining(`: ${rule}`)]);
  });

  test("for every rule", () => {
    const shown = rules.filter(({ says }) => controls.some(([, , rule]) => says.startsWith(rule)));
    expect(shown).toEqual(rules);
  });

  test("and what is allowed is let through", () => {
    const allowed = [
      ["src/resources/teams/operations.ts", 'import { members } from "../members/records"; import "./anything";'],
      ["src/node/handler.ts", 'import type { PlainRequest } from "../http/plain"; import { isIP } from "node:net";'],
      [
        "adapters/level/blobs.ts",
        'import { range } from "../range"; import { Corrupt } from "../../src/store/storage";',
      ],
      ["src/store/objects.ts", 'import { sha256 } from "@noble/hashes/sha2.js"; import { key } from "./key";'],
    ] as const;
    for (const [file, text] of allowed) expect(violations(file, text)).toEqual([]);
  });
});
