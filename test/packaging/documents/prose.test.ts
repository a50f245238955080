// Documents read as plain technical English: a table of rules against private words, inversions and phrases that readers stumble
// over. Code, URLs and the decisions are not checked.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const MOST_WORDS = 40;
/** Names that keep their capitals in headings. */
const NAMES = new Set([
  "Connect",
  "Durable",
  "Objects",
  "Git",
  "Node",
  "OpenAPI",
  "Octavo",
  "Worker",
  "Workers",
  "Markdown",
  "Cloudflare",
]);

interface Rule {
  readonly pattern: RegExp;
  readonly instead: string;
  /** The guides, the reference and the documents of the root follow all rules, and the internals those that are not strict. */
  readonly isStrict?: true;
}

const rules: readonly Rule[] = [
  { pattern: /\bkept answers?\b/i, instead: "cached response" },
  { pattern: /\b(the house|the wing|the hall|the floor|the rooms?|the shelf)\b/i, instead: "module, layer, cache" },
  { pattern: /\bsettings of the look|the look of\b/i, instead: "appearance" },
  { pattern: /\bof (yours|ours|theirs)\b/i, instead: "your own, our own" },
  { pattern: /\bnobody\b/i, instead: "name who cannot, or what does not happen" },
  { pattern: /\b(simply|just|easy|easily|obviously|basically)\b/i, instead: "leave it out" },
  {
    pattern: /\b(colours?|behaviours?|licences?|centre|favour\w*|neighbours?|honours?|grey|judgement)\b/i,
    instead: "American spelling",
  },
  {
    pattern: /\b(organis|recognis|optimis|serialis|normalis)\w+|\b(cancelled|labelled|catalogue|analyse[ds]?)\b/i,
    instead: "American spelling",
  },
  { pattern: /\be-mails?\b/i, instead: "email" },
  {
    pattern: /(?:^|[.!?:] )(So|Nor|Neither|Thus) (is|are|does|do|can|has|have|may|must)\b/,
    instead: "begin with the subject",
  },
  {
    pattern: /(?:^|[.!?:] )(What|Who|Where) [^.?!|]{3,90}, (is|are|has|have|was|were|must|can|may)\b/,
    instead: "begin with a noun",
  },
  { pattern: /\b(addresses of|address of) (files|fonts|pages|sites?|the|commits|folders)\b/i, instead: "URL" },
  { pattern: /\b(is|are) (told|minded|laid|begun|given back)\b/i, instead: "reported, started" },
  { pattern: /(?:^|[.!?] )(What|Where|Whether|How|Who) [a-z]/, instead: "begin with a noun", isStrict: true },
  { pattern: /\b(whoever|somebody who|whom)\b/i, instead: "people who, users with", isStrict: true },
  { pattern: /\b(tells|told)\b/i, instead: "reports, returns, notifies", isStrict: true },
  { pattern: /\b(hears?|heard)\b/i, instead: "receives", isStrict: true },
  {
    pattern: /\bsays (where|what|who|how|that|why|which|so|when|if)\b/i,
    instead: "describes, contains",
    isStrict: true,
  },
  {
    pattern: /\b(stands?|lies?) (in|on|at|below|beside|above|behind|there|alone|before|for)\b/i,
    instead: "is",
    isStrict: true,
  },
  {
    pattern: /\b(anew|for ever|at the latest|in step|beside each other|worked out|put together|taken back)\b/i,
    instead: "again, within, combined",
    isStrict: true,
  },
  {
    pattern: /\b(taken away|takes? away|gives? back|given up|handed on|led to)\b/i,
    instead: "removed, returned, passed to",
    isStrict: true,
  },
  { pattern: /\bas (it is|they are)\b/i, instead: "unchanged", isStrict: true },
  { pattern: /(?:^|[.!?] )(It|They|This) (is|are) [a-z]+ed\b/, instead: "name who does it", isStrict: true },
];

const strict = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/README.md"];
const markdownIn = (folder: string) => readdirSync(join(root, "docs", folder)).map((name) => `docs/${folder}/${name}`);
const documents = [...strict, ...["guides", "reference", "internals"].flatMap(markdownIn)].filter((name) =>
  name.endsWith(".md"),
);

/** Replaces code, link targets and the generated part of a document. Lines keep their numbers. */
function getProse(text: string): string[] {
  return text
    .replace(/<!-- Below: made from[\s\S]*/, "")
    .replace(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, (block) => block.replaceAll(/[^\n]/g, ""))
    .split("\n")
    .map((line) => line.replaceAll(/`[^`]*`/g, "`c`").replaceAll(/\]\([^)]*\)/g, "]"));
}

function findSentences(line: string): string[] {
  return line.replace(/^\s*([-*]|\d+\.)\s+/, "").split(/(?<=[.!?])\s+(?=[A-Z0-9`*[])/);
}

/** Returns what is wrong in a document, each with its line and the text. */
function findFlaws(text: string, isStrict: boolean): string[] {
  return getProse(text).flatMap((line, i) => {
    const flaws = rules
      .filter((rule) => isStrict || !rule.isStrict)
      .flatMap(({ pattern, instead }) =>
        [...line.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(([it]) => `${it.trim()} (better: ${instead})`),
      );
    if (/^\s*\$ /.test(line)) flaws.push("a prompt");
    const heading = line.match(/^#+ (.+)/)?.[1];
    const capitals = heading
      ?.split(/\s+/)
      .slice(1)
      .filter((word) => /^[A-Z][a-z]+$/.test(word) && !NAMES.has(word));
    if (capitals?.length) flaws.push(`${heading} (better: a heading in sentence case)`);
    if (!line.startsWith("|"))
      for (const sentence of findSentences(line))
        if (sentence.split(/\s+/).length > MOST_WORDS)
          flaws.push(`${sentence.slice(0, 80)}… (better: shorter sentences)`);
    return flaws.map((flaw) => `line ${i + 1}: ${flaw}`);
  });
}

describe("prose", () => {
  test.each(documents)("%s follows the rules", (name) => {
    const text = readFileSync(join(root, name), "utf8");
    expect(findFlaws(text, !name.startsWith("docs/internals/"))).toEqual([]);
  });

  test("commands have no prompts", () => {
    for (const name of documents) {
      const blocks = [...readFileSync(join(root, name), "utf8").matchAll(/^ *```sh[^\n]*\n([\s\S]*?)^ *``` *$/gm)];
      expect(
        blocks.filter(([, text]) => /^ *\$ /m.test(text!)),
        name,
      ).toEqual([]);
    }
  });

  test("every kind of flaw is detected, and code is not prose", () => {
    const text = "# A Tale\n\nWhat is new, is simply kept. Nobody hears of it.\n\n`nobody`\n\n```sh\nnobody\n```\n";
    expect(findFlaws(text, true).map((flaw) => flaw.replace(/ \(.*/, ""))).toEqual([
      "line 1: A Tale",
      "line 3: Nobody",
      "line 3: simply",
      "line 3: What is new, is",
      "line 3: What i",
      "line 3: hears",
    ]);
    expect(findFlaws(`${"word ".repeat(41)}.\n`, false)).toHaveLength(1);
    expect(findFlaws("A file that somebody tells of.\n", false)).toEqual([]);
  });
});
