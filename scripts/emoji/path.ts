// The shapes of SVG as moves, lines and curves in absolute points.

/** As in SVG. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

type Point = readonly [x: number, y: number];

/** A part of a path. */
export interface Segment {
  readonly type: "m" | "l" | "c" | "z";
  readonly points: readonly Point[];
}

/** The path of an element, moved by a matrix. */
export function pathOf(name: string, attributes: Readonly<Record<string, string>>, matrix: Matrix): Segment[] {
  const number = (key: string) => Number(attributes[key] ?? 0);
  const segments = (() => {
    if (name === "path") return readPath(attributes.d ?? "");
    if (name === "circle") return ellipse(number("cx"), number("cy"), number("r"), number("r"));
    if (name === "ellipse") return ellipse(number("cx"), number("cy"), number("rx"), number("ry"));
    if (name !== "rect") return [];
    const [x, y, w, h] = [number("x"), number("y"), number("width"), number("height")];
    return readPath(`M${x} ${y}h${w}v${h}h${-w}z`);
  })();
  const [a, b, c, d, e, f] = matrix;
  return segments.map(({ type, points }) => ({
    type,
    points: points.map(([x, y]) => [a * x + c * y + e, b * x + d * y + f] as const),
  }));
}

function ellipse(cx: number, cy: number, rx: number, ry: number): Segment[] {
  return readPath(`M${cx - rx} ${cy}A${rx} ${ry} 0 1 1 ${cx + rx} ${cy}A${rx} ${ry} 0 1 1 ${cx - rx} ${cy}z`);
}

const COUNTS: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 };

function readPath(d: string): Segment[] {
  const segments: Segment[] = [];
  let at: Point = [0, 0];
  let start: Point = [0, 0];
  let control: Point | undefined;
  for (const [letter, values] of commands(d)) {
    const type = letter.toLowerCase();
    const isRelative = letter === type;
    const [x, y] = at;
    const to = (i: number): Point => (isRelative ? [x + values[i]!, y + values[i + 1]!] : [values[i]!, values[i + 1]!]);
    const mirrored: Point = control ? [2 * x - control[0], 2 * y - control[1]] : at;
    let next: Point = at;
    control = undefined;
    if (type === "z") {
      segments.push({ type: "z", points: [] });
      next = start;
    } else if (type === "m" || type === "l") {
      next = to(0);
      segments.push({ type, points: [next] });
      if (type === "m") start = next;
    } else if (type === "h" || type === "v") {
      const value = values[0]!;
      next = type === "h" ? [isRelative ? x + value : value, y] : [x, isRelative ? y + value : value];
      segments.push({ type: "l", points: [next] });
    } else if (type === "c" || type === "s") {
      const [first, second] = type === "c" ? [to(0), to(2)] : [mirrored, to(0)];
      next = type === "c" ? to(4) : to(2);
      control = second;
      segments.push({ type: "c", points: [first, second, next] });
    } else if (type === "q" || type === "t") {
      const middle: Point = type === "q" ? to(0) : mirrored;
      next = type === "q" ? to(2) : to(0);
      const toward = ([px, py]: Point): Point => [px + (2 / 3) * (middle[0] - px), py + (2 / 3) * (middle[1] - py)];
      control = middle;
      segments.push({ type: "c", points: [toward(at), toward(next), next] });
    } else if (type === "a") {
      next = to(5);
      segments.push(...arc(at, values, next));
    } else throw new Error(`A path has ${letter}, which is not read.`);
    at = next;
  }
  return segments;
}

function* commands(d: string): Generator<readonly [letter: string, values: number[]]> {
  for (const [, letter, rest] of d.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const count = COUNTS[letter!.toLowerCase()]!;
    const values = numbersIn(rest!, letter!.toLowerCase() === "a");
    if (count === 0) yield [letter!, []];
    for (let from = 0; from < values.length; from += count) {
      const following = letter === "m" ? "l" : letter === "M" ? "L" : letter!;
      yield [from === 0 ? letter! : following, values.slice(from, from + count)];
    }
  }
}

/** Numbers may touch; the flags of an arc are one digit each. */
function numbersIn(text: string, isArc: boolean): number[] {
  const values: number[] = [];
  let rest = text.trim();
  while (rest) {
    const isFlag = isArc && (values.length % 7 === 3 || values.length % 7 === 4);
    const [whole, value] = (isFlag ? /^[\s,]*([01])/ : /^[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/).exec(rest)!;
    values.push(Number(value));
    rest = rest.slice(whole.length).replace(/^[\s,]+/, "");
  }
  return values;
}

/** An arc as curves of a quarter or less, by the rules of SVG. */
function arc([x1, y1]: Point, values: readonly number[], [x2, y2]: Point): Segment[] {
  let [rx, ry] = [Math.abs(values[0]!), Math.abs(values[1]!)];
  if (rx === 0 || ry === 0) return [{ type: "l", points: [[x2, y2]] }];
  if (x1 === x2 && y1 === y2) return [];
  const turn = (values[2]! * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [dx, dy] = [(x1 - x2) / 2, (y1 - y2) / 2];
  const [x, y] = [cos * dx + sin * dy, -sin * dx + cos * dy];
  const grow = Math.sqrt(Math.max(1, (x * x) / (rx * rx) + (y * y) / (ry * ry)));
  [rx, ry] = [rx * grow, ry * grow];
  const over = rx * rx * ry * ry - rx * rx * y * y - ry * ry * x * x;
  const under = rx * rx * y * y + ry * ry * x * x;
  const factor = (values[3] === values[4] ? -1 : 1) * Math.sqrt(Math.max(0, over / under));
  const [mx, my] = [(factor * rx * y) / ry, (-factor * ry * x) / rx];
  const [cx, cy] = [cos * mx - sin * my + (x1 + x2) / 2, sin * mx + cos * my + (y1 + y2) / 2];
  const from = Math.atan2((y - my) / ry, (x - mx) / rx);
  let sweep = Math.atan2((-y - my) / ry, (-x - mx) / rx) - from;
  if (values[4] === 1 && sweep < 0) sweep += 2 * Math.PI;
  if (values[4] === 0 && sweep > 0) sweep -= 2 * Math.PI;
  const count = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-6));
  const reach = (4 / 3) * Math.tan(sweep / count / 4);
  const place = (angle: number, out: number): Point => {
    const px = rx * (Math.cos(angle) - out * Math.sin(angle));
    const py = ry * (Math.sin(angle) + out * Math.cos(angle));
    return [cx + cos * px - sin * py, cy + sin * px + cos * py];
  };
  return Array.from({ length: count }, (_, at) => {
    const [a, b] = [from + (sweep * at) / count, from + (sweep * (at + 1)) / count];
    const end: Point = at === count - 1 ? [x2, y2] : place(b, 0);
    return { type: "c" as const, points: [place(a, reach), place(b, -reach), end] };
  });
}
