// Converts texts and inlines to the items of a paragraph.

import type { Inline, Mark, Phrasing } from "../../content/document";
import { omitUndefined } from "../../utils/objects";
import { MAX_TITLE } from "../limits";
import { getPlaceName, type PdfLinkTarget } from "../targets";
import type { BoxItem, InlineItem, TextStyle } from "../text/items";
import { toPrintableText, toSingleLine } from "../text/printable";
import { COLORS, MARK_COLORS } from "../theme";
import { createFormulaBox } from "./formulas";
import { getReferenceName, type LayoutContext, resolveTarget } from "./layout-context";
import { getNoteAnchor } from "./notes";
import {
  getEmojiText,
  getFragmentBlocks,
  getInlineData,
  getLeaves,
  getPhrasing,
  toFields,
  toReference,
  toText,
} from "./read-document";

/** The maximum depth of nested inlines. */
const DEEPEST = 8;

/** Returns the style of text in a context. */
export function getBaseStyle({ size, color, isBold }: LayoutContext, changes: Partial<TextStyle> = {}): TextStyle {
  return { isMono: false, isBold, isItalic: false, size: size.size, color, ...changes };
}

/** Converts texts and inlines to items. */
export function toInlineItems(
  nodes: readonly Phrasing[],
  context: LayoutContext,
  style: TextStyle = getBaseStyle(context),
  depth = 0,
): InlineItem[] {
  return nodes.flatMap((node) => {
    if (node.object === "text")
      return getLeaves(node).map((leaf) => {
        const marks = Array.isArray(leaf.marks) ? (leaf.marks as readonly unknown[]) : [];
        return { text: toPrintableText(leaf.text), style: marks.reduce<TextStyle>(applyMark, style) };
      });
    return depth < DEEPEST ? convertInline(node, context, style, depth) : [];
  });
}

function applyMark(style: TextStyle, mark: unknown): TextStyle {
  const { type, data } = toFields(mark) as { readonly type?: Mark["type"]; readonly data?: unknown };
  if (type === "bold") return { ...style, isBold: true };
  if (type === "italic") return { ...style, isItalic: true };
  if (type === "strikethrough") return { ...style, isStruckThrough: true };
  if (type === "superscript") return { ...style, shift: "super" };
  if (type === "subscript") return { ...style, shift: "sub" };
  if (type === "code" || type === "keyboard") return applyCodeStyle(style);
  return type === "color" ? applyColors(style, toFields(data)) : style;
}

/** Applies the style of code. It is a little smaller because its letters are wide. */
function applyCodeStyle(style: TextStyle): TextStyle {
  return style.isMono ? style : { ...style, isMono: true, size: style.size * 0.9, background: COLORS.chip };
}

function applyColors(style: TextStyle, data: Readonly<Record<string, unknown>>): TextStyle {
  const isPlain = data.text === "default" && data.background === "default";
  const { text } = findMarkColors(data.text);
  const { ground } = findMarkColors(isPlain ? "yellow" : data.background);
  return { ...style, ...omitUndefined({ color: text, ground }) };
}

function findMarkColors(name: unknown): Partial<(typeof MARK_COLORS)[string]> {
  return typeof name === "string" && Object.hasOwn(MARK_COLORS, name) ? MARK_COLORS[name]! : {};
}

/** Adds the style of a link. */
export function addLinkStyle(style: TextStyle, target: PdfLinkTarget | undefined): TextStyle {
  return target ? { ...style, color: COLORS.accent, target } : style;
}

function convertInline(inline: Inline, context: LayoutContext, style: TextStyle, depth: number): InlineItem[] {
  const data = getInlineData(inline);
  const ref = toReference(data.ref);
  const say = (text: unknown, changed: TextStyle = style): InlineItem[] => {
    const words = toSingleLine(toText(text), MAX_TITLE);
    return words ? [{ text: words, style: changed }] : [];
  };
  switch (inline.type) {
    case "link":
      return toInlineItems(getPhrasing(inline), context, addLinkStyle(style, resolveTarget(ref, context)), depth + 1);
    case "emoji":
      return say(getEmojiText(data.code));
    case "icon":
      return [];
    case "expression":
      return say(data.expression, applyCodeStyle(style));
    case "inline-math":
      return (
        createInlineFormula(toText(data.formula), context, style) ??
        say(data.formula, { ...style, isMono: true, size: style.size * 0.92 })
      );
    case "inline-image":
      return createInlineImage(data, context, style) ?? say(toText(data.alt) || toText(data.caption));
    case "annotation":
      return [
        ...toInlineItems(getPhrasing(inline), context, style, depth + 1),
        ...createNoteNumber(inline, context, style),
      ];
    case "mention":
      return say(getReferenceName(ref, context), addLinkStyle(style, resolveTarget(ref, context)));
    case "button":
      return say(data.label, { ...addLinkStyle(style, resolveTarget(ref, context)), isBold: true });
    default:
      return toInlineItems(getPhrasing(inline), context, style, depth + 1);
  }
}

/** Creates a formula within a line. Returns undefined if it cannot be parsed. */
function createInlineFormula(formula: string, context: LayoutContext, style: TextStyle): InlineItem[] | undefined {
  const box = createFormulaBox(formula, context, { size: style.size * 1.08, color: style.color, isDisplayed: false });
  return box && [{ ...box, target: style.target }];
}

function createNoteNumber(inline: Inline, context: LayoutContext, style: TextStyle): InlineItem[] {
  const body = getFragmentBlocks(inline, "annotation-body");
  const number = body.length > 0 ? context.notes.add(body) : undefined;
  if (number === undefined) return [];
  const target = { place: getPlaceName(context.page.id, getNoteAnchor(number)) };
  return [{ text: String(number), style: { ...addLinkStyle(style, target), shift: "super" } }];
}

/** Creates a picture as high as the line, or in its original size within bounds. */
function createInlineImage(
  data: Readonly<Record<string, unknown>>,
  context: LayoutContext,
  style: TextStyle,
): InlineItem[] | undefined {
  const picture = context.album.picture(toReference(data.ref));
  if (!picture) return undefined;
  const highest = data.size === "original" ? 160 : style.size;
  const scale = Math.min(0.75, highest / picture.height, context.width / picture.width);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const box: BoxItem = {
    width,
    height,
    target: style.target,
    draw: (sheet, left, top) => sheet.drawPicture(picture.resource, left, top, width, height, picture.orientation),
  };
  return [box];
}
