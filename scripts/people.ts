// Lets two people in with browsers, through the server that `npm start` runs, and looks at every page on the way:
// `npm run test:people -- pictures`.

import { argv, exit } from "node:process";
import { twoPeople } from "../test/sign-in/people";
import { browserPath, startBrowser } from "../test/support/chromium";

const path = browserPath();
if (path === undefined) {
  console.error("There is no browser here: install Debian's package chromium, or set CHROMIUM to the path of one.");
  exit(1);
}
const browser = await startBrowser(path);
try {
  const { wrong, passes, pages } = await twoPeople(browser, argv[2]);
  for (const line of wrong) console.error(line);
  console.log(`${pages} pages looked at four times, ${passes} rules passed, ${wrong.length} things wrong.`);
  if (wrong.length > 0) exit(1);
} finally {
  await browser.close();
}
