// Converts tags to blocks of the document. An unknown or incomplete tag is kept as its source, with its content.

import type { Steps } from "../../../utils/concurrency/steps";
import { FORBIDDEN_NAMES, omitUndefined } from "../../../utils/objects";
import type { Block, BlockData, ContentRef, Mark } from "../../document";
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

/** Reads a tag with its content; undefined if it is incomplete. */
type ReadTag = (reader: BlocksReader, tag: TagNode, depth: number) => Steps<Block | undefined> | undefined;

/** Reads a tag without its content; undefined if it is incomplete. */
type ReadVoidTag = (reader: BlocksReader, tag: TagNode) => Block | undefined;

const READERS: ReadonlyMap<string, ReadTag> = new Map<string, ReadTag>([
  [
    // `{% hint style="info" %}`, and `{% note %}` of other tools.
    "hint",
    createContentReader((tag) => {
      const style = HINTS.get(tag.name === "hint" ? (tag.attributes.style ?? "info") : tag.name);
      if (!style) return undefined;
      const { icon } = tag.attributes;
      const data = { style, ...omitUndefined({ icon: icon ? icon : undefined }) };
      const title = tag.name === "hint" ? undefined : parseQuotedArgument(tag.argument);
      if (!title) return (nodes) => createBlock("hint", data, nodes);
      const marks: Mark[] = [{ object: "mark", type: "bold" }];
      const leaves = [{ object: "leaf" as const, text: title, marks }];
      const head = createBlock("paragraph", {}, [{ object: "text", leaves }]);
      return (nodes) => createBlock("hint", data, [head, ...nodes]);
    }),
  ],
  [
    "tabs",
    createPartsReader("tabs", "tab", ({ attributes: { fullWidth } }) =>
      fullWidth === "true" ? { fullWidth: true } : {},
    ),
  ],
  ["tab", createContentReader(createTab)],
  ["stepper", createPartsReader("stepper", "step", () => ({}))],
  ["step", createContentReader(() => (nodes) => createBlock("stepper-step", {}, nodes))],
  [
    "columns",
    createPartsReader("columns", "column", ({ attributes: { fullWidth } }) =>
      fullWidth === "true" ? { fullWidth: true } : {},
    ),
  ],
  [
    "column",
    createContentReader(({ attributes: { width, valign } }) => {
      const isAlignment = valign === "top" || valign === "middle" || valign === "bottom";
      const alignment = omitUndefined({ verticalAlignment: isAlignment ? valign : undefined });
      return (nodes) => createBlock("column", { ...parseColumnWidth(width), ...alignment }, nodes);
    }),
  ],
  ["updates", createPartsReader("updates", "update", ({ attributes: { format } }) => (format ? { format } : {}))],
  [
    "update",
    createContentReader(({ attributes: { date, tags } }) => {
      const names = tags
        ?.split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      const data = omitUndefined({ date: date ? date : undefined, tags: tags ? names : undefined });
      return (nodes) => createBlock("update", { ...data }, nodes);
    }),
  ],
  [
    "if",
    createContentReader(
      ({ argument }) =>
        (nodes) =>
          createBlock("if", { expression: argument }, nodes),
    ),
  ],
  [
    "code",
    ({ reading }, tag) => {
      const code = getOnlyCode(tag);
      const { title, overflow, lineNumbers, fullWidth } = tag.attributes;
      const options = omitUndefined({
        title: title ? title : undefined,
        overflow: overflow === "wrap" || overflow === "scroll" ? overflow : undefined,
        lineNumbers: lineNumbers === "true" || lineNumbers === "false" ? lineNumbers === "true" : undefined,
        fullWidth: fullWidth === "true" ? true : undefined,
      });
      return code && readCodeNode(reading, code, { ...options });
    },
  ],
  [
    // A prompt for a language model: code with a title, or blocks in a hint.
    "prompt",
    (reader, tag, depth) => {
      const { description, title = description } = tag.attributes;
      const code = getOnlyCode(tag);
      if (code) return readCodeNode(reader.reading, code, title ? { title } : {});
      const head = title ? [createBlock("paragraph", {}, [createTextNode(title)])] : [];
      const read = createContentReader(() => (nodes) => createBlock("hint", { style: "info" }, [...head, ...nodes]));
      return read(reader, tag, depth);
    },
  ],
  ["code-tabs", createPartsReader("tabs", "code-tabs-item", () => ({}))],
  ["code-tabs-item", createContentReader(createTab)],
  [
    "embed",
    createCaptionedReader((reader, tag) => {
      const { url, fullWidth } = tag.attributes;
      if (!url || !isSafeUrl(url) || !resolveRef(reader, tag, url, "embed")) return undefined;
      return createVoidBlock("embed", {
        url,
        ...omitUndefined({ fullWidth: fullWidth === "true" ? true : undefined }),
      });
    }),
  ],
  [
    "file",
    createCaptionedReader((reader, tag) => {
      const ref = resolveRef(reader, tag, tag.attributes.src, "file");
      return ref && createVoidBlock("file", { ref });
    }),
  ],
  // An operation that is written out.
  ["swagger", readApiMethod],
  ["api-method", readApiMethod],
]);

