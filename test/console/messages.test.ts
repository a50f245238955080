// The messages of the console: the same in every language, with the plural forms that it needs, and nowhere else.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { fillMessage, formatPlural, type Messages } from "../../src/console/app/messages/messages";
import type { PluralForms } from "../../src/console/app/messages/translated-messages";
import { type Language, languageNames } from "../../src/locales/languages";

const app = fileURLToPath(new URL("../../src/console/app/", import.meta.url));
const all = Object.keys(languageNames) as Language[];
type AnyMessages = Readonly<Record<string, string | PluralForms>>;

async function readMessages(language: Language): Promise<AnyMessages> {
  const [whole] = Object.values(await import(`../../src/console/app/messages/catalogs/${language}.ts`)) as [
    AnyMessages,
  ];
  return whole;
}

const placeholders = (sentence: string) => (sentence.match(/\{\w+\}/g) ?? []).sort();
const formsOf = (word: string | PluralForms) => (typeof word === "string" ? [word] : Object.values(word));

const english = await readMessages("en");

describe.each(all)("%s", (language) => {
  test("a catalog has every message of English with the same placeholders", async () => {
    const words = await readMessages(language);
    expect(Object.keys(words).sort()).toEqual(Object.keys(english).sort());
    for (const [name, word] of Object.entries(words)) {
      const wanted = placeholders(formsOf(english[name]!).at(-1)!);
      for (const form of formsOf(word)) {
        expect([name, placeholders(form)]).toEqual([name, wanted]);
        expect(form.trim()).toBe(form);
        expect(form).not.toBe("");
      }
    }
  });

  test("a catalog has exactly the plural forms that its language needs", async () => {
    const asked = new Set(Array.from({ length: 200 }, (_, n) => new Intl.PluralRules(language).select(n)));
    const known = new Set(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
    for (const [name, word] of Object.entries(await readMessages(language)))
      if (typeof word !== "string") {
        for (const form of asked) expect([name, Object.keys(word)]).toEqual([name, expect.arrayContaining([form])]);
        for (const form of Object.keys(word)) expect(known).toContain(form);
      }
  });

  test("a catalog has its messages in the order of English", async () => {
    expect(Object.keys(await readMessages(language))).toEqual(Object.keys(english));
  });
});

test("no catalog repeats the sentences of another language", async () => {
  const sentences = Object.entries(english).filter(
    ([, word]) => typeof word === "string" && word.split(" ").length > 4,
  );
  for (const language of all.filter((it) => it !== "en")) {
    const words = await readMessages(language);
    expect(sentences.filter(([name, word]) => words[name] === word).map(([name]) => name)).toEqual([]);
  }
});

test("a message inserts its values and picks the plural form", async () => {
  expect(fillMessage("{a} and {b}", { a: "{b}", b: 2 })).toBe("{b} and 2");
  const forms: PluralForms = {
    one: "{count} участник",
    few: "{count} участника",
    many: "{count} участников",
    other: "",
  };
  const russian = { inLanguage: "ru" } as Messages;
  const told = [1, 2, 5, 11, 21, 22, 25, 1234].map((count) => formatPlural(russian, forms, count).split(/\s/).at(-1));
  const [one, few, many] = ["участник", "участника", "участников"];
  expect(told).toEqual([one, few, many, many, one, few, many, few]);
  expect(formatPlural({ inLanguage: "de" } as Messages, { other: "{count}" }, 1234)).toBe("1.234");
});

/** Attributes that people read or hear. */
const READ = new Set(["label", "title", "placeholder", "alt", "hint", "question", "submit", "empty", "aria-label"]);
/** Names that are the same in every language. */
const NAMES = new Set(["Octavo", "Google Docs"]);

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

test("every text in the console comes from the message catalog", () => {
  expect(sentencesIn("x.tsx", 'const a = <p title="Hi there">Some text {b}</p>; f("Press this now");')).toHaveLength(3);
  expect(sentencesIn("x.tsx", 'const a = <p class="wide one">{messages.more} · Octavo</p>;')).toHaveLength(1);
  const files = readdirSync(app, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => /\.tsx?$/.test(name) && !/^messages\/.+\//.test(name));
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap((name) => sentencesIn(name, readFileSync(app + name, "utf8")))).toEqual([]);
});
