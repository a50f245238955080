// Texts of 1 MB that are made to slow down a merge.

import { describe, expect, test } from "vitest";
import { runs } from "../../support/test-length";
import { mergeTexts } from "../at-once";

/** Half a megabyte with a seed. */
const SIZE = runs(1 << 19);
const filled = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length));
const numbered = (line: (n: number) => string) => {
  const lines: string[] = [];
  for (let n = 0, length = 0; length < SIZE; n++) {
    lines.push(line(n));
    length += lines.at(-1)!.length;
  }
  return lines;
};
/** The same lines in another order, each time the same one. */
const shuffled = (lines: readonly string[]) => {
  const result = [...lines];
  let state = 1;
  for (let i = result.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    const j = state % (i + 1);
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
};

const paragraphs = numbered((n) => `paragraph ${n}\n\n`);
const lines = numbered((n) => `line ${n}\n`);

/** Texts, and what the two sides make of them. */
const hostile: Record<string, [base: string, ours: string, theirs: string]> = {
  "one line": [filled("a"), `x${filled("a")}`, `${filled("a")}y`],
  "a paragraph of equal lines": [filled("a\n"), `b\n${filled("a\n")}c\n`, `d\n${filled("a\n").slice(4)}e\n`],
  "equal paragraphs": [filled("a\n\n"), `b\n\n${filled("a\n\n")}c\n`, `d\n\n${filled("a\n\n").slice(6)}e\n`],
  "two lines by turns, out of step": [filled("a\nb\n"), filled("b\na\n"), filled("a\nb\nb\n")],
  "two paragraphs by turns, out of step": [filled("a\n\nb\n\n"), filled("b\n\na\n\n"), filled("a\n\nb\n\nb\n\n")],
  "paragraphs in any order": [paragraphs.join(""), shuffled(paragraphs).join(""), paragraphs.toReversed().join("")],
  "lines in any order": [lines.join(""), shuffled(lines).join(""), lines.toReversed().join("")],
  "every paragraph changed by both": [
    paragraphs.join(""),
    paragraphs.map((it) => `our ${it}`).join(""),
    paragraphs.map((it) => `their ${it}`).join(""),
  ],
  "every other paragraph gone": [
    paragraphs.join(""),
    paragraphs.filter((_, i) => i % 2).join(""),
    paragraphs.map((it, i) => (i % 3 ? it : `their ${it}`)).join(""),
  ],
  "fences without end": [filled("```\n"), `x\n\n${filled("```\n")}`, `${filled("```\n")}y\n`],
  "tags without end": [
    filled("{% hint %}\n"),
    `{% endhint %}\n${filled("{% hint %}\n")}`,
    `${filled("{% hint %}\n")}{% endhint %}\n`,
  ],
  "halves of tags that meet": [
    paragraphs.join(""),
    `{% hint %}\n\n${paragraphs.join("")}`,
    paragraphs.map((it) => `${it}{% endhint %}\n\n`).join(""),
  ],
  "tags on one line": [
    filled('{% embed url="a" %}'),
    `${filled('{% embed url="a" %}')}{% hint %}`,
    `{% endhint %}${filled('{% embed url="a" %}')}`,
  ],
  "one table": [
    `| a | b |\n|---|---|\n${filled("| 1 | 2 |\n")}`,
    `| a |\n|---|\n${filled("| 1 |\n")}`,
    `| a | b |\n|---|---|\n${filled("| 1 | 2 |\n")}| 3 | 4 |\n`,
  ],
  "lists in lists": [filled("* * * * x\n"), `* y\n${filled("* * * * x\n")}`, `${filled("* * * * x\n")}* * z\n`],
  "HTML that stays open": [filled("<div>\n\n"), `</div>\n\n${filled("<div>\n\n")}`, `${filled("<div>\n\n")}</p>\n`],
  "front matter of many names": [
    `---\n${lines.map((_, i) => `a${i}: 1\n`).join("")}---\n`,
    `---\n${lines.map((_, i) => `a${i}: 2\n`).join("")}---\n`,
    `---\n${lines.map((_, i) => `a${i}: ${1 + (i % 3)}\n`).join("")}---\n`,
  ],
  "empty lines": [filled("\n"), `a\n${filled("\n")}`, `${filled("\n")}b`],
  "line endings of all kinds": [filled("a\r\n\rb\n"), `c\r${filled("a\r\n\rb\n")}`, `${filled("a\r\n\rb\n")}\rd`],
};

describe("S39: complexity attacks", () => {
  test.each(Object.keys(hostile))("S39: a large text crafted to be slow is merged in time: %s", (name) => {
    const [base, ours, theirs] = hostile[name]!;
    const { text, conflicts } = mergeTexts(base, ours, theirs);
    for (const it of conflicts) expect(text.slice(it.start, it.end) === it.ours).toBe(true);
    expect(text.length).toBeLessThanOrEqual(ours.length + theirs.length);
  });
});
