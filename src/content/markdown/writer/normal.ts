// A document in its one normal form: the one that reading its own Markdown would give. Documents are compared in it, and
// written from it.

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
} from "../../document";
import { normalEmoji } from "../emoji";
import { columnWidth } from "../reader/columns";
import { isEmpty, MARK_ORDER, Phrases, textNode, withMark } from "../reader/leaves";
import { asWritten, type LinkPurpose } from "../reader/reading";
import { formattedTitles } from "../reader/tables";

/** Makes another reference of one. */
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

/**
 * Blocks in normal form, without keys, step by step. Paragraphs and lists that hold nothing are left out: Markdown has
 * none.
 */
export function* normalInSteps(blocks: readonly Block[], mapRef: MapRef): Steps<Block[]> {
  const normal: Block[] = [];
  for (const block of blocks) {
    normal.push(yield* normalBlock(block, mapRef));
    yield;
  }
  return normal.filter((block) => !isNothing(block));
}

/** A block in normal form, step by step; undefined if it holds nothing. */
export function* oneInSteps(block: Block, mapRef: MapRef): Steps<Block | undefined> {
  return (yield* normalInSteps([block], mapRef))[0];
}

function isNothing({ type, nodes }: Block): boolean {
  if (/^list-(?:ordered|unordered|tasks)$/.test(type) || type === "images") return nodes?.length === 0;
  return type === "paragraph" && isEmpty((nodes ?? []) as Phrasing[]);
}

function* normalBlock(block: Block, mapRef: MapRef): Steps<Block> {
  const { type } = block;
  const data = normalData(type, block.data ?? {}, mapRef) as BlockData["paragraph"];
  const normal = { object: "block", type, data } as Block;
  if (block.fragments && block.fragments.length > 0) normal.fragments = yield* normalFragments(block.fragments, mapRef);
  if (type === "code") normal.nodes = yield* codeLines(block);
  else if (type === "paragraph" || type.startsWith("heading-")) {
    normal.nodes = yield* normalPhrasing((block.nodes ?? []) as Phrasing[], mapRef, true);
  } else if (block.nodes?.some(({ object }) => object === "block") || (block.nodes && HOLDERS.has(type))) {
    normal.nodes = yield* normalInSteps((block.nodes ?? []) as Block[], mapRef);
  }
  return type === "table" ? yield* normalTable(normal as BlockOf<"table">, mapRef) : withTasks(normal);
}

const HOLDERS = new Set<Block["type"]>(
  "list-ordered list-unordered list-tasks list-item blockquote hint if images tabs tabs-item stepper stepper-step columns column updates update unknown".split(
    " ",
  ) as Block["type"][],
);

/** A list is one of tasks if any of its items is a task, and one of tasks without any has all its boxes empty. */
function withTasks(list: Block): Block {
  if (list.type !== "list-tasks" && list.type !== "list-unordered") return list;
  const items = (list.nodes ?? []) as BlockOf<"list-item">[];
  const isTasks = items.some(({ data }) => data?.checked !== undefined);
  if (isTasks) return { ...list, type: "list-tasks" };
  if (list.type === "list-unordered") return list;
  return { ...list, nodes: items.map((item) => ({ ...item, data: { checked: false } })) };
}

function* codeLines({ nodes = [] }: Block): Steps<Block[]> {
  const lines: Block[] = [];
  for (const { data, nodes: texts = [] } of nodes as BlockOf<"code-line">[]) {
    const text = texts
      .map((node) => (node.object === "text" ? node.leaves.map((leaf) => leaf.text).join("") : ""))
      .join("");
    for (const line of text.split(/\r\n?|\n/)) lines.push(codeLine(line, data?.highlighted === true));
    yield;
  }
  return lines.length > 0 ? lines : [codeLine("", false)];
}

function codeLine(text: string, highlighted: boolean): BlockOf<"code-line"> {
  return { object: "block", type: "code-line", data: highlighted ? { highlighted } : {}, nodes: [textNode(text)] };
}

