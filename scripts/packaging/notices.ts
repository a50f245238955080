// The notices of what others wrote and what is built into the package. Packages that a host installs beside it bring their own.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);

/** Something that is built in. */
interface BuiltIn {
  /** Its package. */
  readonly name: string;
  /** What of it is in the package. */
  readonly what: string;
  /** The file that has its licence, from the root; without one, who holds the rights to what is under the MIT License, or what
   * another licence asks to be said. */
  readonly licence: string | { readonly holder: string } | { readonly text: string };
  /** For shapes that were taken from a package once, which is installed nowhere: of which one. */
  readonly drawn?: { readonly version: string; readonly license: string };
}

/** Everything that is built in. */
export const builtIn: readonly BuiltIn[] = [
  {
    name: "@jitl/quickjs-wasmfile-release-sync",
    what: "QuickJS as WebAssembly, the engine of `octavo/sandbox`",
    licence: "node_modules/@jitl/quickjs-wasmfile-release-sync/LICENSE",
  },
  {
    name: "web-streams-polyfill",
    what: "the streams inside of `octavo/sandbox`",
    licence: "node_modules/web-streams-polyfill/LICENSE",
  },
  {
    name: "markdown-it-emoji",
    what: "the short names of emoji",
    licence: "node_modules/markdown-it-emoji/LICENSE",
  },
  {
    name: "oauth4webapi",
    what: "the protocol of OpenID Connect, in `octavo/sign-in`",
    licence: "node_modules/oauth4webapi/LICENSE.md",
  },
  {
    name: "xml-crypto",
    what: "signatures of XML, for SAML in `octavo/sign-in`",
    licence: "node_modules/xml-crypto/LICENSE",
  },
  {
    name: "@xmldom/xmldom",
    what: "the parser of XML, for SAML in `octavo/sign-in`",
    licence: "node_modules/@xmldom/xmldom/LICENSE",
  },
  {
    name: "@xmldom/is-dom-node",
    what: "kinds of nodes, for xml-crypto",
    licence: "node_modules/@xmldom/is-dom-node/LICENSE.md",
  },
  {
    name: "xpath",
    what: "paths in XML, for xml-crypto",
    licence: "node_modules/xpath/LICENSE",
  },
  {
    name: "preact",
    what: "what draws the application of `octavo/console`",
    licence: "node_modules/preact/LICENSE",
  },
  {
    name: "preact-iso",
    what: "the addresses of the application of `octavo/console`",
    licence: "node_modules/preact-iso/LICENSE",
  },
  {
    name: "@codemirror/autocomplete",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@codemirror/autocomplete/LICENSE",
  },
  {
    name: "@codemirror/commands",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@codemirror/commands/LICENSE",
  },
  {
    name: "@codemirror/language",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@codemirror/language/LICENSE",
  },
  {
    name: "@codemirror/merge",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@codemirror/merge/LICENSE",
  },
  {
    name: "@codemirror/search",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@codemirror/search/LICENSE",
  },
  {
    name: "@codemirror/state",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@codemirror/state/LICENSE",
  },
  {
    name: "@codemirror/view",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@codemirror/view/LICENSE",
  },
  {
    name: "@lezer/common",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@lezer/common/LICENSE",
  },
  {
    name: "@lezer/highlight",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@lezer/highlight/LICENSE",
  },
  {
    name: "@lezer/markdown",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@lezer/markdown/LICENSE",
  },
  {
    name: "@lezer/lr",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@lezer/lr/LICENSE",
  },
  {
    name: "@marijn/find-cluster-break",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@marijn/find-cluster-break/LICENSE",
  },
  {
    name: "crelt",
    what: "the editor of `octavo/console`",
    licence: "node_modules/crelt/LICENSE",
  },
  {
    name: "style-mod",
    what: "the editor of `octavo/console`",
    licence: "node_modules/style-mod/LICENSE",
  },
  {
    name: "w3c-keyname",
    what: "the editor of `octavo/console`",
    licence: "node_modules/w3c-keyname/LICENSE",
  },
  {
    name: "@codemirror/streamparser",
    what: "the editor of `octavo/console`",
    licence: "node_modules/@codemirror/streamparser/LICENSE",
  },
  {
    name: "lru-cache",
    what: "what the application of `octavo/console` keeps",
    licence: "node_modules/lru-cache/LICENSE.md",
  },
  {
    name: "node-diff3",
    what: "comparisons in `octavo/console`",
    licence: "node_modules/node-diff3/LICENSE.md",
  },
  {
    name: "temml",
    what: "formulas in the previews of `octavo/console`",
    licence: "node_modules/temml/LICENSE",
  },
  {
    name: "@iconify-json/fluent-emoji-flat",
    what: "the shapes of Fluent Emoji that `octavo/pdf` prints",
    licence: { holder: "Copyright (c) Microsoft Corporation" },
    drawn: { version: "1.2.6", license: "MIT" },
  },
  {
    name: "@fortawesome/fontawesome-free",
    what: "the shapes of the icons that `octavo/site` draws",
    licence: {
      text: "Font Awesome Free by @fontawesome - https://fontawesome.com\nCopyright Fonticons, Inc.\nIcons: CC BY 4.0 License, https://creativecommons.org/licenses/by/4.0/\nThe shapes are unchanged; they are stored in another form.",
    },
    drawn: { version: "7.3.1", license: "CC-BY-4.0" },
  },
];

/** The name of the file with the notices, in the built package. */
export const NOTICES_FILE = "THIRD-PARTY-NOTICES.md";

const HEAD = `# Third-party notices

Octavo is under the MIT License. The package holds parts of the following, under licenses of their own.
`;

/** Returns the text of the notices. */
export async function createNotices(all: readonly BuiltIn[] = builtIn): Promise<string> {
  const sections = await Promise.all(all.map(sectionOf));
  return [HEAD, ...sections].join("\n");
}

async function sectionOf({ name, what, licence }: BuiltIn): Promise<string> {
  const text = await textOf(licence);
  return `## ${name}\n\nIn the package: ${what}.\n\n\`\`\`text\n${text.replaceAll("\r\n", "\n").trim()}\n\`\`\`\n`;
}

async function textOf(licence: BuiltIn["licence"]): Promise<string> {
  if (typeof licence === "string") return readFile(fileURLToPath(new URL(licence, root)), "utf8");
  return "text" in licence ? licence.text : mitFor(licence);
}

/** The MIT License, as ours is spelled, of somebody else. */
async function mitFor({ holder }: { readonly holder: string }): Promise<string> {
  const ours = await readFile(fileURLToPath(new URL("LICENSE", root)), "utf8");
  return ours.replace(/^Copyright .*$/m, holder);
}

/** The packages whose code is in a bundle, by its source map. */
export function packagesOf(sourceMap: string): string[] {
  const { sources } = JSON.parse(sourceMap) as { readonly sources: readonly (string | null)[] };
  const names = sources.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path ?? "")?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** The copyright lines in a text. */
export function copyrightsIn(text: string): string[] {
  return [...text.matchAll(/Copyright \(c\)[^\n]*?(?= and under\b|\*\/|\n|$)/gi)].map(([line]) => line.trim());
}

/** What of some packages and copyright lines the notices do not have. */
export function missingIn(notices: string, packages: Iterable<string>, copyrights: Iterable<string>): string[] {
  const missing = [...new Set(packages)].filter((name) => !notices.includes(`\n## ${name}\n`));
  const known = notices.toLowerCase();
  return [...missing, ...[...new Set(copyrights)].filter((line) => !known.includes(line.toLowerCase()))];
}
