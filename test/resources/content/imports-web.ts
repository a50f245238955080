// A web for imports: one address for every source, as `fetch` sees it, and the tunnels of integrations. Nothing else can be reached.

import { strToU8, zipSync } from "fflate";
import { docx, image, PIXEL, p, style } from "../../importers/docx-fixture";
import { page } from "../../importers/website-site";

const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([path, it]) => [path, typeof it === "string" ? strToU8(it) : it])),
  );

const notionId = (digit: string) => digit.repeat(32);
const HANDBOOK = `Handbook ${notionId("a")}`;
const property = (name: string, value: string) => `<property name="${name}"><![CDATA[${value}]]></property>`;
const confluenceObject = (kind: string, id: number, inside: string) =>
  `<object class="${kind}" package="com.atlassian.confluence"><id name="id">${id}</id>${inside}</object>`;

const html = (body: string | Uint8Array) => [body, "text/html; charset=utf-8"] as const;
const file = (body: string | Uint8Array) => [body, "application/octet-stream"] as const;

/** What is at which address: a body and its type; null is an address that never answers. */
const addresses: Readonly<Record<string, readonly [string | Uint8Array, string] | null>> = {
  "https://site.example/docs/": html(
    page("Home", ["/docs/install", "/docs/missing", "/docs/closed"], '<img src="/docs/logo.png" alt="Logo">'),
  ),
  "https://site.example/docs/install": html(page("Install", ["/docs/#top"], '<img src="/docs/logo.png" alt="Again">')),
  "https://site.example/docs/logo.png": [PIXEL, "image/png"],
  "https://site.example/robots.txt": ["User-agent: *\nDisallow: /docs/closed\n", "text/plain"],
  "https://site.example/one.html?key=s3cret": html(page("One page", [], '<img src="/gone.png?key=s3cret">')),
  "https://site.example/empty": html("<html><body></body></html>"),
  "https://files.example/guide.md": file("# The guide\n\nRead ![it](pictures/a.png) and ![that](pictures/b.png).\n"),
  "https://files.example/pictures/a.png": [PIXEL, "image/png"],
  "https://files.example/plain.md": file("# Plain\n\nJust a text.\n"),
  "https://files.example/report.docx": file(
    docx(p("Annual report", style("Titel")) + p("It was a good year.") + p(image("a", "A dot")), {
      files: { "word/media/dot.png": PIXEL },
      relationships: { a: ["image", "media/dot.png"] },
    }),
  ),
  "https://files.example/book.zip": file(
    zip({
      "book/README.md": "# Welcome\n\nOn to [the first](first.md). ![Dot](dot.png)\n",
      "book/first.md": "# First\n\nBack [home](README.md).\n",
      "book/dot.png": PIXEL,
      "book/unused.bin": "nobody names it",
    }),
  ),
  "https://files.example/slip.zip": file(zip({ "README.md": "# Hello\n", "../../etc/passwd": "root" })),
  "https://files.example/notes.zip": file(zip({ "a.txt": "no page" })),
  "https://files.example/space.xml.zip": file(
    zip({
      "entities.xml": `<?xml version="1.0"?><hibernate-generic>${confluenceObject(
        "Page",
        1,
        property("title", "Team space") + property("contentStatus", "current"),
      )}${confluenceObject(
        "BodyContent",
        2,
        `${property("body", "<p>Hello team.</p>")}<property name="content" class="Page" package="com.atlassian.confluence"><id name="id">1</id></property>${property("bodyType", "2")}`,
      )}</hibernate-generic>`,
    }),
  ),
  "https://files.example/notion.zip": file(
    zip({
      [`${HANDBOOK}.md`]: `# Handbook\n\n[First](${encodeURIComponent(HANDBOOK)}/First%20${notionId("b")}.md)\n`,
      [`${HANDBOOK}/First ${notionId("b")}.md`]: "# First\n\nWords.\n",
    }),
  ),
  "https://docs.google.com/document/d/1AbCdEfGhIjKlMnOp/export?format=html": html(
    '<html><head><title>File</title></head><body class="doc-content"><p class="title"><span>The plan</span></p><p><span>Do it.</span></p></body></html>',
  ),
  "https://tunnel.example/v1": [
    JSON.stringify({ type: "element", element: { type: "block", children: [] }, state: {}, props: {} }),
    "application/json",
  ],
  "https://gate.example/v1": ["console.log('Hello');", "text/javascript"],
  "https://slow.example/": null,
  "https://site.example/stuck/": html(page("Stuck", ["/stuck/never"])),
  "https://site.example/stuck/never": null,
};

/** Reaches the addresses of this file and nothing else. */
export const web: typeof fetch = async (input, init) => {
  const url = String(input);
  const found = Object.hasOwn(addresses, url) ? addresses[url] : undefined;
  if (found === null)
    return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal!.reason)));
  if (found === undefined) return new Response("Not here", { status: 404 });
  return new Response(found[0] as BodyInit, { headers: { "content-type": found[1] } });
};
