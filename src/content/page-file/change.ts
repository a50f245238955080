// Changes values of front matter where they stand. Every byte that does not belong to a changed value stays: comments,
// unknown names, their order, line endings.

import { isCollection, isMap, isNode, isPair, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { Edit } from "../edits";
import { pairsNamed } from "./fields";
import type { FrontMatter } from "./front-matter";
import { tomlEdits } from "./toml-text";
import { type Data, inline, isRecord, nodeOf, printed, same } from "./yaml-text";

/** What must be replaced in a text so that its front matter states other values; null removes a name. */
export function frontMatterEdits(text: string, front: FrontMatter, changes: Readonly<Record<string, unknown>>): Edit[] {
  const { map, start, end, values, isToml } = front;
  if (!map) return [];
  const inside = text.slice(start, end);
  const edits = isToml ? tomlEdits(inside, values, changes) : yamlEdits(inside, map, values, changes);
  return edits.map((edit) => ({ ...edit, from: edit.from + start, to: edit.to + start }));
}

function yamlEdits(
  inside: string,
  map: YAMLMap,
  values: FrontMatter["values"],
  changes: Readonly<Record<string, unknown>>,
): Edit[] {
  const yaml = new YamlText(inside);
  return Object.entries(changes).flatMap(([name, value]): Edit[] => {
    const pairs = pairsNamed(map, name) as Pair<Node, Node | null>[];
    if (value === null) return pairs.map((pair) => yaml.without(pair));
    if (pairs[0] === undefined || value === undefined || same(values[name], value)) return [];
    return [yaml.with(pairs[0], values[name], value as Data)];
  });
}

const COMMENT = /(?:[ \t]*\r?\n)*([ \t]*)#[^\n]*(?:\n|$)/y;

/** The YAML of a front matter, by the places that its parser gave. */
class YamlText {
  private readonly newline: string;

  constructor(private readonly yaml: string) {
    this.newline = yaml.includes("\r\n") ? "\r\n" : "\n";
  }

  without({ key, value }: Pair<Node, Node | null>): Edit {
    const from = this.lineOf(key.range![0]);
    const end = value?.range ? this.endOf(value) : this.afterColon(key);
    const newline = this.yaml.indexOf("\n", end);
    const to = newline < 0 ? this.yaml.length : newline + 1;
    return { from, to: this.afterComments(to, key.range![0] - from), text: "" };
  }

  with({ key, value: old }: Pair<Node, Node | null>, before: unknown, value: Data): Edit {
    const isBlock = isCollection(old) && !old.flow;
    const next = nextNode(old, before, value);
    if (old?.range && isBlock && isCollection(next) && next.items.length > 0)
      return { from: old.range[0], to: this.endOf(old), text: this.block(next, old.range[0]) };
    const text = isCollection(next) ? printedAlone(next) : inline(value as string | number | boolean);
    if (!old?.range || isBlock || old.range[0] === old.range[1])
      return { from: this.afterColon(key), to: isBlock ? this.endOf(old) : this.afterColon(key), text: ` ${text}` };
    return { from: old.range[0], to: this.endOf(old), text };
  }

  /** Where a value ends, without the line ending and the empty lines that the parser adds to it. */
  private endOf({ range }: Node): number {
    const [from, to] = range!;
    return from + this.yaml.slice(from, to).trimEnd().length;
  }

  /** Comments that are indented deeper than a name belong to its value. Left behind, they could become part of another
   * value. */
  private afterComments(at: number, indentation: number): number {
    COMMENT.lastIndex = at;
    for (let end = at; ; end = COMMENT.lastIndex) {
      const comment = COMMENT.exec(this.yaml);
      if (!comment || comment[1]!.length <= indentation) return end;
    }
  }

  private afterColon(key: Node): number {
    return this.yaml.indexOf(":", key.range![1]) + 1;
  }

  private lineOf(at: number): number {
    return this.yaml.slice(0, at).lastIndexOf("\n") + 1;
  }

  /** A list or map in lines, which begin where the old one did. */
  private block(node: Node, at: number): string {
    const indentation = this.yaml.slice(this.lineOf(at), at);
    const lines = printedAlone(node).split("\n");
    return lines.map((line, i) => (i > 0 && line !== "" ? indentation + line : line)).join(this.newline);
  }
}

/** The node of a new value. A map keeps its other names, a list keeps its style; a text or number has no node. */
function nextNode(old: Node | null, before: unknown, value: Data): Node | undefined {
  if (typeof value !== "object") return undefined;
  if (isMap(old) && isRecord(value)) {
    merge(old, isRecord(before) ? before : {}, value);
    return old;
  }
  const node = nodeOf(value);
  if (isCollection(node)) node.flow = !(isSeq(old) && !old.flow) || node.items.length === 0;
  return node;
}

/** Sets values in a map; names that were not read from it stay. */
function merge(
  map: YAMLMap,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) map.delete(name);
  for (const [name, value] of Object.entries(after)) {
    const [was, old] = [before[name], map.get(name, true) as unknown];
    if (same(was, value)) continue;
    if (isMap(old) && isRecord(value)) merge(old, isRecord(was) ? was : {}, value);
    else map.set(name, withComment(nodeOf(value as Data), old));
  }
  if (map.items.length === 0) map.flow = true;
}

function withComment(node: Node, old: unknown): Node {
  if (isNode(old)) node.comment = old.comment ?? null;
  return node;
}

/** A list or map as YAML, without the comments, anchor and tag around it, which are already in the text. */
function printedAlone(node: Node): string {
  node.commentBefore = null;
  node.spaceBefore = false;
  delete node.tag;
  if ("anchor" in node) delete node.anchor;
  for (let last: unknown = node; isCollection(last); last = lastOf(last)) last.comment = null;
  return printed(node);
}

function lastOf({ items }: YAMLMap | YAMLSeq): unknown {
  const last = items.at(-1);
  return isPair(last) ? last.value : last;
}
