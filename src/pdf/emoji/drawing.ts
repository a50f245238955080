// Converts the drawing of an emoji to PDF operators. Drawings have a grid of 128 steps, and their origin is the upper left corner.

import { formatNumbers } from "../file/syntax";

/** The number of grid steps along each side. */
export const GRID_SIZE = 128;

const SHAPE = /^([0-9a-f]{6})(?:([fe])|s(\d+)(?!\d))(.*)$/;

/** Formats the operators of a drawing. Its shapes are separated by `;`; each has a color, a fill or stroke, and a path. */
export function formatDrawing(drawing: string): string {
  return drawing
    .split(";")
    .map((shape) => {
      const [, color = "000000", fill, width, path = ""] = SHAPE.exec(shape) ?? [];
      const rgb = formatNumbers(...[0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255));
      if (fill) return `${rgb} rg ${toAbsolutePath(path)} ${fill === "e" ? "f*" : "f"}`;
      return `${rgb} RG ${width} w 1 J ${toAbsolutePath(path)} S`;
    })
    .join("\n");
}

/** Converts a path of relative points to absolute ones. */
function toAbsolutePath(path: string): string {
  let [x, y] = [0, 0];
  const operations: string[] = [];
  for (const [, type, list] of path.matchAll(/([mlcz])([^mlcz]*)/g)) {
    if (type === "z") operations.push("h");
    else {
      const values = [...list!.matchAll(/-?\d+/g)].map(Number);
      const points = values.map((value, at) => value + (at % 2 === 0 ? x : y));
      [x, y] = points.slice(-2) as [number, number];
      operations.push(`${points.join(" ")} ${type}`);
    }
  }
  return operations.join(" ");
}
