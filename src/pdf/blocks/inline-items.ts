// Converts texts and inlines to the items of a paragraph.

import type { Inline, Mark, Phrasing } from "../../content/document";
import { omitUndefined } from "../../utils/objects";
import { MAX_TITLE } from "../limits";
import { getPlaceName, type PdfLinkTarget } from "../targets";
import { type BoxItem, type InlineItem, type TextStyle, toPrintableLine, toPrintableText } from "../text/runs";
import { COLORS, MARK_COLORS } from "../theme";
import { createFormulaBox } from "./formulas";
import { getReferenceName, type LayoutContext, resolveReferenceTarget } from "./layout-context";
import {
  getEmojiText,
  getFragmentBlocks,
  getLeaves,
  getPhrasing,
  readString,
  toFields,
  toReference,
} from "./read-document";

/** The maximum depth of nested inlines. */
const DEEPEST = 8;

export function getBaseStyle({ size, color, isBold }: LayoutContext, changes: Partial<TextStyle> = {}): TextStyle {
  return { isMono: false, isBold, isItalic: false, size: size.size, color, ...changes };
}

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
  if (type !== "color") return style;
  const names = toFields(data);
  const isPlain = names.text === "default" && names.background === "default";
  const [letters, surface] = [names.text, isPlain ? "yellow" : names.background].map((name) =>
    typeof name === "string" && Object.hasOwn(MARK_COLORS, name) ? MARK_COLORS[name] : undefined,
  );
  return { ...style, ...omitUndefined({ color: letters?.text, background: surface?.ground }) };
}

/** Applies the style of code. It is a little smaller because its letters are wide. */
function applyCodeStyle(style: TextStyle): TextStyle {
  return style.isMono ? style : { ...style, isMono: true, size: style.size * 0.9, background: COLORS.chip };
}

export function addLinkStyle(style: TextStyle, target: PdfLinkTarget | undefined): TextStyle {
  return target ? { ...style, color: COLORS.accent, target } : style;
}

/** Converts an inline to items. One that cannot be printed as it is becomes its label. */
function convertInline(inline: Inline, context: LayoutContext, style: TextStyle, depth: number): InlineItem[] {
  const data = toFields(inline.data);
  const ref = toReference(data.ref);
  const toLabel = (text: unknown, changed: TextStyle = style): InlineItem[] => {
    const words = toPrintableLine(readString(text), MAX_TITLE);
    return words ? [{ text: words, style: changed }] : [];
  };
  switch (inline.type) {
    case "link":
      return toInlineItems(
        getPhrasing(inline),
        context,
        addLinkStyle(style, resolveReferenceTarget(ref, context)),
        depth + 1,
      );
    case "emoji":
      return toLabel(getEmojiText(data.code));
    case "icon":
      return [];
    case "expression":
      return toLabel(data.expression, applyCodeStyle(style));
    case "inline-math": {
      const look = { size: style.size * 1.08, color: style.color, isDisplayed: false };
      const box = createFormulaBox(readString(data.formula), context, look);
      return box
        ? [{ ...box, target: style.target }]
        : toLabel(data.formula, { ...style, isMono: true, size: style.size * 0.92 });
    }
    case "inline-image": {
      const picture = context.album.getPicture(toReference(data.ref));
      if (!picture) return toLabel(readString(data.alt) || readString(data.caption));
      // A picture is as high as the line, or has its original size within bounds.
      const highest = data.size === "original" ? 160 : style.size;
      const scale = Math.min(0.75, highest / picture.height, context.width / picture.width);
      const [width, height] = [picture.width * scale, picture.height * scale];
      const draw: BoxItem["draw"] = (sheet, left, top) =>
        sheet.drawPicture(picture.resource, left, top, width, height, picture.orientation);
      return [{ width, height, target: style.target, draw }];
    }
    case "annotation": {
      const items = toInlineItems(getPhrasing(inline), context, style, depth + 1);
      const body = getFragmentBlocks(inline, "annotation-body");
      const number = body.length > 0 ? context.notes.add(body) : undefined;
      if (number === undefined) return items;
      const target = { place: getPlaceName(context.page.id, context.notes.getAnchor(number)) };
      return [...items, { text: String(number), style: { ...addLinkStyle(style, target), shift: "super" } }];
    }
    case "mention":
      return toLabel(getReferenceName(ref, context), addLinkStyle(style, resolveReferenceTarget(ref, context)));
    case "button":
      return toLabel(data.label, { ...addLinkStyle(style, resolveReferenceTarget(ref, context)), isBold: true });
    default:
      return toInlineItems(getPhrasing(inline), context, style, depth + 1);
  }
}
