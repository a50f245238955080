// Looks at the sample site in a browser, as readers do, and leaves pictures in a folder: `npm run site -- pictures`.

import { argv, exit } from "node:process";
import { browserPath, startBrowser } from "../test/reference/chromium";
import { allLooks, lookAt } from "../test/site/look";
import { samplePaths, sampleStage } from "../test/site/sample-stage";

const path = browserPath();
if (path === undefined) {
  console.error("There is no browser here: install Debian's package chromium, or set CHROMIUM to the path of one.");
  exit(1);
}
const browser = await startBrowser(path);
const stage = await sampleStage();
try {
  const { wrong, passes, pages, weights } = await lookAt(browser, stage.url, samplePaths, allLooks, argv[2]);
  for (const { path, bytes, requests } of weights)
    console.log(`${path}: ${(bytes / 1024).toFixed(1)} KB gzipped, ${requests} requests`);
  for (const line of wrong) console.error(line);
  console.log(`${pages} pages looked at four times, ${passes} rules passed, ${wrong.length} things wrong.`);
  if (wrong.length > 0) exit(1);
} finally {
  await stage.close();
  await browser.close();
}
