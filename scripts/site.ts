// Looks at the sample site in a browser, as readers do, and leaves pictures in a folder: `npm run test:site -- pictures`. Then plays
// what readers, visitors and hostile authors do.

import { argv, exit } from "node:process";
import { play, readingScenes, readingStage, type Scene } from "../test/site/behaviour";
import { hostileScenes, hostileStage } from "../test/site/hostile";
import { allLooks, lookAt } from "../test/site/look";
import { othersScenes, othersStage } from "../test/site/others";
import { samplePaths, sampleStage } from "../test/site/sample-stage";
import type { Served } from "../test/site/served";
import { visitorScenes, visitorStage } from "../test/site/visitors";
import { browserPath, startBrowser } from "../test/support/chromium";

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
  wrong.push(
    ...(await played(await readingStage(), readingScenes)),
    ...(await played(await visitorStage(), visitorScenes)),
    ...(await played(await othersStage(), othersScenes)),
    ...(await played(await hostileStage(), hostileScenes)),
  );
  if (wrong.length > 0) exit(1);
} finally {
  await stage.close();
  await browser.close();
}

/** Plays scenes, and says how they went. */
async function played<Stage extends Served>(stage: Stage, scenes: readonly Scene<Stage>[]): Promise<readonly string[]> {
  const wrong = await play(scenes, stage, browser);
  for (const line of wrong) console.error(line);
  console.log(`${scenes.length} scenes played, ${wrong.length} things wrong.`);
  await stage.close();
  return wrong;
}
