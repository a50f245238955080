// Documents for the rows that speak of them: nodes to post, addresses that run, and the check that a document is harmless.

import { expect } from "vitest";
import type { Answer, Setting } from "../support/setting";
import { change, read } from "./contents";

/** Every member of a document, however deep: its name, its value, and the type of the node that it is in. */
export function* membersOf(
  value: unknown,
  type = "",
): Generator<readonly [name: string, value: unknown, type: string]> {
  if (typeof value !== "object" || value === null) return;
  const node = value as Record<string, unknown>;
  const inside = typeof node.type === "string" && "object" in node ? node.type : type;
  for (const [name, member] of Object.entries(node)) {
    yield [name, member, inside];
    yield* membersOf(member, inside);
  }
}

/** What a browser makes of an address; its own parser is the judge. */
export function runs(address: string, isImage: boolean): boolean {
  let url: URL;
  try {
    url = new URL(address, "https://docs.test/a/b");
  } catch {
    return false;
  }
  if (["http:", "https:", "mailto:", "tel:"].includes(url.protocol)) return false;
  return !(isImage && /^data:image\/(png|jpe?g|gif|webp|avif);/i.test(url.href));
}

const TYPES = new Set(
  (
    "paragraph heading-1 heading-2 heading-3 list-ordered list-unordered list-tasks list-item divider blockquote hint if images " +
    "image file drawing embed math code code-line expandable tabs tabs-item table content-ref reusable-content integration " +
    "stepper stepper-step columns column swagger openapi-operation openapi-schemas openapi-webhook updates update unknown " +
    "link emoji icon expression inline-math inline-image annotation mention anchor button"
  ).split(" "),
);
const IMAGES = new Set(["image", "inline-image", "drawing", "table"]);

/** Asserts that no node of a document is of an unknown type, has an address that runs, or asks for HTML to be trusted. */
export function expectHarmless(document: unknown, of: string): void {
  for (const [name, value, type] of membersOf(document)) {
    if (name === "url" || name === "href" || name === "src") {
      expect(typeof value, of).toBe("string");
      expect([value, runs(value as string, IMAGES.has(type))], of).toEqual([value, false]);
    }
    expect(["html", "innerHTML", "dangerouslySetInnerHTML", "onclick", "style", "class"], of).not.toContain(
      name === "style" && type === "hint" ? "" : name,
    );
    if (typeof value === "object" && value !== null && "object" in value && "type" in value) {
      const { object, type: kind } = value as { object: string; type: string };
      if (object === "block" || object === "inline") expect(TYPES.has(kind), `${of}: ${kind}`).toBe(true);
    }
  }
}

/** Addresses that a browser would run or open outside of the web, in many spellings. */
export const ADDRESSES = [
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "java&Tab;script:alert(1)",
  "java&#10;script:alert(1)",
  "&#106;avascript:alert(1)",
  "&#x6A;avascript&colon;alert(1)",
  "javascript&#58;alert(1)",
  "\u0001javascript:alert(1)",
  "&#1;javascript:alert(1)",
  "&nbsp;javascript:alert(1)",
  " javascript:alert(1)",
  "javascript\\:alert(1)",
  "vbscript:msgbox(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:text/html;base64,PHNjcmlwdD4=",
  "data:image/svg+xml,<svg onload=alert(1)>",
  "data:image/svg+xml;base64,PHN2Zz4=",
  "data:image/png,<script>",
  "blob:https://docs.test/x",
  "file:///etc/passwd",
  "filesystem:https://docs.test/x",
  "view-source:javascript:alert(1)",
  "feed:javascript:alert(1)",
  "jar:javascript:alert(1)",
  "intent://x#Intent;end",
  "ms-word:ofe|u|x",
  "x-apple:1",
  "\u200bjavascript:alert(1)",
  "\ufeffjavascript:alert(1)",
  "\u2028javascript:alert(1)",
];

/** A text with one leaf. */
export const textNode = (text: string, marks: unknown[] = []) => ({
  object: "text",
  leaves: [{ object: "leaf", text, marks }],
});
/** A block. */
export const block = (type: string, more: object = {}) => ({ object: "block", type, ...more });
/** An inline, void unless it has nodes. */
export const inline = (type: string, data: object, nodes?: object[]) => ({
  object: "inline",
  type,
  isVoid: nodes === undefined,
  data,
  ...(nodes ? { nodes } : {}),
});
/** A paragraph of plain text. */
export const paragraph = (text: string) => block("paragraph", { nodes: [textNode(text)] });

/** Where the issues of a posted document are. */
export const AT = /^body\.changes\.0\.document\.document/;

/** Posts a document as a new page. */
export function post(setting: Setting, space: string, nodes: unknown): Promise<Answer> {
  const document = { object: "document", data: {}, nodes };
  return change(setting, space, [{ operation: "insert_page", title: "A", document: { document } }]);
}

/** A page as a document. */
export async function documentOf(
  setting: Setting,
  space: string,
  id: string,
): Promise<{ nodes: Record<string, unknown>[] }> {
  const { status, body } = await read(setting, space, id, "?format=document");
  expect(status).toBe(200);
  return body.document;
}
