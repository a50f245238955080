// S5: an exporter of a wiki fetched the pictures of a page, and with them whatever address or file a page named.

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Block, ContentRef } from "../../src/content/document";
import { pdfPrinter } from "../../src/pdf";
import { host } from "../support/listening";
import { NOTO } from "./fonts";
import { readPdf } from "./reader";
import { block, fragment, inline, job, link, p, page, withFragments } from "./writing";

let requests = 0;
let origin = "";
let close: () => Promise<void>;

beforeAll(async () => {
  ({ origin, close } = await host((_, response) => {
    requests++;
    response.end("fetched");
  }));
});
afterAll(() => close());

/** Addresses that a page may name, and that nobody may follow for it. */
const addresses = () => [
  `${origin}/picture.png`,
  `${origin.replace("127.0.0.1", "[::ffff:127.0.0.1]")}/picture.png`,
  "file:///etc/passwd",
  "/etc/passwd",
  "php://filter/resource=/etc/passwd",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "data:text/html,<script>alert(1)</script>",
  "javascript:alert(1)",
  "vbscript:alert(1)",
  "ftp://127.0.0.1/x",
  "\\\\127.0.0.1\\share",
];

/** Every block and inline that takes an address or a reference. */
function everything(url: string): Block[] {
  const ref: ContentRef = { kind: "url", url };
  const definition = {
    cover: { id: "cover", title: "Cover", type: "image" as const },
    files: { id: "files", title: "Files", type: "files" as const },
    see: { id: "see", title: "See", type: "content-ref" as const },
  };
  const records = { r: { orderIndex: "a", values: { cover: ref, files: [ref], see: ref } } };
  const columns = Object.keys(definition);
  return [
    p(
      link("link", ref),
      inline("inline-image", { ref }),
      inline("mention", { ref }),
      inline("button", { label: "b", kind: "primary", ref }),
    ),
    block(
      "images",
      {},
      withFragments(block("image", { ref, refDark: ref, alt: "alt" }), fragment("caption", "c", p("caption"))),
    ),
    block("drawing", { ref }),
    block("file", { ref }),
    block("embed", { url }),
    block("content-ref", { ref }),
    block("reusable-content", { ref }),
    block("integration", { integration: "i", block: "b", props: { url }, url }),
    block("openapi-operation", { ref, path: "/", method: "get" }),
    block("openapi-schemas", { ref, schemas: ["A"] }),
    block("table", { view: { type: "grid", columns, hideHeader: false }, records, definition }),
    block("table", {
      view: { type: "cards", cardSize: "medium", columns, coverDefinition: "cover", targetDefinition: "see" },
      records,
      definition,
    }),
    block("unknown", { source: `<img src="${url}"><iframe src="${url}"></iframe>` }),
  ];
}

describe("S5: server-side requests", () => {
  test.each([
    ["standard fonts", {}],
    ["fonts of its own", { fonts: NOTO }],
  ])("nothing that a page names is fetched: %s", async (_, options) => {
    const fetched = vi.spyOn(globalThis, "fetch");
    const asked: string[] = [];
    const file = async (id: string) => {
      asked.push(id);
      return undefined;
    };
    const blocks = addresses().flatMap(everything);
    const bytes = await pdfPrinter(options).print(
      job([page("T", 0, ...blocks)], { file, url: () => "javascript:alert(1)" }),
    );
    expect(requests).toBe(0);
    expect(fetched).not.toHaveBeenCalled();
    expect(asked).toEqual([]);
    const { sheets, text } = await readPdf(bytes);
    expect(text).not.toMatch(/root:.*:0:0|fetched/);
    expect(sheets.flatMap(({ pictures }) => pictures)).toEqual([]);
    const schemes = new Set(
      sheets.flatMap(({ links }) => links.flatMap(({ url }) => (url ? [new URL(url).protocol] : []))),
    );
    expect(schemes).toEqual(new Set(["http:"]));
    fetched.mockRestore();
  });

  test("files are requested only by their id, whatever it looks like", async () => {
    const asked: string[] = [];
    const file = async (id: string) => {
      asked.push(id);
      return undefined;
    };
    const ids = ["../../etc/passwd", "http://127.0.0.1/", "fil-1"];
    const blocks = ids.map((id) => block("images", {}, block("image", { ref: { kind: "file", file: id } })));
    await pdfPrinter().print(job([page("T", 0, ...blocks)], { file }));
    expect([...asked].sort()).toEqual([...ids].sort());
  });
});

test("a file has no scripts, no forms and no actions on opening", async () => {
  const bytes = await pdfPrinter().print(job([page("T", 0, ...addresses().flatMap(everything))]));
  const file = new TextDecoder("latin1").decode(bytes);
  for (const name of [
    "/JavaScript",
    "/JS",
    "/OpenAction",
    "/AA",
    "/Launch",
    "/EmbeddedFile",
    "/AcroForm",
    "/SubmitForm",
  ])
    expect(file).not.toContain(name);
});
