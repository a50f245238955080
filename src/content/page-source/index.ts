// The Markdown source of a page: front matter, a leading title and the body. Parsing never throws, and an update changes only
// what the text itself states; all other bytes stay.

import { isCollection, isMap, isNode, isPair, isSeq, type Node, type Pair, type YAMLMap } from "yaml";
import { isJsonObject, omitUndefined } from "../../utils/objects";
import { applyTextEdits, type TextEdit } from "../text-edits";
import { skipByteOrderMark } from "./find-front-matter";
import { type FrontMatter, parseFrontMatter } from "./front-matter";
import { FIELDS, type FrontMatterFields, type FrontMatterIssue, findPairs } from "./front-matter-fields";
import { escapeHeadingText, findLeadingTitle, skipBlankLines, toSingleLine } from "./title";
import { computeTomlEdits } from "./toml";
import { createYamlNode, type FrontMatterValue, formatYaml, formatYamlScalar, isDeepEqual } from "./yaml";

export type { FrontMatterFields, FrontMatterIssue, PageLayout } from "./front-matter-fields";

/** The information that a page's text states about the page. */
export interface PageSource {
  readonly fields: FrontMatterFields;
  /** The title of the front matter, else of the leading heading. */
  readonly title?: string;
  /** The start of the body: after the front matter, the leading title and blank lines. */
  readonly bodyStart: number;
  /** The ignored parts of the front matter. */
  readonly issues: readonly FrontMatterIssue[];
}

/** New values for the fields and the title of a page; null removes one. */
export type PageSourceChanges = { readonly [Name in keyof FrontMatterFields]?: FrontMatterFields[Name] | null } & {
  readonly title?: string | null;
};

/** Parses the text of a page. Problems of the text are reported as issues, never thrown. */
export function parsePageSource(text: string): PageSource {
  const { frontMatter, heading, bodyStart } = splitPageSource(text);
  const { title: frontMatterTitle, ...fields } = (frontMatter?.values ?? {}) as FrontMatterFields & { title?: string };
  const title = (frontMatterTitle === undefined ? undefined : toSingleLine(frontMatterTitle)) ?? heading?.text;
  return { fields, ...omitUndefined({ title }), bodyStart, issues: frontMatter?.issues ?? [] };
}

/**
 * Returns the text of a page with other values in the places where it already states them; nothing is added. If a value cannot be
 * changed without affecting others, such as one that other values refer to, the text is returned as it is.
 */
export function updatePageSource(text: string, changes: PageSourceChanges): string {
  const { frontMatter, heading } = splitPageSource(text);
  const title = typeof changes.title === "string" ? (toSingleLine(changes.title) ?? null) : changes.title;
  const newValues = title === undefined ? changes : { ...changes, title };
  try {
    const edits: TextEdit[] = frontMatter ? computeFrontMatterEdits(text, frontMatter, newValues) : [];
    if (heading && title === null) edits.push({ from: heading.start, to: heading.after, text: "" });
    else if (heading && typeof title === "string" && title !== heading.text) {
      const { start, end, words } = heading;
      if (words) edits.push({ ...words, text: escapeHeadingText(title) });
      else edits.push({ from: start, to: end, text: `# ${escapeHeadingText(title)}` });
    }
    const updated = applyTextEdits(text, edits);

    // The updated front matter must have the new values, keep all others, and have no new issues.
    const after = splitPageSource(updated).frontMatter;
    if (!frontMatter || !after) return frontMatter === after ? updated : text;
    const isExpected = Object.keys(FIELDS).every((name) => {
      const newValue: unknown = Reflect.get(newValues, name);
      const isChanged = newValue !== undefined && findPairs(frontMatter.map, name).length > 0;
      return isDeepEqual(after.values[name], isChanged ? (newValue ?? undefined) : frontMatter.values[name]);
    });
    return isExpected && after.issues.length <= frontMatter.issues.length ? updated : text;
  } catch {
    // The `yaml` package throws when it formats a value that refers to an anchor outside of it.
    return text;
  }
}

/** Composes the text of a page from its fields, its title and a body that states none of them itself. */
export function composePageSource(fields: FrontMatterFields & { readonly title?: string }, body: string): string {
  const { title, ...frontMatterFields } = fields;
  const names = Object.keys(FIELDS).filter((name) => Reflect.get(frontMatterFields, name) !== undefined);
  const values = Object.fromEntries(
    names.map((name) => [name, Reflect.get(frontMatterFields, name) as FrontMatterValue]),
  );
  const frontMatter = names.length > 0 ? `---\n${formatYaml(createYamlNode(values))}\n---\n\n` : "";
  const heading = title === undefined || toSingleLine(title) === undefined ? "" : `# ${escapeHeadingText(title)}\n\n`;
  return frontMatter + heading + body;
}

function splitPageSource(text: string) {
  const start = skipByteOrderMark(text);
  const frontMatter = parseFrontMatter(text);
  const heading = findLeadingTitle(text, frontMatter?.after ?? start);
  const bodyStart = heading?.after ?? (frontMatter ? skipBlankLines(text, frontMatter.after) : start);
  return { frontMatter, heading, bodyStart };
}

// Changes values of front matter in place. Every byte outside of a changed value stays: comments, unknown names, their order,
// line endings.