/** The readers of tags that are complete without their content. */
const VOID_READERS: ReadonlyMap<string, ReadVoidTag> = new Map<string, ReadVoidTag>([
  [
    "include",
    (reader, tag) => {
      const ref = resolveRef(reader, tag, parseQuotedArgument(tag.argument), "include");
      return ref && createVoidBlock("reusable-content", { ref });
    },
  ],
  [
    "content-ref",
    (reader, tag) => {
      const ref = resolveRef(reader, tag, tag.attributes.url, "content-ref");
      return ref && createVoidBlock("content-ref", { ref });
    },
  ],
  [
    "page-ref",
    (reader, tag) => {
      const ref = resolveRef(reader, tag, tag.attributes.page, "content-ref");
      return ref && createVoidBlock("content-ref", { ref });
    },
  ],
  ["openapi-operation", (reader, tag) => readOperation(reader, tag, "openapi-operation", tag.attributes.spec)],
  ["openapi", (reader, tag) => readOperation(reader, tag, "swagger", tag.attributes.src)],
  ["swagger", (reader, tag) => readOperation(reader, tag, "swagger", tag.attributes.src)],
  [
    // The block of an integration: `{% @integration/block key="value" %}`.
    "@",
    (_, tag) => {
      const [, integration, name] = /^@([^/]+)\/(.+)$/.exec(tag.name) ?? [];
      if (!integration || !name || tag.close) return undefined;
      const { url, ...props } = tag.attributes;
      if ((url !== undefined && !isSafeUrl(url)) || Object.keys(props).some((name) => FORBIDDEN_NAMES.has(name)))
        return undefined;
      return createVoidBlock("integration", {
        integration,
        block: name,
        props: { ...props },
        ...omitUndefined({ url }),
      });
    },
  ],
  [
    "openapi-schemas",
    (reader, tag) => {
      const { spec, schemas, grouped } = tag.attributes;
      const ref = schemas ? resolveRef(reader, tag, spec, "openapi") : undefined;
      const isGrouped = grouped === undefined ? {} : { grouped: grouped !== "false" };
      const names = schemas
        ?.split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");
      return ref && createVoidBlock("openapi-schemas", { ref, schemas: names!, ...isGrouped });
    },
  ],
  [
    "openapi-webhook",
    (reader, tag) => {
      const { spec, name, method } = tag.attributes;
      const ref = name && method ? resolveRef(reader, tag, spec, "openapi") : undefined;
      return ref && createVoidBlock("openapi-webhook", { ref, name: name!, method: method! });
    },
  ],
]);

/** Tags that are allowed only in the block that they are a part of. */
const PARTS = new Set(["tab", "code-tabs-item", "step", "column", "update"]);

export function isKnownTag(name: string): boolean {
  return READERS.has(name) || VOID_READERS.has(name) || HINTS.has(name) || name.startsWith("@");
}

/** Returns true for an unpaired tag that is not shown: a shortcode whose other half is elsewhere, or `{% raw %}`. */
export function isHalf({ name, argument, source = "", close }: TagNode): boolean {
  if (/^(?:end)?raw$/.test(name)) return !close && argument === "";
  return !close && source.startsWith("{{") && HINTS.has(name.replace(/^end/, "")) && argument === "";
}

export function* readTag(reader: BlocksReader, tag: TagNode, depth: number): Steps<Block | undefined> {
  if (isHalf(tag)) return undefined;
  const name = tag.name.startsWith("@") ? "@" : HINTS.has(tag.name) ? "hint" : tag.name;
  const steps = PARTS.has(name) ? undefined : READERS.get(name)?.(reader, tag, depth);
  const block = VOID_READERS.get(name)?.(reader, tag) ?? (steps && (yield* reader.reading.attempt(steps)));
  if (block) return block;
  const source = tag.source ?? reader.reading.text.slice(tag.open.start, tag.open.end);
  if (!tag.close) return createVoidBlock("unknown", { source });
  return createBlock("unknown", { source }, yield* reader.readAll(tag.children, depth + 1));
}

/** Returns the only content of a tag if that is code. */
function getOnlyCode({ close, children: [code, ...others] }: TagNode): md.CodeNode | undefined {
  return close && code?.type === "code" && others.length === 0 ? code : undefined;
}

function createTab({ attributes: { title } }: TagNode): CreateBlock {
  return (nodes) => createBlock("tabs-item", title ? { title } : {}, nodes);
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

type CreateBlock = (nodes: readonly Block[]) => Block;

/** Creates a reader of blocks with any content. `begin` returns undefined for an incomplete tag. */
function createContentReader(begin: (tag: TagNode) => CreateBlock | undefined): ReadTag {
  return function* (reader, tag, depth) {
    const create = tag.close && begin(tag);
    return create?.(yield* reader.readAll(tag.children, depth + 1));
  };
}

/** Creates a reader of blocks whose content is a caption of one paragraph. */
function createCaptionedReader(read: ReadVoidTag): ReadTag {
  return function* (reader, tag) {
    const block = read(reader, tag);
    const [caption, ...others] = tag.children;
    if (!block || !caption) return block;
    if (caption.type !== "paragraph" || others.length > 0) return undefined;
    return { ...block, fragments: [createCaption(yield* reader.phrasing(caption.children))] };
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