/** Data without members that say nothing, its references mapped. */
function normalData(type: Block["type"] | Inline["type"], data: object, mapRef: MapRef): Record<string, unknown> {
  const normal: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (value === undefined || (value === false && name === "fullWidth")) continue;
    const isRef = (name === "ref" || name === "refDark") && typeof value === "object" && value !== null;
    normal[name] = isRef ? normalRef(value as ContentRef, PURPOSES[type] ?? "link", mapRef) : value;
  }
  if (type === "column") return normalColumn(normal);
  if (type === "integration") normal.props = normalProps(normal.props as Record<string, string>);
  if (type === "list-ordered" && normal.start === 1) delete normal.start;
  return normal;
}

/** What an operation names is a specification, also where a document has its name as an address. */
function normalRef(ref: ContentRef, as: LinkPurpose, mapRef: MapRef): ContentRef {
  return mapRef(ref.kind === "url" ? asWritten(ref.url, as) : ref, as);
}

function normalProps(props: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(props).map(([name, value]) => [name, cleanText(value)]));
}

/** A width is a number of percents, or a size with its unit; documents once had both as a text. */
function normalColumn({ width, size, ...others }: Record<string, unknown>): Record<string, unknown> {
  return { ...(columnWidth(width) ?? columnWidth(size)), ...others };
}

function* normalFragments(fragments: readonly Fragment[], mapRef: MapRef): Steps<Fragment[]> {
  const normal: Fragment[] = [];
  for (const { fragment, type, nodes } of fragments) {
    const named = { ...omitUndefined({ fragment, type: type ? type : undefined }) };
    normal.push({ object: "fragment", ...named, nodes: yield* normalInSteps(nodes, mapRef) });
  }
  return normal;
}

/** Rows in their order, under names of their own; a cell that holds nothing has no value. */
function* normalTable(table: BlockOf<"table">, mapRef: MapRef): Steps<Block> {
  const { view, records, definition, ...rest } = table.data!;
  const found = new Map(
    table.fragments?.flatMap((part) => (part.type === "column-title" ? [] : [[part.fragment, part]])),
  );
  const ids = [...new Set([...view.columns, ...Object.keys(definition)])].filter((id) => Object.hasOwn(definition, id));
  const newIds = new Map(ids.map((id, i) => [id, `c${i + 1}`]));
  const places = new Map(ids.map((id, i) => [id, i]));
  const byPlace = (a: string, b: string) => (places.get(a) ?? 0) - (places.get(b) ?? 0);
  const rows = Object.values(records).sort((a, b) => (String(a.orderIndex) < String(b.orderIndex) ? -1 : 1));
  const fragments: Fragment[] = [];
  const titles = formattedTitles(definition, table.fragments);
  for (const [id, newId] of newIds) {
    const words = titles.get(id);
    if (!words) continue;
    const nodes: Block[] = [{ object: "block", type: "paragraph", data: {}, nodes: words }];
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
      const cell = type === "text" ? found.get(String(value)) : undefined;
      if (type !== "text") values[newId] = mapCell(value, type, mapRef);
      else if (cell && cell.nodes.length > 0) {
        const name = `r${i + 1}${newId}`;
        values[newId] = name;
        fragments.push({ object: "fragment", fragment: name, type: "cell", nodes: cell.nodes });
      }
    }
    newRecords.push([`r${i + 1}`, { orderIndex: String(i + 1).padStart(6, "0"), values }]);
    yield;
  }
  const newDefinition = [...newIds].map(([id, newId]) => [newId, { ...definition[id]!, id: newId }] as const);
  const data = {
    ...rest,
    definition: Object.fromEntries(newDefinition),
    records: Object.fromEntries(newRecords),
    view: normalView(view, newIds),
  };
  const caption = table.fragments?.find(({ type, nodes }) => type === "caption" && nodes.length > 0);
  if (caption) fragments.push(caption);
  const { fragments: _, ...others } = table;
  return { ...others, data, ...omitUndefined({ fragments: fragments.length > 0 ? fragments : undefined }) } as Block;
}

