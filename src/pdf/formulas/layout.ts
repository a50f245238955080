// MathML as boxes, by the rules that formulas are set by in print: what is in scripts is smaller, fractions stand on the middle
// of the line, operators have space around them.

import { omitUndefined } from "../../utils/objects";
import type { Color } from "../theme";
import { type Box, beside, glyphs, placed, type Style, space } from "./box";
import { AXIS, fence, RULE, root, stretched } from "./fences";
import type { MathNode } from "./read";
import { kindOf } from "./symbols";

/** How large text is in scripts of a level, as a part of its size outside. */
const SMALLER = 0.72;

/** Scripts in scripts in scripts are no smaller. */
const DEEPEST_SCRIPT = 2;

/** Elements inside one another. */
const DEEPEST = 60;

/** Accents that stand close above a letter. */
const ACCENTS = /^[ˆ^˜~¯‾˙¨´`ˇ˘→←↔⏞⏟_‥.]$/;

/** Sets a formula. */
export function setFormula(node: MathNode, style: Style): Box {
  return set(node, style, 0);
}

function set(node: MathNode, given: Style, depth: number): Box {
  const { name, attributes } = node;
  const color = colorIn(attributes);
  const isDisplayed = attributes.displaystyle === undefined ? given.isDisplayed : attributes.displaystyle === "true";
  const isTable = name === "mtable" && attributes.displaystyle === undefined;
  const style: Style = { ...given, ...omitUndefined({ color }), isDisplayed: isTable ? false : isDisplayed };
  if (depth > DEEPEST) return glyphs(textOf(node), style, false);
  const child = (at: number, how: Style = style) => {
    const found = node.children[at];
    return found ? set(found, how, depth + 1) : space(0);
  };
  const row = () => setRow(node.children, style, depth);
  switch (node.name) {
    case "mi":
      return glyphs(
        node.text.trim(),
        style,
        [...node.text.trim()].length === 1 && node.attributes.mathvariant !== "normal",
      );
    case "mn":
      return glyphs(node.text.trim(), style, false);
    case "mtext":
    case "ms":
      return glyphs(node.text.replace(/[\s\u00a0]+/g, " "), style, false);
    case "mo":
      return operator(node, style);
    case "mspace":
      return space(lengthOf(node.attributes.width, style));
    case "mfrac":
      return fraction(child, style, node.attributes.linethickness);
    case "msqrt":
      return root(row(), undefined, style);
    case "mroot":
      return root(child(0), child(1, script(script(style))), style);
    case "msub":
      return scripts(child(0), child(1, script(style)), undefined, style);
    case "msup":
      return scripts(child(0), undefined, child(1, script(style)), style);
    case "msubsup":
      return scripts(child(0), child(1, script(style)), child(2, script(style)), style);
    case "munder":
      return around(child(0), node.children[1], undefined, style, depth);
    case "mover":
      return around(child(0), undefined, node.children[1], style, depth);
    case "munderover":
      return around(child(0), node.children[1], node.children[2], style, depth);
    case "mtable":
      return table(node, style, depth);
    case "menclose":
      return enclosed(row(), node.attributes.notation ?? "", style);
    case "mphantom":
      return { ...row(), draw: () => {} };
    default:
      return /border:/.test(node.attributes.style ?? "") ? enclosed(row(), "box", style) : row();
  }
}

function textOf(node: MathNode): string {
  return node.text + node.children.map(textOf).join("");
}

function colorIn({ mathcolor, style = "" }: MathNode["attributes"]): Color | undefined {
  const [, digits] = /(?:^|[;\s])color:\s*#([0-9a-f]{6})/i.exec(`${style};color:${mathcolor ?? ""}`) ?? [];
  if (digits === undefined) return undefined;
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16) / 255;
  return [part(0), part(2), part(4)];
}

function script(style: Style): Style {
  const isSmallest = style.level >= DEEPEST_SCRIPT;
  return { ...style, level: style.level + 1, isDisplayed: false, size: isSmallest ? style.size : style.size * SMALLER };
}

/** Parts beside one another; brackets among them are as high as the highest other part. */
function setRow(nodes: readonly MathNode[], style: Style, depth: number): Box {
  const isFence = ({ name, attributes }: MathNode) =>
    name === "mo" &&
    (attributes.stretchy === "true" || (attributes.fence === "true" && attributes.stretchy !== "false"));
  const boxes = nodes.map((node) => (isFence(node) ? undefined : set(node, style, depth + 1)));
  const others = beside(boxes.filter((box) => box !== undefined));
  return beside(
    nodes.flatMap((node, at) => {
      const box = boxes[at] ?? fence(node.text.trim(), style, others.height, others.depth);
      const core = coreOf(node);
      const [before, after] = core ? spaces(core, nodes[at - 1], nodes[at + 1], style) : [0, 0];
      return [space(before), box, space(after)];
    }),
  );
}

/** The operator that a node is, or that stands in it with scripts or limits; undefined where there is none. */
function coreOf(node: MathNode): MathNode | undefined {
  if (node.name === "mo") return node;
  const [first] = node.children;
  const isAlone = node.name === "mrow" && node.children.length === 1;
  const core =
    first && (isAlone || /^(?:munder|mover|munderover|msub|msup|msubsup)$/.test(node.name)) ? coreOf(first) : undefined;
  return core && core.attributes.fence !== "true" ? core : undefined;
}

/** The space before and after an operator. */
function spaces(node: MathNode, before: MathNode | undefined, after: MathNode | undefined, style: Style) {
  const { lspace, rspace, fence: isFence } = node.attributes;
  const kind = isFence === "true" ? "other" : kindOf(node.text.trim());
  const isPrefix = before === undefined || (before.name === "mo" && !/^[)\]}!⟩⌋⌉|′]$/.test(before.text.trim()));
  const usual = () => {
    if (style.level > 0 && kind !== "large") return [0, 0] as const;
    if (kind === "relation") return [0.28, 0.28] as const;
    if (kind === "binary") return isPrefix || after === undefined ? ([0, 0] as const) : ([0.22, 0.22] as const);
    if (kind === "punctuation") return [0, 0.17] as const;
    return kind === "large" || kind === "integral" ? ([0.08, 0.12] as const) : ([0, 0] as const);
  };
  const [left, right] = usual();
  return [
    lspace === undefined ? left * style.size : lengthOf(lspace, style),
    rspace === undefined ? right * style.size : lengthOf(rspace, style),
  ] as const;
}

function operator(node: MathNode, style: Style): Box {
  const text = node.text
    .trim()
    .replace(/[\u2061-\u2064]/g, "")
    .replaceAll("-", "−");
  const kind = kindOf(text);
  if (kind !== "large" && kind !== "integral") return glyphs(text, style, false);
  const grown = style.isDisplayed ? (kind === "large" ? 1.5 : 1.8) : 1.15;
  const large = glyphs(text, { ...style, size: style.size * grown }, false);
  // The glyphs stand on the line; here they stand on its middle.
  const half = style.size * grown * 0.48;
  const up = AXIS * style.size - style.size * grown * (kind === "large" ? 0.29 : 0.32);
  return {
    width: large.width,
    height: AXIS * style.size + half,
    depth: half - AXIS * style.size,
    draw: (sheet, x, y) => large.draw(sheet, x, y - up),
  };
}

/** A length of MathML: `0.5em`, `3pt`. */
function lengthOf(written: string | undefined, { size }: Style): number {
  const [, digits, unit] = /^(-?\d*\.?\d+)\s*(em|ex|px|pt|mu)?/.exec(written ?? "") ?? [];
  if (digits === undefined) return 0;
  const value = Math.max(-20, Math.min(Number(digits), 200));
  if (unit === "ex") return value * size * 0.45;
  if (unit === "mu") return (value * size) / 18;
  return unit === "pt" || unit === "px" ? value * (size / 12) : value * size;
}

function fraction(child: (at: number, how?: Style) => Box, style: Style, thickness: string | undefined): Box {
  const { size, color } = style;
  const inner = style.isDisplayed ? { ...style, isDisplayed: false } : script(style);
  const [over, under] = [child(0, inner), child(1, inner)];
  const rule = thickness === undefined || lengthOf(thickness, style) > 0 ? size * RULE : 0;
  const pad = size * (rule > 0 ? 0.12 : 0);
  const gap = size * (style.isDisplayed ? 0.18 : 0.11);
  const width = Math.max(over.width, under.width) + 2 * pad;
  const line: Box = {
    width,
    height: rule / 2,
    depth: rule / 2,
    draw: (sheet, x, y) => {
      if (rule > 0)
        sheet.path(
          [
            ["m", x, y],
            ["l", x + width, y],
          ],
          color,
          rule,
        );
    },
  };
  const axis = AXIS * size;
  const whole = placed(width, [
    [over, (width - over.width) / 2, axis + gap + over.depth],
    [line, 0, axis],
    [under, (width - under.width) / 2, axis - gap - under.height],
  ]);
  return beside([space(size * 0.06), whole, space(size * 0.06)]);
}

function scripts(base: Box, sub: Box | undefined, sup: Box | undefined, { size }: Style): Box {
  let up = sup ? Math.max(size * 0.36, base.height - size * 0.3, sup.depth + size * 0.2) : 0;
  let down = sub ? Math.max(size * 0.16, base.depth + size * 0.1, sub.height - size * 0.34) : 0;
  if (sub && sup) {
    const missing = size * 0.12 - (up - sup.depth - (sub.height - down));
    if (missing > 0) [up, down] = [up + missing / 2, down + missing / 2];
  }
  const gap = size * 0.05;
  const width = base.width + gap + Math.max(sub?.width ?? 0, sup?.width ?? 0) + size * 0.04;
  return placed(width, [
    [base, 0, 0],
    ...(sup ? [[sup, base.width + gap, up] as const] : []),
    ...(sub ? [[sub, base.width + gap * 0.4, -down] as const] : []),
  ]);
}

/** What stands below and above something: limits, accents, braces. */
function around(base: Box, under: MathNode | undefined, over: MathNode | undefined, style: Style, depth: number): Box {
  const { size } = style;
  const above = over && part(over, base, style, depth);
  const below = under && part(under, base, style, depth);
  const width = Math.max(base.width, above?.width ?? 0, below?.width ?? 0);
  const middle = (box: Box) => (width - box.width) / 2;
  const gap = (node: MathNode) => (isAccent(node) ? size * 0.06 : size * 0.16);
  return placed(width, [
    [base, middle(base), 0],
    ...(above ? [[above, middle(above), base.height + gap(over!) + above.depth] as const] : []),
    ...(below ? [[below, middle(below), -(base.depth + gap(under!) + below.height)] as const] : []),
  ]);
}

function isAccent(node: MathNode): boolean {
  return node.name === "mo" && ACCENTS.test(node.text.trim());
}

function part(node: MathNode, base: Box, style: Style, depth: number): Box {
  const text = node.text.trim();
  if (!isAccent(node)) return set(node, script(style), depth + 1);
  if (/[˙¨‥.]/.test(text)) {
    const count = /[¨‥]/.test(text) ? 2 : 1;
    const { size, color } = style;
    const side = size * 0.1;
    return {
      width: side * (count * 2 - 1),
      height: side,
      depth: 0,
      draw: (sheet, x, y) => {
        for (let at = 0; at < count; at++) sheet.fillBox(x + at * 2 * side, y - side, side, side, color, side / 2);
      },
    };
  }
  if (/[´`ˇ˘]/.test(text)) return { ...glyphs(text, style, false), height: style.size * 0.1, depth: -style.size * 0.5 };
  const isStretchy = node.attributes.stretchy !== "false" || /[⏞⏟]/.test(text);
  return stretched(text, isStretchy ? base.width : Math.min(base.width, style.size * 0.5), style);
}

