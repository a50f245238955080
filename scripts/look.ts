// Looks at the reference in a browser, and leaves pictures of its pages in a folder: `npm run test:reference -- pictures`.

import { argv, exit } from "node:process";
import { allViews, look } from "../test/openapi/reference/look";
import { browserPath, startBrowser } from "../test/support/chromium";

const folder = argv[2] ?? "pictures";
const path = browserPath();
if (path === undefined) {
  console.error("There is no browser here: install Debian's package chromium, or set CHROMIUM to the path of one.");
  exit(1);
}
const browser = await startBrowser(path);
try {
  const { wrong, passes } = await look(browser, allViews, folder);
  for (const line of wrong) console.error(line);
  console.log(
    `${allViews.length} pages looked at, ${passes} rules passed, ${wrong.length} things wrong. Pictures are in ${folder}.`,
  );
  if (wrong.length > 0) exit(1);
} finally {
  await browser.close();
}
