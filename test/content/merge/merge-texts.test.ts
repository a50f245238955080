// Three-way merges of texts, by example and with random texts.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BlockNode } from "../../../src/content/markdown/nodes";
import { parseMarkdown } from "../../../src/content/markdown/parse";
import type { MergedText } from "../../../src/content/merge";
import { runs } from "../../support/test-length";
import { mergeTexts } from "../at-once";

const paragraphs = (...texts: string[]) => `${texts.join("\n\n")}\n`;
const hint = (...lines: string[]) => `{% hint style="info" %}\n${lines.join("\n")}\n{% endhint %}`;

interface Case {
  readonly says: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly text: string;
  /** What each conflict holds: base, ours, theirs. */
  readonly conflicts?: readonly (readonly [string, string, string])[];
}

const cases: Case[] = [
  {
    says: "changes of different blocks are both taken",
    base: paragraphs("One.", "Two.", "Three."),
    ours: paragraphs("One!", "Two.", "Three."),
    theirs: paragraphs("One.", "Two.", "Three?"),
    text: paragraphs("One!", "Two.", "Three?"),
  },
  {
    says: "changes of blocks that stand beside each other are both taken",
    base: paragraphs("One.", "Two."),
    ours: paragraphs("One!", "Two."),
    theirs: paragraphs("One.", "Two?"),
    text: paragraphs("One!", "Two?"),
  },
  {
    says: "changes of different lines of one paragraph are both taken",
    base: "one\ntwo\nthree\n",
    ours: "ONE\ntwo\nthree\n",
    theirs: "one\nTWO\nthree\n",
    text: "ONE\nTWO\nthree\n",
  },
  {
    says: "a list's item is edited and another is put behind it",
    base: "* a\n* b\n",
    ours: "* a\n* b!\n",
    theirs: "* a\n* b\n* c\n",
    text: "* a\n* b!\n* c\n",
  },
  {
    says: "lines of one block of code are changed by both",
    base: "```js\na();\nb();\nc();\n```\n",
    ours: "```js\na(1);\nb();\nc();\n```\n",
    theirs: "```js\na();\nb();\nc();\nd();\n```\n",
    text: "```js\na(1);\nb();\nc();\nd();\n```\n",
  },
  {
    says: "the same change on both sides is no conflict",
    base: paragraphs("One.", "Two."),
    ours: paragraphs("One!", "Two.", "Three."),
    theirs: paragraphs("One!", "Two.", "Three."),
    text: paragraphs("One!", "Two.", "Three."),
  },
  {
    says: "the same change on both sides, and another on one",
    base: paragraphs("One.", "Two.", "Three."),
    ours: paragraphs("One!", "Two.", "Three."),
    theirs: paragraphs("One!", "Two.", "Three?"),
    text: paragraphs("One!", "Two.", "Three?"),
  },
  {
    says: "different changes of one line are a conflict, and ours stays",
    base: paragraphs("One.", "Two."),
    ours: paragraphs("One!", "Two."),
    theirs: paragraphs("One?", "Two."),
    text: paragraphs("One!", "Two."),
    conflicts: [["One.\n", "One!\n", "One?\n"]],
  },
  {
    says: "each conflict stands alone, and what is around it is merged",
    base: paragraphs("One.", "Two.", "Three.", "Four.", "Five."),
    ours: paragraphs("One!", "Two.", "Three!", "Four.", "Five!"),
    theirs: paragraphs("One?", "Two.", "Three.", "Four?", "Five?"),
    text: paragraphs("One!", "Two.", "Three!", "Four?", "Five!"),
    conflicts: [
      ["One.\n", "One!\n", "One?\n"],
      ["Five.\n", "Five!\n", "Five?\n"],
    ],
  },
  {
    says: "a block that one side deleted and the other did not touch is gone",
    base: paragraphs("One.", "Two.", "Three."),
    ours: paragraphs("One.", "Three."),
    theirs: paragraphs("One.", "Two.", "Three?"),
    text: paragraphs("One.", "Three?"),
  },
  {
    says: "a block that one side deleted and the other edited is a conflict",
    base: paragraphs("One.", "Two.", "Three."),
    ours: paragraphs("One.", "Three."),
    theirs: paragraphs("One.", "Two?", "Three."),
    text: paragraphs("One.", "Three."),
    conflicts: [["Two.\n", "", "Two?\n"]],
  },
  {
    says: "what both put into one place is a conflict",
    base: paragraphs("One.", "Two."),
    ours: paragraphs("One.", "Mine.", "Two."),
    theirs: paragraphs("One.", "Yours.", "Two."),
    text: paragraphs("One.", "Mine.", "Two."),
    conflicts: [["", "Mine.\n", "Yours.\n"]],
  },
  {
    says: "a paragraph that one side puts into a hint and the other edits is edited inside of the hint",
    base: paragraphs("One.", "Two."),
    ours: paragraphs(hint("One."), "Two."),
    theirs: paragraphs("One?", "Two."),
    text: paragraphs(hint("One?"), "Two."),
  },
  {
    says: "different paragraphs of one hint are changed by both",
    base: paragraphs(hint("One.", "", "Two.")),
    ours: paragraphs(hint("One!", "", "Two.")),
    theirs: paragraphs(hint("One.", "", "Two?")),
    text: paragraphs(hint("One!", "", "Two?")),
  },
  {
    says: "a hint and tabs that cross each other are a conflict of whole blocks",
    base: paragraphs("One.", "Two.", "Three."),
    ours: paragraphs(hint("One.", "", "Two."), "Three."),
    theirs: paragraphs("One.", '{% tabs %}\n{% tab title="T" %}', "Two.", "Three.", "{% endtab %}\n{% endtabs %}"),
    text: paragraphs(hint("One.", "", "Two."), "Three."),
    conflicts: [
      [
        paragraphs("One.", "Two.", "Three."),
        paragraphs(hint("One.", "", "Two."), "Three."),
        paragraphs("One.", '{% tabs %}\n{% tab title="T" %}', "Two.", "Three.", "{% endtab %}\n{% endtabs %}"),
      ],
    ],
  },
  {
    says: "a fence that would end elsewhere makes its block a conflict",
    base: "```\na\nb\n```\n",
    ours: "````\na\nb\n````\n",
    theirs: "```\na!\nb\n```\n\n```\nc\n```\n",
    text: "````\na\nb\n````\n",
    conflicts: [["```\na\nb\n```\n", "````\na\nb\n````\n", "```\na!\nb\n```\n\n```\nc\n```\n"]],
  },
  {
    says: "a row of a table that has another column by now makes the table a conflict",
    base: "| a | b |\n|---|---|\n| 1 | 2 |\n",
    ours: "| a |\n|---|\n| 1 |\n",
    theirs: "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
    text: "| a |\n|---|\n| 1 |\n",
    conflicts: [
      ["| a | b |\n|---|---|\n| 1 | 2 |\n", "| a |\n|---|\n| 1 |\n", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"],
    ],
  },
  {
    says: "rows of one table are changed and added by both",
    base: "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
    ours: "| a | b |\n|---|---|\n| 1 | 0 |\n| 3 | 4 |\n",
    theirs: "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n",
    text: "| a | b |\n|---|---|\n| 1 | 0 |\n| 3 | 4 |\n| 5 | 6 |\n",
  },
  {
    says: "of two blocks in a row that both touched, only the one that cannot be merged is a conflict",
    base: paragraphs("One.\nAnd a half.", "| a | b |\n|---|---|\n| 1 | 2 |", "Two."),
    ours: paragraphs("One!\nAnd a half.", "| a |\n|---|\n| 1 |", "Two."),
    theirs: paragraphs("One.\nAnd a half?", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "Two?"),
    text: paragraphs("One!\nAnd a half?", "| a |\n|---|\n| 1 |", "Two?"),
    conflicts: [
      ["| a | b |\n|---|---|\n| 1 | 2 |\n", "| a |\n|---|\n| 1 |\n", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n"],
    ],
  },
  {
    says: "a tag that nothing closes stays alone: the two halves that meet are a conflict",
    base: paragraphs("One.", "Two.", "Three."),
    ours: paragraphs('{% hint style="info" %}', "One.", "Two.", "Three."),
    theirs: paragraphs("One.", "Two.", "Three.", "{% endhint %}"),
    text: paragraphs('{% hint style="info" %}', "One.", "Two.", "Three."),
    conflicts: [
      [
        paragraphs("One.", "Two.", "Three."),
        paragraphs('{% hint style="info" %}', "One.", "Two.", "Three."),
        paragraphs("One.", "Two.", "Three.", "{% endhint %}"),
      ],
    ],
  },
  {
    says: "what stood apart in a text stays apart when what was between is gone",
    base: "# Title\nOne.\n\n***\n\nTwo.\n",
    ours: "# Title\nOne.\n\n***\n\nTwo.\n\nThree.\n",
    theirs: "# Title\n***\n\nTwo.\n",
    text: "# Title\n***\n\nTwo.\n\nThree.\n",
  },
  {
    says: "title and body are changed by different sides",
    base: "# Title\n\nBody.\n",
    ours: "# Another title\n\nBody.\n",
    theirs: "# Title\n\nBody!\n",
    text: "# Another title\n\nBody!\n",
  },
  {
    says: "names of the front matter that stand beside each other are changed by different sides",
    base: "---\nicon: bolt\ndescription: Old\n---\n\nBody.\n",
    ours: "---\nicon: star\ndescription: Old\n---\n\nBody.\n",
    theirs: "---\nicon: bolt\ndescription: New\n---\n\nBody.\n",
    text: "---\nicon: star\ndescription: New\n---\n\nBody.\n",
  },
  {
    says: "both add names of their own to the front matter",
    base: "---\nicon: bolt\n---\n\nBody.\n",
    ours: "---\nicon: bolt\nhidden: true\n---\n\nBody.\n",
    theirs: "---\nicon: bolt\ndescription: New\n---\n\nBody.\n",
    text: "---\nicon: bolt\ndescription: New\nhidden: true\n---\n\nBody.\n",
  },
  {
    says: "both bring front matter, with different names in it",
    base: "Body.\n",
    ours: "---\nicon: bolt\n---\n\nBody.\n",
    theirs: "---\ndescription: New\n---\n\nBody!\n",
    text: "---\ndescription: New\nicon: bolt\n---\n\nBody!\n",
  },
  {
    says: "both add one name with different values",
    base: "Body.\n",
    ours: "---\nicon: bolt\n---\n\nBody.\n",
    theirs: "---\nicon: star\n---\n\nBody!\n",
    text: "---\nicon: bolt\n---\n\nBody!\n",
    conflicts: [["", "icon: bolt\n", "icon: star\n"]],
  },
  {
    says: "both change one name to different values",
    base: "---\nicon: bolt\n---\n\nBody.\n",
    ours: "---\nicon: star\n---\n\nBody.\n",
    theirs: "---\nicon: moon\n---\n\nBody!\n",
    text: "---\nicon: star\n---\n\nBody!\n",
    conflicts: [["icon: bolt\n", "icon: star\n", "icon: moon\n"]],
  },
  {
    says: "front matter that is gone on one side and changed on the other",
    base: "---\nicon: bolt\n---\n\nBody.\n",
    ours: "Body.\n",
    theirs: "---\nicon: moon\n---\n\nBody!\n",
    text: "Body!\n",
    conflicts: [["icon: bolt\n", "", "icon: moon\n"]],
  },
  {
    says: "front matter that could not be read any more stays ours",
    base: "---\nvars:\n  a: 1\n---\n",
    ours: "---\nvars:\n  b: 1\n---\n",
    theirs: "---\nvars:\n    a: 1\n    c: 1\n---\n",
    text: "---\nvars:\n  b: 1\n---\n",
    conflicts: [["  a: 1\n", "  b: 1\n", "    a: 1\n    c: 1\n"]],
  },
  {
    says: "CRLF, trailing spaces and a missing last line ending stay where nobody touched them",
    base: "# T  \r\n\r\nOne.  \r\nmore\t\r\n\r\n\r\nTwo.  \r\n\r\n* a\r\n\r\n\r\n* b",
    ours: "# T  \r\n\r\nOne!  \r\nmore\t\r\n\r\n\r\nTwo.  \r\n\r\n* a\r\n\r\n\r\n* b",
    theirs: "# T  \r\n\r\nOne.  \r\nmore\t\r\n\r\n\r\nTwo?  \r\n\r\n* a\r\n\r\n\r\n* b",
    text: "# T  \r\n\r\nOne!  \r\nmore\t\r\n\r\n\r\nTwo?  \r\n\r\n* a\r\n\r\n\r\n* b",
  },
  {
    says: "a last line ending that one side adds is there, and one that it takes away is not",
    base: "One.\n\nTwo.",
    ours: "One!\n\nTwo.",
    theirs: "One.\n\nTwo.\n",
    text: "One!\n\nTwo.\n",
  },
  {
    says: "empty lines that one side adds or takes away",
    base: "One.\n\n\nTwo.\n\nThree.\n",
    ours: "One.\n\nTwo.\n\nThree.\n",
    theirs: "One.\n\n\nTwo.\n\n\n\nThree.\n\n",
    text: "One.\n\nTwo.\n\n\n\nThree.\n\n",
  },
  {
    says: "a byte order mark stays",
    base: "\ufeffOne.\n\nTwo.\n",
    ours: "\ufeffOne!\n\nTwo.\n",
    theirs: "\ufeffOne.\n\nTwo?\n",
    text: "\ufeffOne!\n\nTwo?\n",
  },
  {
    says: "conflicts are told by where ours stands, behind a byte order mark and front matter as well",
    base: "\ufeff---\nicon: a\n---\nOne.",
    ours: "\ufeff---\nicon: b\n---\nOne!",
    theirs: "\ufeff---\nicon: c\n---\nOne?",
    text: "\ufeff---\nicon: b\n---\nOne!",
    conflicts: [
      ["icon: a\n", "icon: b\n", "icon: c\n"],
      ["One.\n", "One!", "One?\n"],
    ],
  },
  {
    says: "one side empties the text, the other changes it",
    base: "One.\n",
    ours: "",
    theirs: "One?\n",
    text: "",
    conflicts: [["One.\n", "", "One?\n"]],
  },
  {
    says: "a line of dashes that comes to the top is not taken for front matter",
    base: "One.\n\n---\n\nb: 1\n\nTwo.\n",
    ours: "---\n\nb: 1\n\nTwo.\n",
    theirs: "One.\n\n---\n\nb: 1\n\nTwo.\n\n---\n",
    text: "---\n\nb: 1\n\nTwo.\n",
    conflicts: [["One.\n\n---\n\nb: 1\n\nTwo.\n", "---\n\nb: 1\n\nTwo.\n", "One.\n\n---\n\nb: 1\n\nTwo.\n\n---\n"]],
  },
];

function checkPlaces({ text, conflicts }: MergedText): void {
  let last = 0;
  for (const { ours, start, end } of conflicts) {
    expect(text.slice(start, end)).toBe(ours);
    expect(start).toBeGreaterThanOrEqual(last);
    last = end;
  }
}

describe("mergeTexts", () => {
  test.each(cases)("mergeTexts: $says", ({ base, ours, theirs, text, conflicts = [] }) => {
    const merged = mergeTexts(base, ours, theirs);
    expect(merged.text).toBe(text);
    expect(merged.conflicts.map((it) => [it.base, it.ours, it.theirs])).toEqual(conflicts);
    checkPlaces(merged);
  });

  test.each(cases.filter(({ conflicts }) => !conflicts))("mergeTexts with the sides swapped: $says", (it) => {
    expect(mergeTexts(it.base, it.theirs, it.ours)).toEqual({ text: it.text, conflicts: [] });
  });
});

// Words are numbered, so that each can be followed from the side that brought it to where it went.

const kinds = [
  "paragraph",
  "wrapped",
  "heading",
  "list",
  "fence",
  "hint",
  "tabs",
  "table",
  "details",
  "quote",
] as const;
type Kind = (typeof kinds)[number];

interface Plain {
  readonly kind: Kind;
  readonly words: readonly string[];
}

function written({ kind, words }: Plain): string {
  const lines = (before: string) => words.map((word) => `${before}${word}`).join("\n");
  switch (kind) {
    case "paragraph":
      return words.join(" ");
    case "wrapped":
      return words.join("\n");
    case "heading":
      return `## ${words.join(" ")}`;
    case "list":
      return lines("* ");
    case "quote":
      return lines("> ");
    case "fence":
      return `\`\`\`js\n${words.join("\n")}\n\`\`\``;
    case "hint":
      return hint(words.join("\n\n"));
    case "tabs":
      return `{% tabs %}\n${words.map((it) => `{% tab title="T" %}\n${it}\n{% endtab %}`).join("\n")}\n{% endtabs %}`;
    case "table":
      return `| a | b |\n|---|---|\n${words.map((word) => `| ${word} | ${word} |`).join("\n")}`;
    case "details":
      return `<details><summary>S</summary>\n\n${words.join("\n\n")}\n\n</details>`;
  }
}

const text = (blocks: readonly Plain[]) => `${blocks.map(written).join("\n\n")}\n`;
const some = <T>(items: readonly T[]) => fc.constantFrom(...items);
interface Shape {
  readonly kind: Kind;
  readonly count: number;
}
const block: fc.Arbitrary<Shape> = fc.record({ kind: some(kinds), count: fc.integer({ min: 1, max: 4 }) });
const edit = fc.record({
  does: some(["insert", "delete", "word", "more", "fewer", "kind"]),
  at: fc.nat({ max: 99 }),
  in: fc.nat({ max: 99 }),
  block,
});
type Edit = typeof edit extends fc.Arbitrary<infer It> ? It : never;

/** Words that nobody else has. */
function wordsFrom(side: string): (count: number) => string[] {
  let n = 0;
  return (count) => Array.from({ length: count }, () => `${side}${String(++n).padStart(3, "0")}`);
}

function edited(blocks: readonly Plain[], edits: readonly Edit[], words: (count: number) => string[]): Plain[] {
  const result = [...blocks];
  for (const { does, at, in: inside, block } of edits) {
    const place = at % (result.length + 1);
    const old = result[place];
    if (does === "insert" || !old) result.splice(place, 0, { kind: block.kind, words: words(block.count) });
    else if (does === "delete") result.splice(place, 1);
    else if (does === "kind") result[place] = { ...old, kind: block.kind };
    else {
      const next = [...old.words];
      const [gone, brought] = { word: [1, 1], more: [0, 1], fewer: [1, 0] }[does as "word"] as [number, number];
      next.splice(inside % next.length, next.length > 1 ? gone : Math.min(gone, brought), ...words(brought));
      result[place] = { ...old, words: next };
    }
  }
  return result;
}

const wordsIn = (text: string) => new Set(text.match(/[bot]\d{3}/g) ?? []);

/** Torn things: tags of two halves that stand alone, HTML of `<details>` that is none, fences and rows that do not end. */
function tornIn(source: string): string[] {
  const torn: string[] = [];
  const look = (blocks: readonly BlockNode[]) => {
    for (const block of blocks) {
      const own = source.slice(block.start, block.end);
      if (block.type === "tag" && !block.close) torn.push(own);
      if (block.type === "html") torn.push(own);
      if (block.type === "code" && !own.endsWith("\n```")) torn.push(own);
      if (block.type === "table" && block.children.some((row) => row.children.length !== 2)) torn.push(own);
      if (block.type === "paragraph" && /[|`{}<]/.test(own)) torn.push(own);
      if (block.type === "list") for (const item of block.children) look(item.children);
      else if (block.type === "tag" || block.type === "details" || block.type === "blockquote") look(block.children);
    }
  };
  look(parseMarkdown(source).children);
  return torn;
}

describe("any texts", () => {
  const scriptsOf = (block: fc.Arbitrary<Shape>, edit: fc.Arbitrary<Edit>) =>
    fc.record({
      base: fc.array(block, { minLength: 1, maxLength: 8 }),
      ours: fc.array(edit, { minLength: 1, maxLength: 5 }),
      theirs: fc.array(edit, { minLength: 1, maxLength: 5 }),
    });
  type Scripts = ReturnType<typeof scriptsOf> extends fc.Arbitrary<infer It> ? It : never;

  function merging(plan: Scripts) {
    const words = wordsFrom("b");
    const blocks = plan.base.map(({ kind, count }): Plain => ({ kind, words: words(count) }));
    const base = text(blocks);
    const ours = text(edited(blocks, plan.ours, wordsFrom("o")));
    const theirs = text(edited(blocks, plan.theirs, wordsFrom("t")));
    const merged = mergeTexts(base, ours, theirs);
    const sides = { was: wordsIn(base), mine: wordsIn(ours), yours: wordsIn(theirs) };
    const found = wordsIn(merged.text);
    const told = wordsIn(merged.conflicts.map((it) => it.theirs).join(" "));
    return { base, ours, theirs, merged, ...sides, found, told };
  }

  test("merging any texts keeps every word of either side, in the text or a conflict, and tears no block", () => {
    const seen = { clean: 0, conflicts: 0 };
    fc.assert(
      fc.property(scriptsOf(block, edit), (plan) => {
        const { base, ours, theirs, merged, was, mine, yours, found, told } = merging(plan);
        checkPlaces(merged);
        expect(tornIn(merged.text)).toEqual([]);
        for (const word of mine) if (!was.has(word)) expect(found).toContain(word);
        for (const word of yours) if (!was.has(word) || mine.has(word)) expect([...found, ...told]).toContain(word);
        const turned = mergeTexts(base, theirs, ours);
        expect(turned.conflicts.length === 0).toBe(merged.conflicts.length === 0);
        if (merged.conflicts.length === 0) expect(turned.text).toBe(merged.text);
        seen[merged.conflicts.length === 0 ? "clean" : "conflicts"]++;
      }),
      { numRuns: runs(2000) },
    );
    expect(Math.min(seen.clean, seen.conflicts)).toBeGreaterThan(runs(200));
  });

  test("merging any texts keeps nothing that a side removed, unless a conflict reports it", () => {
    // Of one word each, so that no word can be taken for another.
    const plain = fc.constant<Shape>({ kind: "paragraph", count: 1 });
    const edits = fc.record({ does: some(["insert", "delete", "word"]), at: fc.nat(), in: fc.nat(), block: plain });
    fc.assert(
      fc.property(scriptsOf(plain, edits), (plan) => {
        const { merged, was, mine, yours, found } = merging(plan);
        const doubtful = wordsIn(merged.conflicts.map((it) => it.base).join(" "));
        for (const word of was) {
          if (!mine.has(word)) expect(found).not.toContain(word);
          else if (yours.has(word)) expect(found).toContain(word);
          else expect(!found.has(word) || doubtful.has(word)).toBe(true);
        }
      }),
      { numRuns: runs(1000) },
    );
  });

  const wild = [
    ...[
      "",
      "",
      "a",
      "b",
      "- x",
      "* y",
      "1. z",
      "  in",
      "    deep",
      "> q",
      "# T",
      "## H",
      "===",
      "---",
      "***",
      "```",
      "````",
    ],
    ...["~~~", "| a |", "|---|", "| a | b |", "|---|---|", '{% hint style="info" %}', "{% endhint %}", "{% tabs %}"],
    ...["{% endtabs %}", "{% embed url='x' %}", "<details>", "</details>", "<div>", "</div>", "<!--", "-->", "[a]: /b"],
    ...["[^1]: n", "$$", "title: t", "icon: i", "\ufeff", "\u00a0", "\f", "\0", "\ud800"],
  ];
  const lines = fc.array(some(wild), { maxLength: 12 });
  const line = fc.record({
    at: fc.nat({ max: 99 }),
    gone: fc.nat({ max: 2 }),
    lines: fc.array(some(wild), { maxLength: 2 }),
  });
  const wildScripts = fc.record({
    base: lines,
    ours: fc.array(line, { maxLength: 3 }),
    theirs: fc.array(line, { maxLength: 3 }),
    ending: some(["\n", "\n", "\r\n", "\r"]),
    isEnded: fc.boolean(),
  });
  type Script = typeof wildScripts extends fc.Arbitrary<infer It> ? It : never;

  function versionsOf({ base, ours, theirs, ending, isEnded }: Script): [string, string, string] {
    const changed = (script: Script["ours"]) =>
      script.reduce(
        (lines, { at, gone, lines: brought }) => lines.toSpliced(at % (lines.length + 1), gone, ...brought),
        base,
      );
    const whole = (lines: readonly string[]) => lines.join(ending) + (isEnded ? ending : "");
    return [whole(base), whole(changed(ours)), whole(changed(theirs))];
  }

  const linesOfBothTaken: Script = {
    base: ["</details>", "\f", "</div>", "<details>", "", ""],
    ours: [{ at: 0, gone: 1, lines: [] }],
    theirs: [
      { at: 3, gone: 1, lines: [] },
      { at: 0, gone: 1, lines: [] },
    ],
    ending: "\n",
    isEnded: false,
  };

  test("merging any texts never throws, and gives the other side where one side changed nothing", () => {
    fc.assert(
      fc.property(wildScripts, (script) => {
        const [base, ours, theirs] = versionsOf(script);
        expect(mergeTexts(base, base, theirs)).toEqual({ text: theirs, conflicts: [] });
        expect(mergeTexts(base, ours, base)).toEqual({ text: ours, conflicts: [] });
        expect(mergeTexts(base, ours, ours)).toEqual({ text: ours, conflicts: [] });
        const merged = mergeTexts(base, ours, theirs);
        checkPlaces(merged);
        const turned = mergeTexts(base, theirs, ours);
        expect(turned.conflicts.length === 0).toBe(merged.conflicts.length === 0);
        if (merged.conflicts.length === 0) expect(turned.text).toBe(merged.text);
      }),
      { numRuns: runs(3000), examples: [[linesOfBothTaken]] },
    );
  });
});
