// The texts of the console come from its messages, and stand nowhere else in the application.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const app = fileURLToPath(new URL("../../src/console/app/", import.meta.url));

/** Attributes that people read or hear. */
const READ = new Set(["label", "title", "placeholder", "alt", "hint", "question", "submit", "empty", "aria-label"]);
/** Names that are the same in every language. */
const NAMES = new Set(["Octavo", "Google Docs", "Ctrl K"]);

/** What stands in a file for people to read: text and attributes of markup, and strings that are sentences. */
function sentencesIn(name: string, text: string): string[] {
  const found: string[] = [];
  const add = (said: string) => {
    const words = said.replace(/\s+/g, " ").trim();
    if (/\p{L}{2}/u.test(words) && !NAMES.has(words)) found.push(`${name}: ${words}`);
  };
  const isThrown = (node: ts.Node): boolean =>
    ts.isNewExpression(node.parent) && ts.isThrowStatement(node.parent.parent);
  const isName = (node: ts.Node): boolean => ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  const walk = (node: ts.Node): void => {
    if (ts.isJsxText(node)) add(node.text);
    else if (ts.isJsxAttribute(node) && READ.has(node.name.getText()) && node.initializer) {
      const { initializer } = node;
      if (ts.isStringLiteral(initializer)) add(initializer.text);
    } else if (ts.isStringLiteralLike(node) && !ts.isJsxAttribute(node.parent) && !isThrown(node) && !isName(node)) {
      if (/^\p{Lu}\p{Ll}+ \p{L}[^=(){}]*$/u.test(node.text)) add(node.text);
    }
    ts.forEachChild(node, walk);
  };
  const kind = name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  walk(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, kind));
  return found;
}

test("every text in the console comes from its messages", () => {
  expect(sentencesIn("x.tsx", 'const a = <p title="Hi there">Some text {b}</p>; f("Press this now");')).toHaveLength(3);
  expect(sentencesIn("x.tsx", 'const a = <p class="wide one">{messages.more} · Octavo</p>;')).toHaveLength(1);
  const files = readdirSync(app, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.tsx?$/.test(name));
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap((name) => sentencesIn(name, readFileSync(app + name, "utf8")))).toEqual([]);
});
