// Converts tags to blocks of the document. An unknown or incomplete tag is kept as its source, with its content.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Block, BlockData, ContentRef, Mark } from "../../document";
import { FORBIDDEN_KEYS } from "../../document/data-schemas";
import { isSafeUrl } from "../../document/safe-url";
import type * as md from "../nodes";
import type { TagNode } from "../nodes";
import { parseQuotedArgument } from "../parser/tags";
import { readApiMethod } from "./api-methods";
import { parseColumnWidth } from "./columns";
import { createCaption } from "./figures";
import { HINTS } from "./hints";
import { createTextNode } from "./leaves";
import { type BlocksReader, createBlock, createVoidBlock, readCodeNode } from "./make-blocks";
import { toPlainText } from "./phrasing";
import type { LinkPurpose } from "./reading";

/** Reads a tag; undefined if it is incomplete. */
type ReadTag = (reader: BlocksReader, tag: TagNode, depth: number) => Steps<Block | undefined>;

const READERS: ReadonlyMap<string, ReadTag> = new Map<string, ReadTag>([
  [
    // `{% hint style="info" %}`, and `{% note %}` of other tools.
    "hint",
    function* (reader, tag, depth) {
      const style = HINTS.get(tag.name === "hint" ? (tag.attributes.style ?? "info") : tag.name);
      if (!style || !tag.close) return undefined;
      const { icon } = tag.attributes;
      const title = tag.name === "hint" ? undefined : parseQuotedArgument(tag.argument);
      const nodes = yield* reader.readAll(tag.children, depth + 1);
      if (title) {
        const marks: Mark[] = [{ object: "mark", type: "bold" }];
        nodes.unshift(
          createBlock("paragraph", {}, [{ object: "text", leaves: [{ object: "leaf", text: title, marks }] }]),
        );
      }
      return createBlock("hint", { style, ...omitUndefined({ icon: icon ? icon : undefined }) }, nodes);
    },
  ],
  [
    "tabs",
    createPartsReader("tabs", "tab", ({ attributes: { fullWidth } }) =>
      fullWidth === "true" ? { fullWidth: true } : {},
    ),
  ],
  ["tab", createContentReader("tabs-item", ({ attributes: { title } }) => (title ? { title } : {}))],
  ["stepper", createPartsReader("stepper", "step", () => ({}))],
  ["step", createContentReader("stepper-step", () => ({}))],
  [
    "columns",
    createPartsReader("columns", "column", ({ attributes: { fullWidth } }) =>
      fullWidth === "true" ? { fullWidth: true } : {},
    ),
  ],
  [
    "column",
    createContentReader("column", ({ attributes: { width, valign } }) => {
      const isAlignment = valign === "top" || valign === "middle" || valign === "bottom";
      return { ...parseColumnWidth(width), ...omitUndefined({ verticalAlignment: isAlignment ? valign : undefined }) };
    }),
  ],
  ["updates", createPartsReader("updates", "update", ({ attributes: { format } }) => (format ? { format } : {}))],
  [
    "update",
    createContentReader("update", ({ attributes: { date, tags } }) => {
      const names = tags
        ?.split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      return { ...omitUndefined({ date: date ? date : undefined, tags: tags ? names : undefined }) };
    }),
  ],
  ["if", createContentReader("if", ({ argument }) => ({ expression: argument }))],
  [
    "code",
    function* ({ reading }, tag) {
      const [code, ...others] = tag.children;
      if (!tag.close || code?.type !== "code" || others.length > 0) return undefined;
      const { title, overflow, lineNumbers, fullWidth } = tag.attributes;
      return yield* readCodeNode(reading, code, {
        ...omitUndefined({
          title: title ? title : undefined,
          overflow: overflow === "wrap" || overflow === "scroll" ? overflow : undefined,
          lineNumbers: lineNumbers === "true" || lineNumbers === "false" ? lineNumbers === "true" : undefined,
          fullWidth: fullWidth === "true" ? true : undefined,
        }),
      });
    },
  ],
  [
    // A prompt for a language model: code with a title, or blocks in a hint.
    "prompt",
    function* (reader, tag, depth) {
      const { description, title = description } = tag.attributes;
      const [code, ...others] = tag.children;
      if (!tag.close) return undefined;
      if (code?.type === "code" && others.length === 0)
        return yield* readCodeNode(reader.reading, code, title ? { title } : {});
      const nodes = yield* reader.readAll(tag.children, depth + 1);
      return createBlock(
        "hint",
        { style: "info" },
        title ? [createBlock("paragraph", {}, [createTextNode(title)]), ...nodes] : nodes,
      );
    },
  ],
  ["code-tabs", createPartsReader("tabs", "code-tabs-item", () => ({}))],
  ["code-tabs-item", createContentReader("tabs-item", ({ attributes: { title } }) => (title ? { title } : {}))],
  [
    "include",
    createShortReader((reader, tag) => {
      const ref = resolveRef(reader, tag, parseQuotedArgument(tag.argument), "include");
      return ref && createVoidBlock("reusable-content", { ref });
    }),
  ],
  [
    "content-ref",
    createShortReader((reader, tag) => {
      const ref = resolveRef(reader, tag, tag.attributes.url, "content-ref");
      return ref && createVoidBlock("content-ref", { ref });
    }),
  ],
  [
    "page-ref",
    createShortReader((reader, tag) => {
      const ref = resolveRef(reader, tag, tag.attributes.page, "content-ref");
      return ref && createVoidBlock("content-ref", { ref });
    }),
  ],
  [
    "embed",
    function* (reader, tag) {
      const { url, fullWidth } = tag.attributes;
      if (!url || !isSafeUrl(url) || !resolveRef(reader, tag, url, "embed")) return undefined;
      const data = { url, ...omitUndefined({ fullWidth: fullWidth === "true" ? true : undefined }) };
      return yield* addCaption(reader, tag, createVoidBlock("embed", data));
    },
  ],
  [
    "file",
    function* (reader, tag) {
      const ref = resolveRef(reader, tag, tag.attributes.src, "file");
      return ref && (yield* addCaption(reader, tag, createVoidBlock("file", { ref })));
    },
  ],
  [
    "openapi-operation",
    createShortReader((reader, tag) => readOperation(reader, tag, "openapi-operation", tag.attributes.spec)),
  ],
  ["openapi", createShortReader((reader, tag) => readOperation(reader, tag, "swagger", tag.attributes.src))],
  [
    "swagger",
    // An operation of a specification, or one that is written out.
    function* (reader, tag, depth) {
      return readOperation(reader, tag, "swagger", tag.attributes.src) ?? (yield* readApiMethod(reader, tag, depth));
    },
  ],
  ["api-method", readApiMethod],
  [
    // The block of an integration: `{% @integration/block key="value" %}`.
    "@",
    createShortReader((_, tag) => {
      const [, integration, name] = /^@([^/]+)\/(.+)$/.exec(tag.name) ?? [];
      if (!integration || !name || tag.close) return undefined;
      const { url, ...props } = tag.attributes;
      if ((url !== undefined && !isSafeUrl(url)) || Object.keys(props).some((name) => FORBIDDEN_KEYS.has(name)))
        return undefined;
      return createVoidBlock("integration", {
        integration,
        block: name,
        props: { ...props },
        ...omitUndefined({ url }),
      });
    }),
  ],
  [
    "openapi-schemas",
    createShortReader((reader, tag) => {
      const { spec, schemas, grouped } = tag.attributes;
      const ref = schemas ? resolveRef(reader, tag, spec, "openapi") : undefined;
      const isGrouped = grouped === undefined ? {} : { grouped: grouped !== "false" };
      const names = schemas
        ?.split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      return ref && createVoidBlock("openapi-schemas", { ref, schemas: names!, ...isGrouped });
    }),
  ],
  [
    "openapi-webhook",
    createShortReader((reader, tag) => {
      const { spec, name, method } = tag.attributes;
      const ref = name && method ? resolveRef(reader, tag, spec, "openapi") : undefined;
      return ref && createVoidBlock("openapi-webhook", { ref, name: name!, method: method! });
    }),
  ],
]);