/** Rows and columns, around the middle of the line. */
function table(node: MathNode, style: Style, depth: number): Box {
  const { size } = style;
  const rows = node.children.filter(({ name }) => name === "mtr");
  const cells = rows.map(({ children }) =>
    children.map((cell) => ({ cell, box: setRow(cell.children, style, depth + 1) })),
  );
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const measureColumns = (measure: (cell: (typeof cells)[number][number] | undefined) => number) =>
    Array.from({ length: columns }, (_, at) => Math.max(0, ...cells.map((row) => measure(row[at]))));
  const leftEdges = measureColumns((placed) => paddingOf(placed?.cell, "left", style));
  const rightEdges = measureColumns((placed) => paddingOf(placed?.cell, "right", style));
  const widths = measureColumns((placed) => placed?.box.width ?? 0);
  const heights = cells.map((row) => beside(row.map(({ box }) => box)));
  const gap = size * 0.45;
  const least = size * 0.5;
  const total = heights.reduce(
    (sum, { height, depth: below }) => sum + Math.max(height, least) + below,
    gap * (rows.length - 1),
  );
  const parts: (readonly [Box, number, number])[] = [];
  let y = total / 2 + AXIS * size;
  let width = 0;
  for (const [at, row] of cells.entries()) {
    y -= Math.max(heights[at]!.height, least);
    let x = 0;
    for (const [column, { cell, box }] of row.entries()) {
      x += leftEdges[column]!;
      const free = widths[column]! - box.width;
      parts.push([box, x + (isAt(cell, "right") ? free : isAt(cell, "left") ? 0 : free / 2), y]);
      x += widths[column]! + rightEdges[column]!;
    }
    width = Math.max(width, x);
    y -= heights[at]!.depth + gap;
  }
  return placed(width, parts);
}

