// The process that is a website: a thousand pages in fifty folders, each with the navigation of the whole site, a table,
// code, and an image of its own. It is another process so that its memory and its time are not counted.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pageText } from "./page-text";

const PAGES = 1000;
const FOLDER = 20;
const path = (n: number) => (n === 0 ? "/" : `/part-${Math.floor(n / FOLDER)}/page-${n}`);
const navigation = Array.from({ length: PAGES }, (_, n) => `<li><a href="${path(n)}">Page ${n}</a></li>`).join("");

const server = createServer((request, response) => {
  const url = request.url!;
  const image = /^\/image-(\d+)\.png$/.exec(url)?.[1];
  const page = url === "/" ? 0 : Number(/\/page-(\d+)$/.exec(url)?.[1] ?? Number.NaN);
  if (image !== undefined) response.setHeader("content-type", "image/png").end(png(Number(image)));
  else if (Number.isNaN(page)) response.writeHead(404).end();
  else response.setHeader("content-type", "text/html; charset=utf-8").end(html(page));
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());

function html(n: number): string {
  const [first, ...sections] = pageText(n).split("\n\n");
  const body = sections.map((it) => (it.startsWith("## ") ? `<h2>${it.slice(3)}</h2>` : `<p>${it}</p>`)).join("\n");
  return `<!doctype html><html><head><title>Page ${n}</title></head><body><nav><ul>${navigation}</ul></nav><main>
<h1>Page ${n}</h1><p>${first}</p><p>See <a href="${path((n * 7) % PAGES)}">another</a>.</p>${body}
<pre><code class="language-ts">const page = ${n};</code></pre>
<table><tr><th>Name</th><th>Value</th></tr><tr><td>n</td><td>${n}</td></tr></table>
<img src="/image-${n}.png" alt="Picture ${n}"></main><footer>The end</footer></body></html>`;
}

/** Ten kilobytes that begin as a PNG does. */
function png(n: number): Uint8Array {
  const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const bytes = Buffer.alloc(10_000, n & 255);
  Buffer.from(dot, "base64").copy(bytes);
  bytes.writeUInt32LE(n, 9000);
  return bytes;
}