/** Tags that are allowed only in the block that they are a part of. */
const PARTS = new Set(["tab", "code-tabs-item", "step", "column", "update"]);

/** Returns true for the name of a known tag. */
export function isKnownTag(name: string): boolean {
  return READERS.has(name) || HINTS.has(name) || name.startsWith("@");
}

/** Returns true for an unpaired tag that is not shown: a shortcode whose other half is elsewhere, or `{% raw %}`. */
export function isHalf({ name, argument, source = "", close }: TagNode): boolean {
  if (/^(?:end)?raw$/.test(name)) return !close && argument === "";
  return !close && source.startsWith("{{") && HINTS.has(name.replace(/^end/, "")) && argument === "";
}

/** Reads a tag among blocks. */
export function* readTag(reader: BlocksReader, tag: TagNode, depth: number): Steps<Block | undefined> {
  if (isHalf(tag)) return undefined;
  const name = tag.name.startsWith("@") ? "@" : HINTS.has(tag.name) ? "hint" : tag.name;
  const read = PARTS.has(name) ? undefined : READERS.get(name);
  const result = read && (yield* reader.reading.attempt(read(reader, tag, depth)));
  if (result) return result;
  const source = tag.source ?? reader.reading.text.slice(tag.open.start, tag.open.end);
  if (!tag.close) return createVoidBlock("unknown", { source });
  return createBlock("unknown", { source }, yield* reader.readAll(tag.children, depth + 1));
}

