// Converts HTML to Markdown in one go, for tests. The package itself lets other work have its turn in between.

import { convertHtmlInSteps } from "../../src/importers/html/read-html";
import { runStepsSync } from "../../src/utils/concurrency/steps";

export function convertHtmlToMarkdown(...[html, options]: Parameters<typeof convertHtmlInSteps>) {
  return runStepsSync(convertHtmlInSteps(html, options));
}
