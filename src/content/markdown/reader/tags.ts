// Tags into blocks of the document. A tag that nobody knows, or that lacks what it needs, is kept as it was written, with
// what stands inside it.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Block, BlockData, BlockOf, ContentRef, Phrasing } from "../../document";
import { isForbiddenKey } from "../../document/data-schemas";
import { isSafeUrl } from "../../document/safe-url";
import type * as md from "../nodes";
import type { Tag } from "../nodes";
import { quotedArgument } from "../parser/tags";
import { readApiMethod } from "./api-methods";
import { columnWidth } from "./columns";
import { captionOf } from "./figures";
import { HINTS } from "./hints";
import { textNode } from "./leaves";
import { block, codeBlock, type ReadsBlocks, voidBlock } from "./make-blocks";
import { plainText } from "./phrasing";
import type { LinkPurpose } from "./reading";

/** Reads a tag; undefined when it is not what its name promises. */
type ReadTag = (reader: ReadsBlocks, tag: Tag, depth: number) => Steps<Block | undefined>;

const READERS: ReadonlyMap<string, ReadTag> = new Map<string, ReadTag>([
  ["hint", readHint],
  ["tabs", parts("tabs", "tab", ({ attributes }) => wide(attributes))],
  ["tab", part("tabs-item", ({ attributes: { title } }) => (title ? { title } : {}))],
  ["stepper", parts("stepper", "step", () => ({}))],
  ["step", part("stepper-step", () => ({}))],
  ["columns", parts("columns", "column", ({ attributes }) => wide(attributes))],
  ["column", part("column", columnData)],
  ["updates", parts("updates", "update", ({ attributes: { format } }) => (format ? { format } : {}))],
  ["update", part("update", updateData)],
  ["if", part("if", ({ argument }) => ({ expression: argument }))],
  ["code", readCode],
  ["prompt", readPrompt],
  ["code-tabs", parts("tabs", "code-tabs-item", () => ({}))],
  ["code-tabs-item", part("tabs-item", ({ attributes: { title } }) => (title ? { title } : {}))],
  [
    "include",
    short((reader, tag) => referring(reader, tag, "reusable-content", quotedArgument(tag.argument), "include")),
  ],
  ["content-ref", short((reader, tag) => referring(reader, tag, "content-ref", tag.attributes.url, "content-ref"))],
  ["page-ref", short((reader, tag) => referring(reader, tag, "content-ref", tag.attributes.page, "content-ref"))],
  ["embed", readEmbed],
  ["file", readFile],
  ["openapi-operation", short((reader, tag) => operation(reader, tag, "openapi-operation", tag.attributes.spec))],
  ["openapi", short((reader, tag) => operation(reader, tag, "swagger", tag.attributes.src))],
  ["swagger", readSwagger],
  ["api-method", readApiMethod],
  ["openapi-schemas", short(readSchemas)],
  ["openapi-webhook", short(readWebhook)],
]);

/** Parts are allowed only inside the block they belong to. */
const PARTS = new Set(["tab", "code-tabs-item", "step", "column", "update"]);

/** Whether a tag has a meaning here. */
export function isKnownTag(name: string): boolean {
  return READERS.has(name) || HINTS.has(name) || name.startsWith("@");
}

/** Whether a tag is one half of something that is shown without it: a shortcode whose other half stands elsewhere, or
 * `{% raw %}`. */
export function isHalf({ name, argument, source = "", close }: Tag): boolean {
  if (/^(?:end)?raw$/.test(name)) return !close && argument === "";
  return !close && source.startsWith("{{") && HINTS.has(name.replace(/^end/, "")) && argument === "";
}

/** Reads a tag that stands among blocks. */
export function* readTag(reader: ReadsBlocks, tag: Tag, depth: number): Steps<Block | undefined> {
  if (isHalf(tag)) return undefined;
  const own = PARTS.has(tag.name) ? undefined : (READERS.get(tag.name) ?? (HINTS.has(tag.name) ? readHint : undefined));
  const read = tag.name.startsWith("@") ? short(readIntegration) : own;
  const found = read && (yield* reader.reading.attempt(read(reader, tag, depth)));
  return found ?? (yield* unknownTag(reader, tag, depth));
}

