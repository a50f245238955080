// Converts a document to its normal form, which is the document that reading its own Markdown returns. Documents are compared
// and written in normal form.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type {
  Block,
  BlockData,
  BlockOf,
  ContentRef,
  Fragment,
  Inline,
  InlineOf,
  Mark,
  Phrasing,
  TableRecord,
  TableView,
} from "../../document";
import { normalizeEmoji } from "../emoji";
import { resolveAsWritten } from "../hrefs";
import { parseColumnWidth } from "../reader/columns";
import { addMark, createTextNode, isEmpty, MARK_ORDER, Phrases } from "../reader/leaves";
import type { LinkPurpose } from "../reader/reading";
import { collectFormattedTitles } from "../reader/tables";

/** Maps a reference to another one. */
export type MapRef = (ref: ContentRef, as: LinkPurpose) => ContentRef;

const PURPOSES: Partial<Record<Block["type"] | Inline["type"], LinkPurpose>> = {
  image: "image",
  drawing: "image",
  "inline-image": "image",
  file: "file",
  "content-ref": "content-ref",
  "reusable-content": "include",
  mention: "mention",
  button: "button",
  swagger: "openapi",
  "openapi-operation": "openapi",
  "openapi-schemas": "openapi",
  "openapi-webhook": "openapi",
};

/** Converts blocks to normal form without keys. Markdown has no empty paragraphs and lists, so they are left out. */
export function* normalizeInSteps(blocks: readonly Block[], mapRef: MapRef): Steps<Block[]> {
  const normal: Block[] = [];
  for (const block of blocks) {
    const { type } = block;
    const data = normalizeData(type, block.data ?? {}, mapRef) as BlockData["paragraph"];
    const result = { object: "block", type, data } as Block;
    if (block.fragments && block.fragments.length > 0)
      result.fragments = yield* normalizeFragments(block.fragments, mapRef);
    if (type === "code") {
      const lines: (readonly [text: string, highlighted: boolean])[] = [];
      for (const { data, nodes: texts = [] } of (block.nodes ?? []) as BlockOf<"code-line">[]) {
        const text = texts
          .map((node) => (node.object === "text" ? node.leaves.map((leaf) => leaf.text).join("") : ""))
          .join("");
        for (const line of text.split(/\r\n?|\n/)) lines.push([line, data?.highlighted === true]);
        yield;
      }
      if (lines.length === 0) lines.push(["", false]);
      result.nodes = lines.map(([text, highlighted]): BlockOf<"code-line"> => {
        const nodes = [createTextNode(text)];
        return { object: "block", type: "code-line", data: highlighted ? { highlighted } : {}, nodes };
      });
    } else if (type === "paragraph" || type.startsWith("heading-")) {
      result.nodes = yield* normalizePhrasing((block.nodes ?? []) as Phrasing[], mapRef, true);
    } else if (block.nodes?.some(({ object }) => object === "block") || (block.nodes && CONTAINER_TYPES.has(type))) {
      result.nodes = yield* normalizeInSteps((block.nodes ?? []) as Block[], mapRef);
    }
    if (type === "table") normal.push(yield* normalizeTable(result as BlockOf<"table">, mapRef));
    else if (type === "list-tasks" || type === "list-unordered") {
      // Any task makes a list a task list, and without any all of its checkboxes are empty.
      const items = (result.nodes ?? []) as BlockOf<"list-item">[];
      if (items.some(({ data }) => data?.checked !== undefined))
        normal.push({ ...result, type: "list-tasks" } as Block);
      else if (type === "list-unordered") normal.push(result);
      else normal.push({ ...result, nodes: items.map((item) => ({ ...item, data: { checked: false } })) } as Block);
    } else normal.push(result);
    yield;
  }
  return normal.filter(({ type, nodes }) => {
    if (LISTS.has(type) || type === "images") return nodes?.length !== 0;
    return type !== "paragraph" || !isEmpty((nodes ?? []) as Phrasing[]);
  });
}

