// Lays out MathML as boxes, by the usual rules of mathematical typesetting: scripts are smaller, fractions are centered on the
// math axis, and operators have space around them.

import { omitUndefined } from "../../utils/objects";
import { parseColor } from "../theme";
import { createGlyphs, createSpace, type FormulaBox, type FormulaStyle, joinBoxes, placeBoxes } from "./box";
import { AXIS, createFence, createRoot, createStretchedSign, LINE_WIDTH } from "./fences";
import type { MathNode } from "./parse-formula";
import { getOperatorKind } from "./symbols";

/** The size of a script relative to its base. */
const SCRIPT_SCALE = 0.72;

/** Scripts below this level have the same size. */
const MAX_SCRIPT_LEVEL = 2;

/** The maximum nesting of elements. Deeper ones are shown as plain text. */
const MAX_DEPTH = 60;

/** Accents that are placed close above a letter. */
const ACCENTS = /^[ˆ^˜~¯‾˙¨´`ˇ˘→←↔⏞⏟_‥.]$/;

/** The styles of the cells of a table. */
const ALIGNMENT = { left: /text-align:\s*left/, right: /text-align:\s*right/ };
const PADDING = { left: /padding-left:\s*([^;]+)/, right: /padding-right:\s*([^;]+)/ };

export function layOutFormula(node: MathNode, given: FormulaStyle, depth = 0): FormulaBox {
  const { name, attributes } = node;
  const { mathcolor = "", style: css = "" } = attributes;
  const [, digits] = /(?:^|[;\s])color:\s*#([0-9a-f]{6})/i.exec(`${css};color:${mathcolor}`) ?? [];
  const color = digits === undefined ? undefined : parseColor(digits);
  const isDisplayed = attributes.displaystyle === undefined ? given.isDisplayed : attributes.displaystyle === "true";
  const isTable = name === "mtable" && attributes.displaystyle === undefined;
  const style: FormulaStyle = { ...given, ...omitUndefined({ color }), isDisplayed: isTable ? false : isDisplayed };
  if (depth > MAX_DEPTH) return createGlyphs(getMathText(node), style, false);
  const child = (at: number, how: FormulaStyle = style) => {
    const found = node.children[at];
    return found ? layOutFormula(found, how, depth + 1) : createSpace(0);
  };
  const row = () => layOutRow(node.children, style, depth);
  switch (node.name) {
    case "mi":
      return createGlyphs(
        node.text.trim(),
        style,
        [...node.text.trim()].length === 1 && node.attributes.mathvariant !== "normal",
      );
    case "mn":
      return createGlyphs(node.text.trim(), style, false);
    case "mtext":
    case "ms":
      return createGlyphs(node.text.replace(/[\s\u00a0]+/g, " "), style, false);
    case "mo": {
      // Lay out an operator. Sums and integrals are larger than the others.
      const text = node.text
        .trim()
        .replace(/[\u2061-\u2064]/g, "")
        .replaceAll("-", "−");
      const kind = getOperatorKind(text);
      if (kind !== "large" && kind !== "integral") return createGlyphs(text, style, false);
      const grown = style.isDisplayed ? (kind === "large" ? 1.5 : 1.8) : 1.15;
      const large = createGlyphs(text, { ...style, size: style.size * grown }, false);
      // Center the glyphs on the math axis instead of placing them on the baseline.
      const half = style.size * grown * 0.48;
      const up = AXIS * style.size - style.size * grown * (kind === "large" ? 0.29 : 0.32);
      return {
        width: large.width,
        height: AXIS * style.size + half,
        depth: half - AXIS * style.size,
        draw: (sheet, x, y) => large.draw(sheet, x, y - up),
      };
    }
    case "mspace":
      return createSpace(parseMathLength(node.attributes.width, style));
    case "mfrac":
      return layOutFraction(child, style, node.attributes.linethickness);
    case "msqrt":
      return createRoot(row(), undefined, style);
    case "mroot":
      return createRoot(child(0), child(1, toScriptStyle(toScriptStyle(style))), style);
    case "msub":
      return layOutScripts(child(0), child(1, toScriptStyle(style)), undefined, style);
    case "msup":
      return layOutScripts(child(0), undefined, child(1, toScriptStyle(style)), style);
    case "msubsup":
      return layOutScripts(child(0), child(1, toScriptStyle(style)), child(2, toScriptStyle(style)), style);
    case "munder":
      return layOutUnderOver(child(0), node.children[1], undefined, style, depth);
    case "mover":
      return layOutUnderOver(child(0), undefined, node.children[1], style, depth);
    case "munderover":
      return layOutUnderOver(child(0), node.children[1], node.children[2], style, depth);
    case "mtable":
      return layOutMathTable(node, style, depth);
    case "menclose":
      return layOutEnclosure(row(), node.attributes.notation ?? "", style);
    case "mphantom":
      return { ...row(), draw: () => {} };
    default:
      return /border:/.test(node.attributes.style ?? "") ? layOutEnclosure(row(), "box", style) : row();
  }
}

function getMathText(node: MathNode): string {
  return node.text + node.children.map(getMathText).join("");
}

function toScriptStyle(style: FormulaStyle): FormulaStyle {
  const isSmallest = style.level >= MAX_SCRIPT_LEVEL;
  return {
    ...style,
    level: style.level + 1,
    isDisplayed: false,
    size: isSmallest ? style.size : style.size * SCRIPT_SCALE,
  };
}

/** Lays out nodes next to each other. Brackets among them are as tall as the tallest of the others. */
function layOutRow(nodes: readonly MathNode[], style: FormulaStyle, depth: number): FormulaBox {
  const isFence = ({ name, attributes }: MathNode) =>
    name === "mo" &&
    (attributes.stretchy === "true" || (attributes.fence === "true" && attributes.stretchy !== "false"));
  const boxes = nodes.map((node) => (isFence(node) ? undefined : layOutFormula(node, style, depth + 1)));
  const others = joinBoxes(boxes.filter((box) => box !== undefined));
  return joinBoxes(
    nodes.flatMap((node, at) => {
      const box = boxes[at] ?? createFence(node.text.trim(), style, others.height, others.depth);
      const core = findCoreOperator(node);
      const [before, after] = core ? getOperatorSpaces(core, nodes[at - 1], nodes[at + 1], style) : [0, 0];
      return [createSpace(before), box, createSpace(after)];
    }),
  );
}

/** Returns the core operator of a node, without its scripts and limits. Returns undefined if it has none. */
function findCoreOperator(node: MathNode): MathNode | undefined {
  if (node.name === "mo") return node;
  const [first] = node.children;
  const isAlone = node.name === "mrow" && node.children.length === 1;
  const core =
    first && (isAlone || /^(?:munder|mover|munderover|msub|msup|msubsup)$/.test(node.name))
      ? findCoreOperator(first)
      : undefined;
  return core && core.attributes.fence !== "true" ? core : undefined;
}

function getOperatorSpaces(
  node: MathNode,
  before: MathNode | undefined,
  after: MathNode | undefined,
  style: FormulaStyle,
) {
  const { lspace, rspace, fence: isFence } = node.attributes;
  const kind = isFence === "true" ? "other" : getOperatorKind(node.text.trim());
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
    lspace === undefined ? left * style.size : parseMathLength(lspace, style),
    rspace === undefined ? right * style.size : parseMathLength(rspace, style),
  ] as const;
}

/** Parses a MathML length, such as `0.5em` or `3pt`. */
function parseMathLength(written: string | undefined, { size }: FormulaStyle): number {
  const [, digits, unit] = /^(-?\d*\.?\d+)\s*(em|ex|px|pt|mu)?/.exec(written ?? "") ?? [];
  if (digits === undefined) return 0;
  const value = Math.max(-20, Math.min(Number(digits), 200));
  if (unit === "ex") return value * size * 0.45;
  if (unit === "mu") return (value * size) / 18;
  return unit === "pt" || unit === "px" ? value * (size / 12) : value * size;
}

/** Lays out a fraction, or a binomial if its line has no thickness. */
function layOutFraction(
  child: (at: number, how?: FormulaStyle) => FormulaBox,
  style: FormulaStyle,
  thickness: string | undefined,
): FormulaBox {
  const { size, color } = style;
  const inner = style.isDisplayed ? { ...style, isDisplayed: false } : toScriptStyle(style);
  const [over, under] = [child(0, inner), child(1, inner)];
  const rule = thickness === undefined || parseMathLength(thickness, style) > 0 ? size * LINE_WIDTH : 0;
  const pad = size * (rule > 0 ? 0.12 : 0);
  const gap = size * (style.isDisplayed ? 0.18 : 0.11);
  const width = Math.max(over.width, under.width) + 2 * pad;
  const line: FormulaBox = {
    width,
    height: rule / 2,
    depth: rule / 2,
    draw: (sheet, x, y) => {
      if (rule > 0)
        sheet.drawPath(
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
  const whole = placeBoxes(width, [
    [over, (width - over.width) / 2, axis + gap + over.depth],
    [line, 0, axis],
    [under, (width - under.width) / 2, axis - gap - under.height],
  ]);
  return joinBoxes([createSpace(size * 0.06), whole, createSpace(size * 0.06)]);
}

/** Lays out a base with its subscript and superscript. */
function layOutScripts(
  base: FormulaBox,
  sub: FormulaBox | undefined,
  sup: FormulaBox | undefined,
  { size }: FormulaStyle,
): FormulaBox {
  let up = sup ? Math.max(size * 0.36, base.height - size * 0.3, sup.depth + size * 0.2) : 0;
  let down = sub ? Math.max(size * 0.16, base.depth + size * 0.1, sub.height - size * 0.34) : 0;
  if (sub && sup) {
    const missing = size * 0.12 - (up - sup.depth - (sub.height - down));
    if (missing > 0) [up, down] = [up + missing / 2, down + missing / 2];
  }
  const gap = size * 0.05;
  const width = base.width + gap + Math.max(sub?.width ?? 0, sup?.width ?? 0) + size * 0.04;
  return placeBoxes(width, [
    [base, 0, 0],
    ...(sup ? [[sup, base.width + gap, up] as const] : []),
    ...(sub ? [[sub, base.width + gap * 0.4, -down] as const] : []),
  ]);
}

/** Lays out limits, accents and braces below and above a base. */
function layOutUnderOver(
  base: FormulaBox,
  under: MathNode | undefined,
  over: MathNode | undefined,
  style: FormulaStyle,
  depth: number,
): FormulaBox {
  const { size } = style;
  const above = over && layOutLimit(over, base, style, depth);
  const below = under && layOutLimit(under, base, style, depth);
  const width = Math.max(base.width, above?.width ?? 0, below?.width ?? 0);
  const middle = (box: FormulaBox) => (width - box.width) / 2;
  const gap = (node: MathNode) => (isAccent(node) ? size * 0.06 : size * 0.16);
  return placeBoxes(width, [
    [base, middle(base), 0],
    ...(above ? [[above, middle(above), base.height + gap(over!) + above.depth] as const] : []),
    ...(below ? [[below, middle(below), -(base.depth + gap(under!) + below.height)] as const] : []),
  ]);
}

function isAccent(node: MathNode): boolean {
  return node.name === "mo" && ACCENTS.test(node.text.trim());
}

/** Lays out what is below or above a base: an accent, a stretched sign, or a formula in the size of a script. */
function layOutLimit(node: MathNode, base: FormulaBox, style: FormulaStyle, depth: number): FormulaBox {
  const text = node.text.trim();
  if (!isAccent(node)) return layOutFormula(node, toScriptStyle(style), depth + 1);
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
  if (/[´`ˇ˘]/.test(text))
    return { ...createGlyphs(text, style, false), height: style.size * 0.1, depth: -style.size * 0.5 };
  const isStretchy = node.attributes.stretchy !== "false" || /[⏞⏟]/.test(text);
  return createStretchedSign(text, isStretchy ? base.width : Math.min(base.width, style.size * 0.5), style);
}