/** A reader of tags that hold no blocks: there is one step. */
function short(read: (reader: ReadsBlocks, tag: Tag) => Block | undefined): ReadTag {
  // biome-ignore lint/correctness/useYield: what is short is done at once.
  return function* (reader, tag) {
    return read(reader, tag);
  };
}

function* unknownTag(reader: ReadsBlocks, tag: Tag, depth: number): Steps<BlockOf<"unknown">> {
  const source = tag.source ?? reader.reading.text.slice(tag.open.start, tag.open.end);
  if (!tag.close) return voidBlock("unknown", { source });
  return block("unknown", { source }, yield* reader.readAll(tag.children, depth + 1));
}

/** A block that consists of parts. If it contains anything else, it is unknown. */
function parts<Whole extends "tabs" | "stepper" | "columns" | "updates">(
  type: Whole,
  name: string,
  dataOf: (tag: Tag) => BlockData[Whole],
): ReadTag {
  return function* (reader, tag, depth) {
    const inside: md.Block[] = [];
    for (const child of tag.children) if (!(yield* reader.isSupport(child))) inside.push(child);
    const isWhole = tag.close && inside.every((child) => child.type === "tag" && child.name === name && child.close);
    if (!isWhole) return undefined;
    const read = READERS.get(name)!;
    const children = yield* reader.readParts(inside, (child) => read(reader, child as Tag, depth + 1));
    return block(type, dataOf(tag), children) as Block;
  };
}

/** A block that holds whatever stands inside the tag. */
function part<Type extends "tabs-item" | "stepper-step" | "column" | "update" | "if">(
  type: Type,
  dataOf: (tag: Tag) => BlockData[Type],
): ReadTag {
  return function* (reader, tag, depth) {
    if (!tag.close) return undefined;
    return block(type, dataOf(tag), yield* reader.readAll(tag.children, depth + 1)) as Block;
  };
}

function wide({ fullWidth }: Record<string, string>): { fullWidth?: boolean } {
  return fullWidth === "true" ? { fullWidth: true } : {};
}

function columnData({ attributes: { width, valign } }: Tag): BlockData["column"] {
  const isAlignment = valign === "top" || valign === "middle" || valign === "bottom";
  return { ...columnWidth(width), ...omitUndefined({ verticalAlignment: isAlignment ? valign : undefined }) };
}

function updateData({ attributes: { date, tags } }: Tag): BlockData["update"] {
  return { ...omitUndefined({ date: date ? date : undefined, tags: tags ? list(tags) : undefined }) };
}