const LISTS: ReadonlySet<Block["type"]> = new Set<Block["type"]>(["list-ordered", "list-unordered", "list-tasks"]);

/** Blocks that contain blocks, even if they are empty. */
const CONTAINER_TYPES = new Set<Block["type"]>(
  "list-ordered list-unordered list-tasks list-item blockquote hint if images tabs tabs-item stepper stepper-step columns column updates update unknown".split(
    " ",
  ) as Block["type"][],
);

/** Normalizes data: removes members without meaning, and maps references. */
function normalizeData(type: Block["type"] | Inline["type"], data: object, mapRef: MapRef): Record<string, unknown> {
  const normal: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === undefined || (value === false && name === "fullWidth")) continue;
    const isRef = (name === "ref" || name === "refDark") && typeof value === "object" && value !== null;
    if (isRef) {
      const [ref, as] = [value as ContentRef, PURPOSES[type] ?? "link"];
      // The URL of an operation can be the name of a specification.
      normal[name] = mapRef(ref.kind === "url" ? resolveAsWritten(ref.url, as) : ref, as);
    } else normal[name] = value;
  }
  if (type === "column") {
    // A width is a number of percents, or a size with its unit. Older documents have both as a text.
    const { width, size, ...others } = normal;
    return { ...(parseColumnWidth(width) ?? parseColumnWidth(size)), ...others };
  }
  if (type === "integration") {
    const props = Object.entries(normal.props as Record<string, string>);
    normal.props = Object.fromEntries(props.map(([name, value]) => [name, cleanText(value)]));
  }
  if (type === "list-ordered" && normal.start === 1) delete normal.start;
  return normal;
}

function* normalizeFragments(fragments: readonly Fragment[], mapRef: MapRef): Steps<Fragment[]> {
  const normal: Fragment[] = [];
  for (const { fragment, type, nodes } of fragments) {
    const named = { ...omitUndefined({ fragment, type: type ? type : undefined }) };
    normal.push({ object: "fragment", ...named, nodes: yield* normalizeInSteps(nodes, mapRef) });
  }
  return normal;
}

