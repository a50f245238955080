// Brackets, roots, braces and arrows that grow with their content. They are drawn as paths, so they can have any size.

import type { DrawingPath, Sheet } from "../file/sheet";
import { createGlyphs, type FormulaBox, type FormulaStyle } from "./box";

/** The height of the math axis above the baseline, in ems. */
export const AXIS = 0.26;

/** The thickness of lines, in ems. */
export const LINE_WIDTH = 0.05;

/** Creates a bracket for content with this height and depth. */
export function createFence(character: string, style: FormulaStyle, height: number, depth: number): FormulaBox {
  const { size } = style;
  const half = Math.max(height - AXIS * size, depth + AXIS * size);
  if (character === "" || character === ".") return { width: size * 0.12, height: 0, depth: 0, draw: () => {} };
  const width = FENCE_WIDTHS[character];
  if (half < size * 0.56 || width === undefined) return createGlyphs(character, style, false);
  const drawnWidth = width * size;
  const drawnHalf = half + size * 0.06;
  const middle = AXIS * size;
  const lineWidth = size * (/[()]/.test(character) ? 0.065 : LINE_WIDTH * 1.1);
  return {
    width: drawnWidth,
    height: drawnHalf + middle,
    depth: drawnHalf - middle,
    draw: (sheet, x, y) => {
      for (const path of getFenceStrokes(character, drawnWidth, 2 * drawnHalf))
        sheet.drawPath(movePath(path, x, y - middle - drawnHalf), style.color, lineWidth);
    },
  };
}

const FENCE_WIDTHS: Readonly<Record<string, number>> = {
  "(": 0.48,
  ")": 0.48,
  "[": 0.42,
  "]": 0.42,
  "{": 0.52,
  "}": 0.52,
  "|": 0.24,
  "∣": 0.24,
  "‖": 0.36,
  "∥": 0.36,
  "⟨": 0.38,
  "⟩": 0.38,
  "⌊": 0.36,
  "⌋": 0.36,
  "⌈": 0.36,
  "⌉": 0.36,
};

/** Returns the strokes of a bracket, relative to its upper left corner. */
function getFenceStrokes(character: string, w: number, h: number): DrawingPath[] {
  const [near, far] = [w * 0.28, w * 0.66];
  const flipped = (path: DrawingPath): DrawingPath =>
    path.map(([type, ...values]) => [type, ...values.map((v, at) => (at % 2 === 0 ? w - v : v))]);
  switch (character) {
    case "(":
      return [
        [
          ["m", far, 0],
          ["c", near * 0.5, h * 0.24, near * 0.5, h * 0.76, far, h],
        ],
      ];
    case "[":
    case "⌊":
    case "⌈":
      return [
        [
          ...(character === "⌊" ? [] : ([["m", far, 0]] as const)),
          [character === "⌊" ? "m" : "l", near, 0],
          ["l", near, h],
          ...(character === "⌈" ? [] : ([["l", far, h]] as const)),
        ],
      ];
    case "⟨":
      return [
        [
          ["m", far, 0],
          ["l", near, h / 2],
          ["l", far, h],
        ],
      ];
    case "{": {
      const [m, r] = [w * 0.5, Math.min(w * 0.5, h / 6)];
      return [
        [
          ["m", w * 0.85, 0],
          ["c", m, 0, m, r * 0.4, m, r],
          ["l", m, h / 2 - r],
          ["c", m, h / 2 - r * 0.4, m - r * 0.2, h / 2, w * 0.15, h / 2],
          ["c", m - r * 0.2, h / 2, m, h / 2 + r * 0.4, m, h / 2 + r],
          ["l", m, h - r],
          ["c", m, h - r * 0.4, m, h, w * 0.85, h],
        ],
      ];
    }
    case "|":
    case "∣":
    case "‖":
    case "∥":
      return (/[|∣]/.test(character) ? [w / 2] : [w * 0.35, w * 0.65]).map((x) => [
        ["m", x, 0],
        ["l", x, h],
      ]);
    default: {
      const opposite = { ")": "(", "]": "[", "}": "{", "⟩": "⟨", "⌋": "⌊", "⌉": "⌈" }[character] ?? "|";
      return getFenceStrokes(opposite, w, h).map(flipped);
    }
  }
}

