// Documents as tests write them: short words for blocks, inlines and marks.

import type {
  Block,
  BlockData,
  ContentRef,
  Document,
  Fragment,
  Inline,
  InlineData,
  Mark,
  Phrasing,
  PlainMark,
  Text,
} from "../../src/content/document";
import type { PrintedPage, PrintJob } from "../../src/content/print-job";

type Inside = string | Phrasing | Block;

/** A text with marks. */
export function text(words: string, ...marks: PlainMark[]): Text {
  return {
    object: "text",
    leaves: [{ object: "leaf", text: words, marks: marks.map((type): Mark => ({ object: "mark", type })) }],
  };
}

/** A block of any type; strings become texts. */
export function block<Type extends keyof BlockData>(
  type: Type,
  data: BlockData[Type] | undefined,
  ...inside: Inside[]
): Block {
  const nodes = inside.map((node) => (typeof node === "string" ? text(node) : node));
  return { object: "block", type, ...(data && { data }), nodes } as Block;
}

/** A block with fragments. */
export function withFragments(node: Block, ...fragments: Fragment[]): Block {
  return { ...node, fragments } as Block;
}

/** A fragment. */
export function fragment(type: NonNullable<Fragment["type"]>, name: string, ...nodes: Block[]): Fragment {
  return { object: "fragment", type, fragment: name, nodes };
}

/** An inline of any type. */
export function inline<Type extends keyof InlineData>(
  type: Type,
  data: InlineData[Type],
  ...inside: (string | Phrasing)[]
): Inline {
  const nodes = inside.map((node) => (typeof node === "string" ? text(node) : node));
  return { object: "inline", type, isVoid: nodes.length === 0, data, nodes } as unknown as Inline;
}

/** A link. */
export function link(words: string, ref: ContentRef): Inline {
  return inline("link", { ref }, words);
}

/** A paragraph. */
export function p(...inside: (string | Phrasing)[]): Block {
  return block("paragraph", {}, ...inside);
}

/** A heading with an anchor. */
export function h(level: 1 | 2 | 3, words: string, anchor?: string): Block {
  return { ...block(`heading-${level}`, {}, words), ...(anchor && { meta: { id: anchor } }) } as Block;
}

/** A list; items are paragraphs, or blocks. */
export function list(type: "list-ordered" | "list-unordered", ...items: (string | Block[])[]): Block {
  return block(
    type,
    {},
    ...items.map((item) => block("list-item", {}, ...(typeof item === "string" ? [p(item)] : item))),
  );
}

/** Code, line by line. */
export function code(source: string, data: BlockData["code"] = {}): Block {
  return block("code", data, ...source.split("\n").map((line) => block("code-line", {}, line)));
}

/** A table of texts; its view may be changed. */
export function grid(
  titles: readonly string[],
  rows: readonly (readonly (string | Block)[])[],
  changes: { readonly hideHeader?: boolean; readonly columnWidths?: Record<string, number> } = {},
): Block {
  const fragments: Fragment[] = [];
  const records = Object.fromEntries(
    rows.map((row, at) => {
      const values = Object.fromEntries(
        row.map((cell, column) => {
          const name = `${at}-${column}`;
          fragments.push(fragment("cell", name, typeof cell === "string" ? p(cell) : cell));
          return [`c${column}`, name];
        }),
      );
      return [`r${at}`, { orderIndex: String(at).padStart(6, "0"), values }];
    }),
  );
  const definition = Object.fromEntries(
    titles.map((title, at) => [`c${at}`, { id: `c${at}`, title, type: "text" as const }]),
  );
  const view = { type: "grid" as const, columns: titles.map((_, at) => `c${at}`), hideHeader: false, ...changes };
  return withFragments(block("table", { view, records, definition }), ...fragments);
}

/** A document. */
export function doc(...nodes: Block[]): Document {
  return { object: "document", data: {}, nodes };
}

/** A page. */
export function page(title: string, depth: number, ...nodes: Block[]): PrintedPage {
  return { id: title.toLowerCase().replaceAll(" ", "-"), title, depth, document: doc(...nodes) };
}

/** A job of pages that has no files. */
export function job(pages: PrintJob["pages"], changes: Partial<PrintJob> = {}): PrintJob {
  return {
    title: "Handbook",
    date: new Date("2026-03-14T09:26:53Z"),
    pages,
    file: async () => undefined,
    url: (ref) => (ref.kind === "page" ? `https://docs.example.com/${ref.page}` : undefined),
    ...changes,
  };
}