/** Wraps a reader of tags without content, which takes one step. */
function createShortReader(read: (reader: BlocksReader, tag: TagNode) => Block | undefined): ReadTag {
  // biome-ignore lint/correctness/useYield: it takes a single step.
  return function* (reader, tag) {
    return read(reader, tag);
  };
}

/** Creates a reader of blocks that consist of parts. A block with any other content is unknown. */
function createPartsReader<Whole extends "tabs" | "stepper" | "columns" | "updates">(
  type: Whole,
  name: string,
  getData: (tag: TagNode) => BlockData[Whole],
): ReadTag {
  return function* (reader, tag, depth) {
    const inside: md.BlockNode[] = [];
    for (const child of tag.children) if (!(yield* reader.isSupport(child))) inside.push(child);
    const isComplete = tag.close && inside.every((child) => child.type === "tag" && child.name === name && child.close);
    if (!isComplete) return undefined;
    const read = READERS.get(name)!;
    const children = yield* reader.readParts(inside, (child) => read(reader, child as TagNode, depth + 1));
    return createBlock(type, getData(tag), children) as Block;
  };
}

/** Creates a reader of blocks with any content. */
function createContentReader<Type extends "tabs-item" | "stepper-step" | "column" | "update" | "if">(
  type: Type,
  getData: (tag: TagNode) => BlockData[Type],
): ReadTag {
  return function* (reader, tag, depth) {
    if (!tag.close) return undefined;
    return createBlock(type, getData(tag), yield* reader.readAll(tag.children, depth + 1)) as Block;
  };
}

/** Resolves the URL of a tag. The text of the link is that of the tag's first paragraph. */
function resolveRef(
  { reading }: BlocksReader,
  { children: [first], open }: TagNode,
  href: string | undefined,
  as: LinkPurpose,
): ContentRef | undefined {
  const text = first?.type === "paragraph" ? toPlainText(first.children).trim() : "";
  return href ? reading.addLink(href, as, text, open) : undefined;
}

/** Adds the content of a tag as a caption; undefined if it is more than one paragraph. */
function* addCaption(reader: BlocksReader, tag: TagNode, captioned: Block): Steps<Block | undefined> {
  const [caption, ...others] = tag.children;
  if (!caption) return captioned;
  if (caption.type !== "paragraph" || others.length > 0) return undefined;
  return { ...captioned, fragments: [createCaption(yield* reader.phrasing(caption.children))] };
}

function readOperation(
  reader: BlocksReader,
  tag: TagNode,
  type: "openapi-operation" | "swagger",
  spec: string | undefined,
): Block | undefined {
  const { path, method } = tag.attributes;
  const ref = path && method ? resolveRef(reader, tag, spec, "openapi") : undefined;
  return ref && createVoidBlock(type, { ref, path: path!, method: method! });
}