function mapCell<Value>(value: Value, type: string, mapRef: MapRef): Value {
  const as: LinkPurpose = type === "files" ? "file" : type === "image" ? "image" : "content-ref";
  const map = (item: unknown) => (typeof item === "object" && item !== null ? mapRef(item as ContentRef, as) : item);
  return (Array.isArray(value) ? value.map(map) : map(value)) as Value;
}

type View = NonNullable<BlockOf<"table">["data"]>["view"];

function normalView(view: View, newIds: ReadonlyMap<string, string>): View {
  const columns = view.columns.flatMap((id) => newIds.get(id) ?? []);
  if (view.type === "cards") {
    const { cardSize, targetDefinition: target, coverDefinition: cover } = view;
    return {
      type: "cards",
      cardSize,
      columns,
      ...omitUndefined({
        targetDefinition: target !== undefined && newIds.has(target) ? newIds.get(target)! : undefined,
        coverDefinition: cover !== undefined && newIds.has(cover) ? newIds.get(cover)! : undefined,
      }),
    };
  }
  const widths = Object.entries(view.columnWidths ?? {}).flatMap(([id, width]) => {
    const newId = newIds.get(id);
    return newId === undefined ? [] : [[newId, width] as const];
  });
  const columnWidths = widths.length > 0 ? { columnWidths: Object.fromEntries(widths) } : {};
  return { type: "grid", columns, ...columnWidths, hideHeader: view.hideHeader };
}

/** How many phrases are one step. */
const STEP = 500;

function* normalPhrasing(nodes: readonly Phrasing[], mapRef: MapRef, isBlock: boolean): Steps<Phrasing[]> {
  const phrases = new Phrases();
  for (const [i, node] of nodes.entries()) {
    if (i % STEP === STEP - 1) yield;
    if (node.object === "inline") yield* addInline(phrases, node, mapRef);
    else for (const { text, marks } of node.leaves) phrases.addText(cleanText(text), orderedMarks(marks));
  }
  return phrases.finish(isBlock);
}

function* addInline(phrases: Phrases, inline: Inline, mapRef: MapRef): Steps<void> {
  if (inline.type !== "emoji") {
    phrases.addInline(yield* normalInline(inline, mapRef));
    return;
  }
  const emoji = normalEmoji(inline.data);
  if (emoji) phrases.addInline({ object: "inline", type: "emoji", isVoid: true, data: emoji });
  else phrases.addText(cleanText(`:${inline.data.code}:`), []);
}

function cleanText(text: string): string {
  return text.replaceAll("\0", "\uFFFD").replace(/\r\n?/g, "\n");
}

function orderedMarks(marks: readonly Mark[]): readonly Mark[] {
  if (marks.length < 2) return marks.map(plainMark);
  return marks.reduce<readonly Mark[]>((ordered, mark) => withMark(ordered, plainMark(mark)), []);
}

function plainMark(mark: Mark): Mark {
  if (mark.type === "color") return { object: "mark", type: "color", data: { ...mark.data } };
  return { object: "mark", type: MARK_ORDER.includes(mark.type) ? mark.type : "bold" };
}

function* normalInline(inline: Inline, mapRef: MapRef): Steps<Inline> {
  const { type } = inline;
  const holdsText = type === "link" || type === "annotation";
  const data = normalData(type, inline.data, mapRef);
  const normal = { object: "inline", type, isVoid: !holdsText, data } as InlineOf<"annotation">;
  if (holdsText) normal.nodes = yield* normalPhrasing(inline.nodes ?? [], mapRef, false);
  if (inline.fragments && inline.fragments.length > 0)
    normal.fragments = yield* normalFragments(inline.fragments, mapRef);
  return normal as Inline;
}
