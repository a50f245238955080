// Texts and inlines as items of a paragraph.

import type { Inline, Leaf, Mark, Phrasing } from "../../content/document";
import { omitUndefined } from "../../utils/objects";
import { MAX_TITLE } from "../limits";
import { COLOURS, MARKS } from "../look";
import { type Target, targetPlace } from "../targets";
import { oneLine, printable } from "../text/clean";
import type { BoxItem, Item, TextStyle } from "../text/items";
import { formulaBox } from "./formulas";
import { noteAnchor } from "./notes";
import { emojiText, fieldsOf, fragmentBlocks, inlineData, leavesIn, phrasingIn, refIn, textIn } from "./reading";
import { leadsTo, nameOf, type Setting } from "./setting";

/** How deep inlines are read inside one another. */
const DEEPEST = 8;

/** The style of text as the setting wants it. */
export function baseStyle({ size, colour, isBold }: Setting, changes: Partial<TextStyle> = {}): TextStyle {
  return { isMono: false, isBold, isItalic: false, size: size.size, colour, ...changes };
}

/** Items for texts and inlines. */
export function itemsOf(
  nodes: readonly Phrasing[],
  setting: Setting,
  style: TextStyle = baseStyle(setting),
  depth = 0,
): Item[] {
  return nodes.flatMap((node) => {
    if (node.object === "text") return leavesIn(node).map((leaf) => leafItem(leaf, style));
    return depth < DEEPEST ? inlineItems(node, setting, style, depth) : [];
  });
}

function leafItem(leaf: Leaf, style: TextStyle): Item {
  const marks = Array.isArray(leaf.marks) ? (leaf.marks as readonly unknown[]) : [];
  return { text: printable(leaf.text), style: marks.reduce<TextStyle>(withMark, style) };
}

function withMark(style: TextStyle, mark: unknown): TextStyle {
  const { type, data } = fieldsOf(mark) as { readonly type?: Mark["type"]; readonly data?: unknown };
  if (type === "bold") return { ...style, isBold: true };
  if (type === "italic") return { ...style, isItalic: true };
  if (type === "strikethrough") return { ...style, isStruck: true };
  if (type === "superscript") return { ...style, shift: "super" };
  if (type === "subscript") return { ...style, shift: "sub" };
  if (type === "code" || type === "keyboard") return code(style);
  return type === "color" ? coloured(style, fieldsOf(data)) : style;
}

/** Code stands out by its ground, and is a little smaller because its letters are wide. */
function code(style: TextStyle): TextStyle {
  return style.isMono ? style : { ...style, isMono: true, size: style.size * 0.9, ground: COLOURS.chip };
}

function coloured(style: TextStyle, data: Readonly<Record<string, unknown>>): TextStyle {
  const isPlain = data.text === "default" && data.background === "default";
  const { text } = known(data.text);
  const { ground } = known(isPlain ? "yellow" : data.background);
  return { ...style, ...omitUndefined({ colour: text, ground }) };
}

function known(name: unknown): Partial<(typeof MARKS)[string]> {
  return typeof name === "string" && Object.hasOwn(MARKS, name) ? MARKS[name]! : {};
}

/** The style of a text that leads somewhere. */
export function linked(style: TextStyle, target: Target | undefined): TextStyle {
  return target ? { ...style, colour: COLOURS.accent, target } : style;
}

function inlineItems(inline: Inline, setting: Setting, style: TextStyle, depth: number): Item[] {
  const data = inlineData(inline);
  const ref = refIn(data.ref);
  const say = (text: unknown, changed: TextStyle = style): Item[] => {
    const words = oneLine(textIn(text), MAX_TITLE);
    return words ? [{ text: words, style: changed }] : [];
  };
  switch (inline.type) {
    case "link":
      return itemsOf(phrasingIn(inline), setting, linked(style, leadsTo(ref, setting)), depth + 1);
    case "emoji":
      return say(emojiText(data.code));
    case "icon":
      return [];
    case "expression":
      return say(data.expression, code(style));
    case "inline-math":
      return (
        inlineFormula(textIn(data.formula), setting, style) ??
        say(data.formula, { ...style, isMono: true, size: style.size * 0.92 })
      );
    case "inline-image":
      return inlineImage(data, setting, style) ?? say(textIn(data.alt) || textIn(data.caption));
    case "annotation":
      return [...itemsOf(phrasingIn(inline), setting, style, depth + 1), ...noteNumber(inline, setting, style)];
    case "mention":
      return say(nameOf(ref, setting), linked(style, leadsTo(ref, setting)));
    case "button":
      return say(data.label, { ...linked(style, leadsTo(ref, setting)), isBold: true });
    default:
      return itemsOf(phrasingIn(inline), setting, style, depth + 1);
  }
}

/** A formula within a line; undefined when it cannot be set. */
function inlineFormula(formula: string, setting: Setting, style: TextStyle): Item[] | undefined {
  const box = formulaBox(formula, setting, { size: style.size * 1.08, colour: style.colour, isDisplayed: false });
  return box && [{ ...box, target: style.target }];
}

function noteNumber(inline: Inline, setting: Setting, style: TextStyle): Item[] {
  const body = fragmentBlocks(inline, "annotation-body");
  const number = body.length > 0 ? setting.notes.add(body) : undefined;
  if (number === undefined) return [];
  const target = { place: targetPlace(setting.page.id, noteAnchor(number)) };
  return [{ text: String(number), style: { ...linked(style, target), shift: "super" } }];
}

/** A picture as high as the line, or as large as it is, within bounds. */
function inlineImage(data: Readonly<Record<string, unknown>>, setting: Setting, style: TextStyle): Item[] | undefined {
  const picture = setting.album.picture(refIn(data.ref));
  if (!picture) return undefined;
  const highest = data.size === "original" ? 160 : style.size;
  const scale = Math.min(0.75, highest / picture.height, setting.width / picture.width);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const box: BoxItem = {
    width,
    height,
    target: style.target,
    draw: (sheet, left, top) => sheet.picture(picture.resource, left, top, width, height, picture.turn),
  };
  return [box];
}