export function createRoot(
  inside: FormulaBox,
  index: FormulaBox | undefined,
  { size, color }: FormulaStyle,
): FormulaBox {
  const rule = size * LINE_WIDTH;
  const [height, depth] = [inside.height + size * 0.16, inside.depth + size * 0.06];
  const sign = size * 0.62;
  const before = index ? Math.max(0, index.width - sign * 0.55) : 0;
  const raised = (height + depth) * 0.5 - depth + size * 0.1;
  return {
    width: before + sign + inside.width + size * 0.1,
    height: Math.max(height + rule, index ? index.height + raised : 0),
    depth,
    draw: (sheet, x, y) => {
      const left = x + before;
      const middle = y + depth - (height + depth) * 0.42;
      index?.draw(sheet, x, y - raised);
      sheet.drawPath(
        [
          ["m", left + sign * 0.08, middle + size * 0.04],
          ["l", left + sign * 0.26, middle - size * 0.06],
          ["l", left + sign * 0.55, y + depth],
          ["l", left + sign * 0.95, y - height],
          ["l", left + sign + inside.width + size * 0.08, y - height],
        ],
        color,
        rule,
      );
      inside.draw(sheet, left + sign, y);
    },
  };
}

/** Creates an accent or arrow of a width. Its lower edge is on the baseline. */
export function createStretchedSign(character: string, width: number, style: FormulaStyle): FormulaBox {
  const { size, color } = style;
  const height = /[⏞⏟]/.test(character) ? size * 0.3 : size * 0.22;
  const createSign = (path: (w: number, h: number) => DrawingPath) => ({
    width,
    height,
    depth: 0,
    draw: (sheet: Sheet, x: number, y: number) =>
      sheet.drawPath(movePath(path(width, height), x, y - height), color, size * LINE_WIDTH),
  });
  if (/[⏞⏟]/.test(character))
    return createSign((w, h) => {
      const r = Math.min(h, w / 6);
      const brace: DrawingPath = [
        ["m", 0, h],
        ["c", 0, h * 0.5, r * 0.4, h * 0.5, r, h * 0.5],
        ["l", w / 2 - r, h * 0.5],
        ["c", w / 2 - r * 0.4, h * 0.5, w / 2, h * 0.4, w / 2, 0],
        ["c", w / 2, h * 0.4, w / 2 + r * 0.4, h * 0.5, w / 2 + r, h * 0.5],
        ["l", w - r, h * 0.5],
        ["c", w - r * 0.4, h * 0.5, w, h * 0.5, w, h],
      ];
      if (character === "⏞") return brace;
      return brace.map(([type, ...values]) => [type, ...values.map((v, at) => (at % 2 === 0 ? v : h - v))]);
    });
  if (/[→←↔]/.test(character))
    return createSign((w, h) => {
      const head = Math.min(h, w / 3);
      const right: DrawingPath = [
        ["m", w - head, h * 0.1],
        ["l", w, h * 0.5],
        ["l", w - head, h * 0.9],
      ];
      const left: DrawingPath = right.map(([type, x, y]) => [type, w - x!, y!]);
      return [
        ["m", 0, h * 0.5],
        ["l", w, h * 0.5],
        ...(character === "←" ? [] : right),
        ...(/[←↔]/.test(character) ? left : []),
      ];
    });
  if (/[ˆ^]/.test(character))
    return createSign((w, h) => [
      ["m", w * 0.1, h * 0.8],
      ["l", w * 0.5, h * 0.1],
      ["l", w * 0.9, h * 0.8],
    ]);
  if (/[˜~]/.test(character))
    return createSign((w, h) => [
      ["m", w * 0.08, h * 0.7],
      ["c", w * 0.3, -h * 0.1, w * 0.6, h, w * 0.92, h * 0.25],
    ]);
  return createSign((w, h) => [
    ["m", 0, h * 0.5],
    ["l", w, h * 0.5],
  ]);
}

function movePath(path: DrawingPath, x: number, y: number): DrawingPath {
  return path.map(([type, ...values]) => [type, ...values.map((value, at) => value + (at % 2 === 0 ? x : y))]);
}
