// An emoji as SVG becomes a list of filled or stroked shapes: colour, then a path of moves, lines and curves, each with whole
// numbers on a small grid, relative to the point before. What else SVG can do is not in these pictures, or not seen in print.

import { type Matrix, pathOf, type Segment } from "./path";

/** Steps of the grid along each side; a picture has 32 of its own. */
const GRID = 128;

type Attributes = Readonly<Record<string, string>>;

interface Group {
  readonly fill: string | undefined;
  readonly stroke: string | undefined;
  readonly opacity: number;
}

/** The shapes of a picture, or of its reflection, with `;` between them. */
export function drawn(svg: string, isReflected = false): string {
  const known = new Map<string, string>();
  for (const [element, name, attributes] of tags(svg))
    if (attributes.id && name !== "g") known.set(attributes.id, element);
  const shapes: string[] = [];
  const groups: Group[] = [{ fill: "#000", stroke: undefined, opacity: 1 }];
  let hidden = 0;
  for (const [element, name, attributes] of tags(svg)) {
    const isEnd = element.startsWith("</");
    if (/^(?:defs|clipPath|mask|filter)$/.test(name)) hidden += isEnd ? -1 : 1;
    else if (hidden > 0) continue;
    else if (name === "g") {
      if (isEnd) groups.pop();
      else groups.push(inGroup(groups.at(-1)!, attributes));
    } else if (!isEnd) {
      const used = name === "use" ? known.get((attributes.href ?? attributes["xlink:href"] ?? "").slice(1)) : element;
      if (used) shapes.push(...shapesOf(used, { ...attributesOf(used), ...attributes }, groups.at(-1)!, isReflected));
    }
  }
  return shapes.join(";");
}

function* tags(svg: string): Generator<readonly [element: string, name: string, attributes: Attributes]> {
  for (const [element, name] of svg.matchAll(/<\/?([\w]+)[^>]*>/g)) yield [element, name!, attributesOf(element)];
}

function attributesOf(element: string): Attributes {
  return Object.fromEntries([...element.matchAll(/\s([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

function inGroup(group: Group, { fill, stroke, opacity }: Attributes): Group {
  return { fill: fill ?? group.fill, stroke: stroke ?? group.stroke, opacity: group.opacity * Number(opacity ?? 1) };
}

function shapesOf(element: string, attributes: Attributes, group: Group, isReflected: boolean): string[] {
  const { fill, stroke, opacity } = inGroup(group, attributes);
  const name = /<(\w+)/.exec(element)?.[1] ?? "";
  const [a, b, c, d, e, f] = matrixOf(attributes.transform);
  const matrix: Matrix = isReflected ? [-a, b, -c, d, 32 - e, f] : [a, b, c, d, e, f];
  const path = written(pathOf(name, attributes, matrix));
  if (path === "") return [];
  const rule = attributes["fill-rule"] === "evenodd" ? "e" : "f";
  const filled = colourOf(fill, opacity);
  const stroked = colourOf(stroke, opacity);
  const width = Math.round((Number(attributes["stroke-width"] ?? 1) * GRID) / 32);
  return [...(filled ? [`${filled}${rule}${path}`] : []), ...(stroked ? [`${stroked}s${width}${path}`] : [])];
}

/** Six digits. What can be seen through is mixed with white; the few blends of colours are yellow. */
function colourOf(given: string | undefined, opacity: number): string | undefined {
  if (given === undefined || given === "none") return undefined;
  const colour = given.startsWith("url(") ? "#ffb02e" : given;
  const digits = /^#([0-9a-f]{3})$/i.test(colour) ? colour.slice(1).replace(/./g, "$&$&") : colour.replace(/^#/, "");
  const named: Record<string, string> = { white: "ffffff", black: "000000", red: "ff0000" };
  const plain = named[digits] ?? digits;
  if (!/^[0-9a-f]{6}$/i.test(plain)) return undefined;
  const mixed = [0, 2, 4].map((at) =>
    Math.round(Number.parseInt(plain.slice(at, at + 2), 16) * opacity + 255 * (1 - opacity)),
  );
  return mixed.map((part) => part.toString(16).padStart(2, "0")).join("");
}

function matrixOf(transform: string | undefined): Matrix {
  const [, name, list] = /^(\w+)\(([^)]*)\)/.exec(transform ?? "") ?? [];
  const values = (list ?? "").split(/[\s,]+/).map(Number);
  if (name === "matrix") return values as unknown as Matrix;
  if (name === "translate") return [1, 0, 0, 1, values[0]!, values[1] ?? 0];
  if (name !== "rotate") return [1, 0, 0, 1, 0, 0];
  const angle = (values[0]! * Math.PI) / 180;
  const [cos, sin, x, y] = [Math.cos(angle), Math.sin(angle), values[1] ?? 0, values[2] ?? 0];
  return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
}

/** A path on the grid. Numbers follow one another without more than a sign or a space between them. */
function written(segments: readonly Segment[]): string {
  let [x, y, text] = [0, 0, ""];
  const snap = (value: number) => Math.round((value * GRID) / 32);
  for (const { type, points } of segments) {
    if (type === "z") {
      text += "z";
      continue;
    }
    const snapped = points.map(([px, py]) => [snap(px) - x, snap(py) - y] as const);
    const [dx, dy] = snapped.at(-1)!;
    if (type === "l" && dx === 0 && dy === 0) continue;
    text += `${type}${snapped.flat().join(" ").replaceAll(" -", "-")}`;
    x += dx;
    y += dy;
  }
  return text;
}