function list(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** `{% hint style="info" %}`, and `{% note %}` as others write it. */
function* readHint(reader: ReadsBlocks, tag: Tag, depth: number): Steps<Block | undefined> {
  const style = HINTS.get(tag.name === "hint" ? (tag.attributes.style ?? "info") : tag.name);
  if (!style || !tag.close) return undefined;
  const { icon } = tag.attributes;
  const title = tag.name === "hint" ? undefined : quotedArgument(tag.argument);
  const nodes = yield* reader.readAll(tag.children, depth + 1);
  const titled = title ? [block("paragraph", {}, [boldText(title)]), ...nodes] : nodes;
  return block("hint", { style, ...omitUndefined({ icon: icon ? icon : undefined }) }, titled);
}

function boldText(text: string): Phrasing {
  return { object: "text", leaves: [{ object: "leaf", text, marks: [{ object: "mark", type: "bold" }] }] };
}

function* readCode({ reading }: ReadsBlocks, tag: Tag): Steps<Block | undefined> {
  const [code, ...others] = tag.children;
  if (!tag.close || code?.type !== "code" || others.length > 0) return undefined;
  const { title, overflow, lineNumbers } = tag.attributes;
  return yield* codeBlock(reading, code, {
    ...omitUndefined({
      title: title ? title : undefined,
      overflow: overflow === "wrap" || overflow === "scroll" ? overflow : undefined,
      lineNumbers: lineNumbers === "true" || lineNumbers === "false" ? lineNumbers === "true" : undefined,
    }),
    ...wide(tag.attributes),
  });
}

/** What is to be given to a model: code with a title, or blocks in a hint. */
function* readPrompt(reader: ReadsBlocks, tag: Tag, depth: number): Steps<Block | undefined> {
  const { description, title = description } = tag.attributes;
  const [code, ...others] = tag.children;
  if (!tag.close) return undefined;
  if (code?.type === "code" && others.length === 0)
    return yield* codeBlock(reader.reading, code, title ? { title } : {});
  const nodes = yield* reader.readAll(tag.children, depth + 1);
  return block("hint", { style: "info" }, title ? [block("paragraph", {}, [textNode(title)]), ...nodes] : nodes);
}

function refOf({ reading }: ReadsBlocks, tag: Tag, href: string | undefined, as: LinkPurpose): ContentRef | undefined {
  return href ? reading.refTo(href, as, said(tag), tag.open) : undefined;
}

/** What stands inside a tag, in words. */
function said(tag: Tag): string {
  const [first] = tag.children;
  return first?.type === "paragraph" ? plainText(first.children).trim() : "";
}

function referring(
  reader: ReadsBlocks,
  tag: Tag,
  type: "content-ref" | "reusable-content",
  href: string | undefined,
  as: LinkPurpose,
): Block | undefined {
  const ref = refOf(reader, tag, href, as);
  return ref && voidBlock(type, { ref });
}

function* readEmbed(reader: ReadsBlocks, tag: Tag): Steps<Block | undefined> {
  const { url } = tag.attributes;
  if (!url || !isSafeUrl(url) || !refOf(reader, tag, url, "embed")) return undefined;
  return yield* withCaption(reader, tag, voidBlock("embed", { url, ...wide(tag.attributes) }));
}

function* readFile(reader: ReadsBlocks, tag: Tag): Steps<Block | undefined> {
  const ref = refOf(reader, tag, tag.attributes.src, "file");
  return ref && (yield* withCaption(reader, tag, voidBlock("file", { ref })));
}

/** A caption is one paragraph; anything more is not one. */
function* withCaption(reader: ReadsBlocks, tag: Tag, captioned: Block): Steps<Block | undefined> {
  const [caption, ...others] = tag.children;
  if (!caption) return captioned;
  if (caption.type !== "paragraph" || others.length > 0) return undefined;
  return { ...captioned, fragments: [captionOf(yield* reader.phrasing(caption.children))] };
}

function operation(
  reader: ReadsBlocks,
  tag: Tag,
  type: "openapi-operation" | "swagger",
  spec: string | undefined,
): Block | undefined {
  const { path, method } = tag.attributes;
  const ref = path && method ? refOf(reader, tag, spec, "openapi") : undefined;
  return ref && voidBlock(type, { ref, path: path!, method: method! });
}

/** An operation of a specification, or one that is spelled out. */
function* readSwagger(reader: ReadsBlocks, tag: Tag, depth: number): Steps<Block | undefined> {
  return operation(reader, tag, "swagger", tag.attributes.src) ?? (yield* readApiMethod(reader, tag, depth));
}

function readSchemas(reader: ReadsBlocks, tag: Tag): Block | undefined {
  const { spec, schemas, grouped } = tag.attributes;
  const ref = schemas ? refOf(reader, tag, spec, "openapi") : undefined;
  const isGrouped = grouped === undefined ? {} : { grouped: grouped !== "false" };
  return ref && voidBlock("openapi-schemas", { ref, schemas: list(schemas!), ...isGrouped });
}

function readWebhook(reader: ReadsBlocks, tag: Tag): Block | undefined {
  const { spec, name, method } = tag.attributes;
  const ref = name && method ? refOf(reader, tag, spec, "openapi") : undefined;
  return ref && voidBlock("openapi-webhook", { ref, name: name!, method: method! });
}

/** `{% @integration/block key="value" %}`. */
function readIntegration(_: ReadsBlocks, tag: Tag): Block | undefined {
  const [, integration, name] = /^@([^/]+)\/(.+)$/.exec(tag.name) ?? [];
  if (!integration || !name || tag.close) return undefined;
  const { url, ...props } = tag.attributes;
  if ((url !== undefined && !isSafeUrl(url)) || Object.keys(props).some(isForbiddenKey)) return undefined;
  return voidBlock("integration", {
    integration,
    block: name,
    props: { ...props },
    ...omitUndefined({ url }),
  });
}