/** Normalizes a table: rows in their order, with new names; an empty cell has no value. */
function* normalizeTable(table: BlockOf<"table">, mapRef: MapRef): Steps<Block> {
  const { view, records, definition, ...rest } = table.data!;
  const cells = new Map(
    table.fragments?.flatMap((part) => (part.type === "column-title" ? [] : [[part.fragment, part]])),
  );
  const ids = [...new Set([...view.columns, ...Object.keys(definition)])].filter((id) => Object.hasOwn(definition, id));
  const newIds = new Map(ids.map((id, i) => [id, `c${i + 1}`]));
  const places = new Map(ids.map((id, i) => [id, i]));
  const byPlace = (a: string, b: string) => (places.get(a) ?? 0) - (places.get(b) ?? 0);
  const rows = Object.values(records).sort((a, b) => (String(a.orderIndex) < String(b.orderIndex) ? -1 : 1));
  const fragments: Fragment[] = [];
  const titles = collectFormattedTitles(definition, table.fragments);
  for (const [id, newId] of newIds) {
    const title = titles.get(id);
    if (!title) continue;
    const nodes: Block[] = [{ object: "block", type: "paragraph", data: {}, nodes: title }];
    fragments.push({ object: "fragment", fragment: newId, type: "column-title", nodes });
  }
  const newRecords: [string, TableRecord][] = [];
  for (const [i, row] of rows.entries()) {
    const values: (typeof row)["values"] = {};
    for (const id of Object.keys(row.values).sort(byPlace)) {
      const newId = newIds.get(id);
      const value = row.values[id];
      if (newId === undefined || value === undefined || (Array.isArray(value) && value.length === 0)) continue;
      const { type } = definition[id]!;
      const cell = type === "text" ? cells.get(String(value)) : undefined;
      if (type !== "text") {
        const as: LinkPurpose = type === "files" ? "file" : type === "image" ? "image" : "content-ref";
        const map = <Item>(item: Item) =>
          typeof item === "object" && item !== null ? mapRef(item as unknown as ContentRef, as) : item;
        values[newId] = (Array.isArray(value) ? (value as unknown[]).map(map) : map(value)) as typeof value;
      } else if (cell && cell.nodes.length > 0) {
        const name = `r${i + 1}${newId}`;
        values[newId] = name;
        fragments.push({ object: "fragment", fragment: name, type: "cell", nodes: cell.nodes });
      }
    }
    newRecords.push([`r${i + 1}`, { orderIndex: String(i + 1).padStart(6, "0"), values }]);
    yield;
  }
  const columns = view.columns.flatMap((id) => newIds.get(id) ?? []);
  let newView: TableView;
  if (view.type === "cards") {
    const { cardSize, targetDefinition: target, coverDefinition: cover } = view;
    newView = {
      type: "cards",
      cardSize,
      columns,
      ...omitUndefined({
        targetDefinition: target === undefined ? undefined : newIds.get(target),
        coverDefinition: cover === undefined ? undefined : newIds.get(cover),
      }),
    };
  } else {
    const widths = Object.entries(view.columnWidths ?? {}).flatMap(([id, width]) => {
      const newId = newIds.get(id);
      return newId === undefined ? [] : [[newId, width] as const];
    });
    const columnWidths = widths.length > 0 ? { columnWidths: Object.fromEntries(widths) } : {};
    newView = { type: "grid", columns, ...columnWidths, hideHeader: view.hideHeader };
  }
  const newDefinition = [...newIds].map(([id, newId]) => [newId, { ...definition[id]!, id: newId }] as const);
  const data = {
    ...rest,
    definition: Object.fromEntries(newDefinition),
    records: Object.fromEntries(newRecords),
    view: newView,
  };
  const caption = table.fragments?.find(({ type, nodes }) => type === "caption" && nodes.length > 0);
  if (caption) fragments.push(caption);
  const { fragments: _, ...others } = table;
  return { ...others, data, ...omitUndefined({ fragments: fragments.length > 0 ? fragments : undefined }) } as Block;
}

/** The number of phrases that are normalized in one step. */
const STEP = 500;

function* normalizePhrasing(nodes: readonly Phrasing[], mapRef: MapRef, isBlock: boolean): Steps<Phrasing[]> {
  const phrases = new Phrases();
  for (const [i, node] of nodes.entries()) {
    if (i % STEP === STEP - 1) yield;
    if (node.object === "inline" && node.type === "emoji") {
      const emoji = normalizeEmoji(node.data);
      if (emoji) phrases.addInline({ object: "inline", type: "emoji", isVoid: true, data: emoji });
      else phrases.addText(cleanText(`:${node.data.code}:`), []);
    } else if (node.object === "inline") {
      const { type } = node;
      const hasContent = type === "link" || type === "annotation";
      const data = normalizeData(type, node.data, mapRef);
      const normal = { object: "inline", type, isVoid: !hasContent, data } as InlineOf<"annotation">;
      if (hasContent) normal.nodes = yield* normalizePhrasing(node.nodes ?? [], mapRef, false);
      if (node.fragments && node.fragments.length > 0)
        normal.fragments = yield* normalizeFragments(node.fragments, mapRef);
      phrases.addInline(normal as Inline);
    } else {
      for (const { text, marks } of node.leaves) {
        let sorted: readonly Mark[] = [];
        for (const mark of marks) {
          if (mark.type === "color")
            sorted = addMark(sorted, { object: "mark", type: "color", data: { ...mark.data } });
          else sorted = addMark(sorted, MARK_ORDER.includes(mark.type) ? mark.type : "bold");
        }
        phrases.addText(cleanText(text), sorted);
      }
    }
  }
  return phrases.finish(isBlock);
}

function cleanText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").replace(/\r\n?/g, "\n");
}
