// jsdom, loaded the same way for every test of a worker.

import { runInNewContext } from "node:vm";

/**
 * The class of jsdom's documents. jsdom gives its windows the globals that the process has when jsdom is loaded. A window of
 * Node 20 has no `Iterator`, which PDF.js adds to the process, so the global is hidden while jsdom is loaded.
 */
export const { JSDOM } = await (async () => {
  const added = Object.getOwnPropertyDescriptor(globalThis, "Iterator");
  const isPolyfill = added !== undefined && runInNewContext("typeof Iterator") === "undefined";
  if (isPolyfill) Reflect.deleteProperty(globalThis, "Iterator");
  try {
    return await import("jsdom");
  } finally {
    if (isPolyfill) Object.defineProperty(globalThis, "Iterator", added);
  }
})();
