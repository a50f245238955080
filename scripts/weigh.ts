// Says what pages weigh in a browser: `npx tsx scripts/weigh.ts <address>…` counts the requests that a page makes until nothing
// more is loaded, and its HTML, styles and scripts as gzip, whoever serves it. Without an address: pages of the sample site.

import { argv, exit } from "node:process";
import { gzipSync } from "node:zlib";
import { sampleStage } from "../test/site/sample-stage";
import { browserPath, startBrowser } from "../test/support/chromium";

type Browser = Awaited<ReturnType<typeof startBrowser>>;

const KINDS = ["html", "css", "javascript"];

const path = browserPath();
if (path === undefined) {
  console.error("There is no browser here: install Debian's package chromium, or set CHROMIUM to the path of one.");
  exit(1);
}
const addresses = argv.slice(2);
const sample = addresses.length === 0 ? await sampleStage() : undefined;
const browser = await startBrowser(path);
try {
  const own = ["/quick-start", "/concepts/shipments", "/api/shipments/create"].map((it) => `${sample?.url}${it}`);
  for (const address of sample ? own : addresses) console.log(`${address}: ${await weigh(browser, address)}`);
} finally {
  await browser.close();
  await sample?.close();
}

async function weigh(browser: Browser, address: string): Promise<string> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const loaded: Promise<{ readonly kind: string; readonly bytes: number }>[] = [];
  page.on("response", (response) => {
    const type = response.headers()["content-type"] ?? "";
    const kind = KINDS.find((it) => type.includes(it)) ?? "others";
    const weighed = (body: Buffer) => (kind === "others" ? body.length : gzipSync(body, { level: 9 }).length);
    loaded.push(
      response.body().then(
        (body) => ({ kind, bytes: weighed(body) }),
        () => ({ kind, bytes: 0 }),
      ),
    );
  });
  await page.goto(address, { waitUntil: "networkidle" });
  const all = await Promise.all(loaded);
  await page.close();
  const sum = (kinds: readonly string[]) =>
    `${(all.filter(({ kind }) => kinds.includes(kind)).reduce((total, { bytes }) => total + bytes, 0) / 1024).toFixed(1)} KB`;
  const parts = KINDS.map((kind) => `${kind} ${sum([kind])}`).join(", ");
  return `${sum(KINDS)} (${parts}), others ${sum(["others"])}, ${all.length} requests`;
}
