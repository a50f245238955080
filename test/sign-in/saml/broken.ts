// The reading of responses with checks that can be taken out. Every check is a call of `refuseIf`, whose module is replaced
// here; three things that are no checks of ours have a broken variant of their own. The package has no such switch.

import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import type { readLogoutRequest } from "../../../src/sign-in/saml/logout-request";
import type { RefusalReason } from "../../../src/sign-in/saml/refusal";
import type { verifyResponse } from "../../../src/sign-in/saml/response";

/** What can be taken out. */
export type Switch =
  | RefusalReason
  /** Reads what was signed, and not what stands in the message. */
  | "signed text"
  /** Takes the assertion that belongs to the response, and not the first one anywhere. */
  | "direct child"
  /** The library compares digests. */
  | "library: digest"
  /** The library refuses an id that two elements have. */
  | "library: one id"
  /** The library is given no other canonical forms than the one. */
  | "library: forms";

const root = join(import.meta.dirname, "../../..");
const IS_OUT = (what: string) => `globalThis.octavoTakenOut.has(${JSON.stringify(what)})`;

/** In each file a text that stands there once, and what it becomes. */
const variants: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "src/sign-in/saml/refusal.ts": [["if (isWrong) throw", "if (isWrong && !globalThis.octavoTakenOut.has(why)) throw"]],
  "src/sign-in/saml/signature.ts": [
    ["return covered;", `return ${IS_OUT("signed text")} ? new XMLSerializer().serializeToString(element) : covered;`],
    [
      "  library.CanonicalizationAlgorithms = {",
      `  if (!${IS_OUT("library: forms")}) library.CanonicalizationAlgorithms = {`,
    ],
    ["import { SignedXml }", `import { XMLSerializer } from "@xmldom/xmldom";\nimport { SignedXml }`],
  ],
  "src/sign-in/saml/response.ts": [
    [
      "requirePresent(getChildElements(response).find(isAssertionElement))",
      `requirePresent((${IS_OUT("direct child")} ? listElements(response, SAML, "Assertion") : getChildElements(response)).find(isAssertionElement))`,
    ],
  ],
  "node_modules/xml-crypto/lib/utils.js": [
    [
      "function validateDigestValue(digest, expectedDigest) {",
      `function validateDigestValue(digest, expectedDigest) { if (${IS_OUT("library: digest")}) return true;`,
    ],
  ],
  "node_modules/xml-crypto/lib/signed-xml.js": [
    ["if (num_elements_for_id > 1) {", `if (num_elements_for_id > 1 && !${IS_OUT("library: one id")}) {`],
  ],
};

const breaking: Plugin = {
  name: "breaking",
  setup(builder) {
    for (const [file, changes] of Object.entries(variants)) {
      const path = join(root, file);
      builder.onLoad({ filter: new RegExp(`${file.replace(/[.]/g, "\\.")}$`) }, async () => {
        let contents = await readFile(path, "utf8");
        for (const [from, to] of changes) {
          if (contents.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`);
          contents = contents.replace(from, () => to);
        }
        return { contents, loader: file.endsWith(".ts") ? "ts" : "js" };
      });
    }
  },
};

/** What reads messages of a provider. */
interface Reading {
  readonly verifyResponse: typeof verifyResponse;
  readonly readLogoutRequest: typeof readLogoutRequest;
}

export interface Broken {
  /** Reads with some checks taken out. */
  readonly without: <Result>(out: readonly Switch[], read: (reading: Reading) => Promise<Result>) => Promise<Result>;
  readonly remove: () => Promise<void>;
}

export async function brokenReading(): Promise<Broken> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-broken-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const outfile = join(folder, "response.mjs");
  await build({
    stdin: {
      contents: `export * from "./response"; export * from "./logout-request";`,
      resolveDir: join(root, "src/sign-in/saml"),
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
    plugins: [breaking],
    logLevel: "error",
  });
  const scope = globalThis as { octavoTakenOut?: ReadonlySet<string> };
  scope.octavoTakenOut = new Set();
  const reading = (await import(pathToFileURL(outfile).href)) as Reading;
  return {
    async without(out, read) {
      scope.octavoTakenOut = new Set(out);
      return read(reading);
    },
    async remove() {
      delete scope.octavoTakenOut;
      await rm(folder, { recursive: true });
    },
  };
}