/** Lays out a table, centered on the math axis. */
function layOutMathTable(node: MathNode, style: FormulaStyle, depth: number): FormulaBox {
  const { size } = style;
  const rows = node.children.filter(({ name }) => name === "mtr");
  const cells = rows.map(({ children }) =>
    children.map((cell) => ({ cell, box: layOutRow(cell.children, style, depth + 1) })),
  );
  const columns = Math.max(0, ...cells.map((row) => row.length));
  const measureColumns = (measure: (cell: (typeof cells)[number][number] | undefined) => number) =>
    Array.from({ length: columns }, (_, at) => Math.max(0, ...cells.map((row) => measure(row[at]))));
  const [leftEdges, rightEdges] = [PADDING.left, PADDING.right].map((pattern) =>
    measureColumns((placed) => {
      const [, written] = pattern.exec(placed?.cell.attributes.style ?? "") ?? [];
      return written === undefined ? size * 0.4 : parseMathLength(written, style);
    }),
  );
  const widths = measureColumns((placed) => placed?.box.width ?? 0);
  const heights = cells.map((row) => joinBoxes(row.map(({ box }) => box)));
  const gap = size * 0.45;
  const least = size * 0.5;
  const total = heights.reduce(
    (sum, { height, depth: below }) => sum + Math.max(height, least) + below,
    gap * (rows.length - 1),
  );
  const parts: (readonly [FormulaBox, number, number])[] = [];
  let y = total / 2 + AXIS * size;
  let width = 0;
  for (const [at, row] of cells.entries()) {
    y -= Math.max(heights[at]!.height, least);
    let x = 0;
    for (const [column, { cell, box }] of row.entries()) {
      x += leftEdges![column]!;
      const free = widths[column]! - box.width;
      const { class: classes = "", columnalign = "", style: css = "" } = cell.attributes;
      const stated = `${classes} ${columnalign} ${css}`;
      const isAtRight = stated.includes("tml-right") || ALIGNMENT.right.test(css);
      const isAtLeft = stated.includes("tml-left") || ALIGNMENT.left.test(css);
      parts.push([box, x + (isAtRight ? free : isAtLeft ? 0 : free / 2), y]);
      x += widths[column]! + rightEdges![column]!;
    }
    width = Math.max(width, x);
    y -= heights[at]!.depth + gap;
  }
  return placeBoxes(width, parts);
}

/** Lays out a box with lines around or through it. */
function layOutEnclosure(box: FormulaBox, notation: string, { size, color }: FormulaStyle): FormulaBox {
  const pad = /box|roundedbox/.test(notation) ? size * 0.25 : 0;
  const rule = size * LINE_WIDTH;
  const up = /top|box/.test(notation) ? size * 0.14 + pad : 0;
  const down = /bottom|box/.test(notation) ? size * 0.14 + pad : 0;
  const whole = { width: box.width + 2 * pad, height: box.height + up, depth: box.depth + down };
  return {
    ...whole,
    draw: (sheet, x, y) => {
      box.draw(sheet, x + pad, y);
      const [left, right, top, bottom] = [x, x + whole.width, y - whole.height + rule, y + whole.depth - rule];
      const line = (...points: readonly (readonly [number, number])[]) =>
        sheet.drawPath(
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
