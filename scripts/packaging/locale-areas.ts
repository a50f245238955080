// Builds only those messages in that a bundle shows. `src/locales/<language>.json` has the messages of a language by area, and a
// bundler takes the file as a whole, because it is imported when the language is chosen.

import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import type { Messages } from "../../src/locales/messages";

/** Returns a plugin that leaves out all areas but those for which `isBuiltIn` returns true. */
export function pickLocaleAreas(isBuiltIn: (area: keyof Messages) => boolean): Plugin {
  return {
    name: "areas of messages",
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/]locales[\\/][a-z-]+\.json$/ }, async ({ path }) => {
        const areas: Messages = JSON.parse(await readFile(path, "utf8"));
        const picked = Object.entries(areas).filter(([area]) => isBuiltIn(area as keyof Messages));
        return { contents: JSON.stringify(Object.fromEntries(picked)), loader: "json" };
      });
    },
  };
}
