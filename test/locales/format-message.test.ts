// Formatting messages: placeholders, and the plural forms of languages.

import { expect, test } from "vitest";
import { formatMessage, formatPlural, type PluralForms } from "../../src/locales/format-message";
import { type Language, languageNames } from "../../src/locales/languages";
import { loadMessages } from "../../src/locales/messages";

test("a message is filled with its values, and a value with a placeholder stays as it is", () => {
  expect(formatMessage("{a} and {b}", { a: "{b}", b: 2 })).toBe("{b} and 2");
  expect(formatMessage("{a} and {b}", { a: "$&" })).toBe("$& and {b}");
});

test("a number gets the plural form and the digits of the language", () => {
  const forms: PluralForms = {
    one: "{count} участник",
    few: "{count} участника",
    many: "{count} участников",
    other: "",
  };
  const shown = [1, 2, 5, 11, 21, 22, 25, 1234].map((count) => formatPlural("ru", forms, count).split(/\s/).at(-1));
  const [one, few, many] = ["участник", "участника", "участников"];
  expect(shown).toEqual([one, few, many, many, one, few, many, few]);
  expect(formatPlural("de", { other: "{count} {what}" }, 1234, { what: "Seiten" })).toBe("1.234 Seiten");
});

test("the messages of a language are loaded by its name", async () => {
  const languages = Object.keys(languageNames) as Language[];
  const words = await Promise.all(languages.map(async (language) => (await loadMessages(language)).site.search));
  expect(new Set(words).size).toBe(languages.length);
  expect(words[languages.indexOf("de")]).toBe("Suchen");
});
