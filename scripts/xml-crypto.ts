// Builds the library for XML signatures in without Node. We give it hashes and keys ourselves (src/sign-in/saml/signature.ts),
// so it never calls what it imports from Node; and of `Buffer` it needs base64 alone.

import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/** What stands in for a module of Node. Using anything else of it is an error when it is called. */
const standIns: Readonly<Record<string, string>> = {
  crypto: "module.exports = {};",
  util: "exports.deprecate = (call) => call;",
};

const BUFFER = `const Buffer = {
  isBuffer: () => false,
  from: (text, encoding) => {
    if (encoding !== "base64") throw new TypeError("Only base64 is built in.");
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  },
};
`;

export const xmlCryptoWithoutNode: Plugin = {
  name: "xml-crypto without Node",
  setup(build) {
    build.onResolve({ filter: /^(crypto|util)$/ }, ({ path, importer }) =>
      /node_modules\/xml-crypto\//.test(importer) ? { path, namespace: "stand-in" } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path }) => ({ contents: standIns[path]!, loader: "js" }));
    build.onLoad({ filter: /node_modules\/xml-crypto\/lib\/utils\.js$/ }, async ({ path }) => {
      return { contents: BUFFER + (await readFile(path, "utf8")), loader: "js" };
    });
  },
};
