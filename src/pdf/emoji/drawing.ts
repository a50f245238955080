// A drawing of an emoji as a PDF draws it: on a grid of 128 steps, with its upper left corner at the origin.

import { numbers } from "../file/syntax";

/** Steps of the grid along each side. */
export const GRID = 128;

const SHAPE = /^([0-9a-f]{6})(?:([fe])|s(\d+)(?!\d))(.*)$/;

/** The operations for a drawing: shapes with `;` between them, each a color, how it is painted, and a path. */
export function paintedShapes(drawing: string): string {
  return drawing
    .split(";")
    .map((shape) => {
      const [, color = "000000", fill, width, path = ""] = SHAPE.exec(shape) ?? [];
      const rgb = numbers(...[0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255));
      if (fill) return `${rgb} rg ${absolute(path)} ${fill === "e" ? "f*" : "f"}`;
      return `${rgb} RG ${width} w 1 J ${absolute(path)} S`;
    })
    .join("\n");
}

/** A path whose points are relative to the one before, as absolute ones. */
function absolute(path: string): string {
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