const ALIGNMENT = { left: /text-align:\s*left/, right: /text-align:\s*right/ };

function isAt({ attributes }: MathNode, side: "left" | "right"): boolean {
  return (
    `${attributes.class ?? ""} ${attributes.columnalign ?? ""} ${attributes.style ?? ""}`.includes(
      side === "right" ? "tml-right" : "tml-left",
    ) || ALIGNMENT[side].test(attributes.style ?? "")
  );
}

const PADDING = { left: /padding-left:\s*([^;]+)/, right: /padding-right:\s*([^;]+)/ };

function paddingOf(cell: MathNode | undefined, side: "left" | "right", style: Style): number {
  const [, written] = PADDING[side].exec(cell?.attributes.style ?? "") ?? [];
  return written === undefined ? style.size * 0.4 : lengthOf(written, style);
}

function enclosed(box: Box, notation: string, { size, color }: Style): Box {
  const pad = /box|roundedbox/.test(notation) ? size * 0.25 : 0;
  const rule = size * RULE;
  const up = /top|box/.test(notation) ? size * 0.14 + pad : 0;
  const down = /bottom|box/.test(notation) ? size * 0.14 + pad : 0;
  const whole = { width: box.width + 2 * pad, height: box.height + up, depth: box.depth + down };
  return {
    ...whole,
    draw: (sheet, x, y) => {
      box.draw(sheet, x + pad, y);
      const [left, right, top, bottom] = [x, x + whole.width, y - whole.height + rule, y + whole.depth - rule];
      const line = (...points: readonly (readonly [number, number])[]) =>
        sheet.path(
          points.map(([px, py], at) => [at === 0 ? "m" : "l", px, py]),
          color,
          rule,
        );
      if (/box/.test(notation)) sheet.strokeBox(left, top, right - left, bottom - top, color, 0, rule);
      if (/top/.test(notation)) line([left, top], [right, top]);
      if (/bottom/.test(notation)) line([left, bottom], [right, bottom]);
      if (/updiagonalstrike/.test(notation)) line([left, y + box.depth], [right, y - box.height]);
      if (/downdiagonalstrike/.test(notation)) line([left, y - box.height], [right, y + box.depth]);
      if (/horizontalstrike/.test(notation)) line([left, y - box.height / 2], [right, y - box.height / 2]);
    },
  };
}