/** Returns the edits of a text that give its front matter other values. The value null removes a field; none is added. */
function computeFrontMatterEdits(
  text: string,
  { map, start, end, values, isToml }: FrontMatter,
  changes: Readonly<Record<string, unknown>>,
): TextEdit[] {
  if (!map) return [];
  const source = text.slice(start, end);
  const edits = isToml ? computeTomlEdits(source, values, changes) : [];
  if (!isToml) {
    const editor = new YamlEditor(source);
    for (const [name, value] of Object.entries(changes)) {
      const pairs = findPairs(map, name) as Pair<Node, Node | null>[];
      if (value === null) edits.push(...pairs.map((pair) => editor.removePair(pair)));
      else if (pairs[0] !== undefined && value !== undefined && !isDeepEqual(values[name], value))
        edits.push(editor.replaceValue(pairs[0], values[name], value as FrontMatterValue));
    }
  }
  return edits.map((edit) => ({ ...edit, from: edit.from + start, to: edit.to + start }));
}

const COMMENT = /(?:[ \t]*\r?\n)*([ \t]*)#[^\n]*(?:\n|$)/y;

/** Computes edits of YAML from the positions of its parsed nodes. */
class YamlEditor {
  readonly #yaml: string;
  readonly #newline: string;

  constructor(yaml: string) {
    this.#yaml = yaml;
    this.#newline = yaml.includes("\r\n") ? "\r\n" : "\n";
  }

  removePair({ key, value }: Pair<Node, Node | null>): TextEdit {
    const from = this.#findLineStart(key.range![0]);
    const end = value?.range ? this.#findValueEnd(value) : this.#findColonEnd(key);
    const newline = this.#yaml.indexOf("\n", end);
    let to = newline < 0 ? this.#yaml.length : newline + 1;

    // Comments with a deeper indentation than the name belong to its value. Left behind, they could become part of another one.
    const indentation = key.range![0] - from;
    COMMENT.lastIndex = to;
    for (;;) {
      const comment = COMMENT.exec(this.#yaml);
      if (!comment || comment[1]!.length <= indentation) return { from, to, text: "" };
      to = COMMENT.lastIndex;
    }
  }

  replaceValue({ key, value: oldNode }: Pair<Node, Node | null>, oldValue: unknown, value: FrontMatterValue): TextEdit {
    const isBlock = isCollection(oldNode) && !oldNode.flow;
    // A map keeps its unknown names, and a list keeps its style.
    let node: Node | undefined;
    if (isMap(oldNode) && isJsonObject(value)) {
      updateMap(oldNode, isJsonObject(oldValue) ? oldValue : {}, value);
      node = oldNode;
    } else if (typeof value === "object") {
      node = createYamlNode(value);
      if (isCollection(node)) node.flow = !(isSeq(oldNode) && !oldNode.flow) || node.items.length === 0;
    }

    if (oldNode?.range && isBlock && isCollection(node) && node.items.length > 0) {
      const [from] = oldNode.range;
      const indentation = this.#yaml.slice(this.#findLineStart(from), from);
      const lines = formatDetachedNode(node).split("\n");
      const text = lines.map((line, i) => (i > 0 && line !== "" ? indentation + line : line)).join(this.#newline);
      return { from, to: this.#findValueEnd(oldNode), text };
    }
    const text = isCollection(node) ? formatDetachedNode(node) : formatYamlScalar(value as string | number | boolean);
    if (!oldNode?.range || isBlock || oldNode.range[0] === oldNode.range[1]) {
      const from = this.#findColonEnd(key);
      return { from, to: isBlock ? this.#findValueEnd(oldNode) : from, text: ` ${text}` };
    }
    return { from: oldNode.range[0], to: this.#findValueEnd(oldNode), text };
  }

  /** Returns the end of a value without the line ending and the empty lines that the parser adds to it. */
  #findValueEnd({ range }: Node): number {
    const [from, to] = range!;
    return from + this.#yaml.slice(from, to).trimEnd().length;
  }

  #findColonEnd(key: Node): number {
    return this.#yaml.indexOf(":", key.range![1]) + 1;
  }

  #findLineStart(position: number): number {
    return this.#yaml.slice(0, position).lastIndexOf("\n") + 1;
  }
}

/** Applies the difference between two values to a map. Names that were not read from it stay. */
function updateMap(
  map: YAMLMap,
  oldValues: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): void {
  for (const name of Object.keys(oldValues)) if (!Object.hasOwn(values, name)) map.delete(name);
  for (const [name, value] of Object.entries(values)) {
    const [oldValue, oldNode] = [oldValues[name], map.get(name, true) as unknown];
    if (isDeepEqual(oldValue, value)) continue;
    if (isMap(oldNode) && isJsonObject(value)) updateMap(oldNode, isJsonObject(oldValue) ? oldValue : {}, value);
    else {
      const node = createYamlNode(value as FrontMatterValue);
      if (isNode(oldNode)) node.comment = oldNode.comment ?? null;
      map.set(name, node);
    }
  }
  if (map.items.length === 0) map.flow = true;
}

/** Formats a list or map as YAML without the comments, the anchor and the tag around it, which the text already has. */
function formatDetachedNode(node: Node): string {
  node.commentBefore = null;
  node.spaceBefore = false;
  delete node.tag;
  if ("anchor" in node) delete node.anchor;
  // A comment after the last item, at any depth, follows the value in the text.
  for (let last: unknown = node; isCollection(last); ) {
    last.comment = null;
    const item: unknown = last.items.at(-1);
    last = isPair(item) ? item.value : item;
  }
  return formatYaml(node);
}
