// The messages of every language: the same keys and placeholders as English, the plural forms that the language needs, nothing
// that is left in English, and no message that no code shows. Failures name the file and the key.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { type Language, languageNames } from "../../src/locales/languages";

const root = fileURLToPath(new URL("../../", import.meta.url));
const languages = Object.keys(languageNames) as Language[];

interface MessageTree {
  readonly [key: string]: string | MessageTree;
}
/** A message, or its plural forms by category. */
type Message = string | Readonly<Record<string, string>>;
/** The messages of a language by their paths, such as `console.home.newOrganization`. */
type Catalog = ReadonlyMap<string, Message>;

function readCatalog(language: Language): Catalog {
  return listMessages(JSON.parse(readFileSync(`${root}src/locales/${language}.json`, "utf8")));
}

function listMessages(tree: MessageTree, above = ""): Catalog {
  return new Map(
    Object.entries(tree).flatMap(([key, value]): [string, Message][] => {
      const path = `${above}${key}`;
      if (typeof value === "string") return [[path, value]];
      // A plural has the form `other`, and only forms.
      const isPlural = typeof value.other === "string" && Object.values(value).every((it) => typeof it === "string");
      return isPlural ? [[path, value as Record<string, string>]] : [...listMessages(value, `${path}.`)];
    }),
  );
}

const listForms = (message: Message): string[] => (typeof message === "string" ? [message] : Object.values(message));
const listPlaceholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

/** Returns the differences between a language and English in keys, their order, placeholders and plural forms, as sentences. */
function findDifferences(language: Language, catalog: Catalog, english: Catalog): string[] {
  const file = `${language}.json`;
  const needed = new Set(Array.from({ length: 200 }, (_, n) => new Intl.PluralRules(language).select(n)));
  const known: readonly string[] = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const found = [...english.keys()].filter((key) => !catalog.has(key)).map((key) => `${file} has no ${key}`);
  for (const [key, message] of catalog) {
    const model = english.get(key);
    if (model === undefined) found.push(`${file} has ${key}, and English doesn't`);
    else if (typeof model !== typeof message) found.push(`${file}: ${key} is a plural in one language only`);
    else {
      const placeholders = listPlaceholders(listForms(model).at(-1)!).join();
      for (const form of listForms(message)) {
        if (listPlaceholders(form).join() !== placeholders) found.push(`${file}: ${key} has other placeholders`);
        if (form.trim() !== form || form === "") found.push(`${file}: ${key} is empty, or has spaces around it`);
        if (/[{}]/.test(form.replaceAll(/\{\w+\}/g, ""))) found.push(`${file}: ${key} has a brace of its own`);
      }
    }
    if (typeof message !== "string") {
      for (const form of needed) if (!(form in message)) found.push(`${file}: ${key} lacks the plural form ${form}`);
      for (const form of Object.keys(message))
        if (!known.includes(form)) found.push(`${file}: ${key} has ${form}, which is no plural form of the language`);
    }
  }
  if (found.length === 0 && [...catalog.keys()].join() !== [...english.keys()].join())
    found.push(`${file} has its messages in another order than English`);
  return found;
}

/** Names that are the same in most languages. */
const SAME_EVERYWHERE = ["Assertion consumer service (ACS)", "Commit", "Cookies", "Emoji", "Git"];

/** Words that a language has in common with English. Whoever adds one has checked that it is the usual word there. */
const SAME_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: [],
  de: [
    ...["Admin", "Branch", "Callbacks", "Code", "Desktop", "Favicon", "Feedback", "Format", "Import", "Info"],
    ...["Integration", "Link", "Links", "Logo", "Manifest (JSON)", "Name", "Navigation", "Operation", "Person"],
    ...["Position", "Repository", "Reviewer", "Reviews", "Scopes: {scopes}", "Secrets", "Server", "Status"],
    ...["Subdomain", "Tabs", "Team", "Teams", "Text", "URL", "Variable", "Version", "Version {version}", "Website"],
  ],
  fr: [
    ...["Action", "Active", "Admin", "Archive (ZIP)", "Assistant", "Audience", "Callbacks", "Code", "Collection"],
    ...["Collections", "Condition", "Configuration", "Configuration (JSON)", "Danger", "Date", "Description"],
    ...["Destination", "Expiration", "Favicon", "Format", "Image", "Installations", "Instructions", "Logo", "Menu"],
    ...["Navigation", "Note", "Page", "Pages", "Position", "Public", "Questions", "Script", "Secrets", "Section"],
    ...["Sections", "Sessions", "Sites", "Source", "Sources", "Structure", "Style", "Suggestions", "URL", "Variable"],
    ...["Variables", "Version", "Version {version}", "Versions"],
  ],
  es: ["Callbacks", "Editor", "Favicon", "General", "No", "Script", "URL", "Variable", "Variables"],
  zh: ["URL"],
  ja: ["URL"],
  nl: [
    ...["Branch", "Browsers", "Callbacks", "Code", "Contrast", "Diagram", "Favicon", "Feedback", "Headers", "Import"],
    ...["In review", "Item", "Link", "Links", "Logo", "Manifest (JSON)", "Menu", "Open", "Payload", "Repository"],
    ...["Reviewer", "Reviews", "Scopes: {scopes}", "Script", "Server", "Servers", "Single logout", "Single sign-on"],
    ...["Sites", "Status", "Submenu", "Team", "Teams", "Term", "Tint", "URL", "Variant", "Website"],
  ],
  no: [
    ...["Callbacks", "Diagram", "Favicon", "Flat", "Format", "Import", "Logo", "Manifest (JSON)", "Person"],
    ...["Send", "Server", "Status", "Team", "Term", "URL", "Variant"],
  ],
  "pt-br": [
    ...["Branch", "Callbacks", "Duotone", "Editor", "Favicon", "Item", "Link", "Links", "Logo", "Logs", "Menu"],
    ...["Payload", "Script", "Sites", "Status", "Submenu", "URL", "User agent"],
  ],
  ru: [],
};

/** Returns the messages that are still English, as sentences. */
function findUntranslated(language: Language, catalog: Catalog, english: Catalog): string[] {
  const known = [...SAME_EVERYWHERE, ...SAME_WORDS[language]];
  return [...catalog].flatMap(([key, message]) => {
    const forms = listForms(english.get(key) ?? "");
    return listForms(message)
      .filter((form) => forms.includes(form) && !known.includes(form))
      .map((form) => `${language}.json: ${key} is “${form}”, as in English`);
  });
}

const english = readCatalog("en");

describe.each(languages)("%s", (language) => {
  test("a language has the keys, the placeholders and the order of English, and the plural forms that it needs", () => {
    expect(findDifferences(language, readCatalog(language), english)).toEqual([]);
  });

  test.skipIf(language === "en")("a language has nothing in English but words that are the same in it", () => {
    expect(findUntranslated(language, readCatalog(language), english)).toEqual([]);
  });
});

test("every word that a language may have in common with English is one of its messages", () => {
  const unused = languages.flatMap((language) => {
    const forms = new Set([...readCatalog(language).values()].flatMap(listForms));
    return SAME_WORDS[language].filter((word) => !forms.has(word)).map((word) => `${language}: ${word}`);
  });
  expect(unused).toEqual([]);
});

test("a missing key, another placeholder, a missing plural form and an English text are reported with file and key", () => {
  const model = new Map<string, Message>([
    ["mail.signIn", "Sign in to {host}"],
    ["console.people.countMembers", { one: "{count} member", other: "{count} members" }],
  ]);
  expect(findDifferences("de", new Map(), model)).toEqual([
    "de.json has no mail.signIn",
    "de.json has no console.people.countMembers",
  ]);
  const broken = new Map<string, Message>([
    ["mail.signIn", "Anmelden bei {name}"],
    ["console.people.countMembers", { one: "{count} участник", other: "{count}" }],
    ["mail.more", "Mehr"],
  ]);
  expect(findDifferences("ru", broken, model)).toEqual([
    "ru.json: mail.signIn has other placeholders",
    "ru.json: console.people.countMembers lacks the plural form many",
    "ru.json: console.people.countMembers lacks the plural form few",
    "ru.json has mail.more, and English doesn't",
  ]);
  expect(findUntranslated("de", model, model)).toContain("de.json: mail.signIn is “Sign in to {host}”, as in English");
});

/** The folders whose code shows the messages of an area. */
const AREA_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  console: ["src/console/app"],
  site: ["src/site", "src/console/app/preview", "src/console/app/sites/appearance"],
  openapi: ["src/openapi/html", "src/openapi/model", "src/openapi/reference/pages", "src/site/openapi"],
  integrations: ["src/site/integrations", "src/site/pages", "src/site/routes"],
  signIn: ["src/sign-in"],
  oauth: ["src/sign-in/oauth"],
  oidc: ["src/sign-in/oidc"],
  saml: ["src/sign-in/saml"],
  mail: ["src/mail"],
};

interface MessageUses {
  /** The names that are read of messages: `home.newOrganization`, `copied`. */
  readonly names: ReadonlySet<string>;
  /** The names that are read of messages as they are, without `formatMessage` or `formatPlural`. */
  readonly unformatted: ReadonlySet<string>;
  /** Strings, of which some are names: `messages[name]`. */
  readonly strings: ReadonlySet<string>;
  /** The values that calls of `formatMessage` and `formatPlural` fill in. */
  readonly filled: readonly { readonly name: string; readonly values: readonly string[]; readonly at: string }[];
}

/** Returns true if an expression is in the arguments of `formatMessage` or `formatPlural`, also as one of several to choose from. */
function isFormatted(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return /^format(?:Message|Plural)$/.test(parent.expression.getText());
  const isChoice = ts.isPropertyAssignment(parent) || ts.isObjectLiteralExpression(parent);
  return (
    (isChoice || ts.isElementAccessExpression(parent) || ts.isConditionalExpression(parent)) && isFormatted(parent)
  );
}

const MESSAGES = /^#?(?:messages|\w+Messages)$/;

/** Returns the names of messages that a file reads. Messages are values named `messages`, `…Messages`, or as their area. */
function findUses(file: string, text: string): MessageUses {
  const [names, unformatted, strings] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const filled: { name: string; values: string[]; at: string }[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** Returns `a.b` of `messages.a.b`; undefined if an expression reads no message. */
  const readName = (node: ts.Expression): string | undefined => {
    const parts: string[] = [];
    let at = node;
    while (ts.isPropertyAccessExpression(at)) {
      if (MESSAGES.test(at.name.text)) break;
      parts.unshift(at.name.text);
      at = at.expression;
    }
    const isOfMessages = ts.isIdentifier(at)
      ? MESSAGES.test(at.text) || Object.hasOwn(AREA_FOLDERS, at.text)
      : ts.isPropertyAccessExpression(at);
    if (parts.length > 1 && Object.hasOwn(AREA_FOLDERS, parts[0]!) && !file.startsWith("src/console/")) parts.shift();
    return isOfMessages && parts.length > 0 ? parts.join(".") : undefined;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) strings.add(node.text);
    if (ts.isPropertyAccessExpression(node)) {
      const name = readName(node);
      if (name !== undefined) {
        names.add(name);
        if (!isFormatted(node)) unformatted.add(name);
      }
    }
    if (ts.isBindingElement(node) && ts.isVariableDeclaration(node.parent.parent)) {
      const { initializer } = node.parent.parent;
      const of = initializer?.getText().split(".").at(-1) ?? "";
      if (MESSAGES.test(of) || Object.hasOwn(AREA_FOLDERS, of)) {
        const name = (node.propertyName ?? node.name).getText();
        names.add(name);
        unformatted.add(name);
      }
    }
    if (ts.isCallExpression(node) && node.expression.getText() === "formatMessage") {
      const [message, values] = node.arguments;
      const name = message && readName(message);
      if (name !== undefined && values && ts.isObjectLiteralExpression(values))
        filled.push({ name, values: values.properties.map((it) => it.name?.getText() ?? "…").sort(), at: file });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { names, unformatted, strings, filled };
}

const uses = new Map<string, MessageUses>();
for (const folder of ["src/console/app", "src/site", "src/openapi", "src/sign-in", "src/mail"])
  for (const path of readdirSync(root + folder, { recursive: true, encoding: "utf8" })) {
    const file = `${folder}/${path.replaceAll("\\", "/")}`;
    if (/\.tsx?$/.test(file)) uses.set(file, findUses(file, readFileSync(root + file, "utf8")));
  }

function usesOf(area: string): MessageUses[] {
  const folders = AREA_FOLDERS[area] ?? [];
  return [...uses].filter(([file]) => folders.some((folder) => file.startsWith(`${folder}/`))).map(([, of]) => of);
}

/** Returns the messages of English that no code of their area reads. */
function findUnused(catalog: Catalog): string[] {
  return [...catalog.keys()].filter((path) => {
    const [area = "", ...name] = path.split(".");
    return !usesOf(area).some(({ names, strings }) => names.has(name.join(".")) || strings.has(name.at(-1)!));
  });
}

test("every area has its folders", () => {
  const areas = new Set([...english.keys()].map((path) => path.split(".")[0]));
  expect(Object.keys(AREA_FOLDERS).sort()).toEqual([...areas].sort());
});

test("every message is shown by the code of its area", () => {
  expect(findUnused(english)).toEqual([]);
  const made = new Map([
    ["mail.neverShown", "?"],
    ["console.home.neverShown", "?"],
  ]);
  expect(findUnused(made)).toEqual(["mail.neverShown", "console.home.neverShown"]);
});

/** Returns the names of the messages of the areas whose code a file is. */
function findPaths(file: string, name: string): string[] {
  return Object.entries(AREA_FOLDERS)
    .filter(([, folders]) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .map(([area]) => `${area}.${name}`)
    .filter((path) => english.has(path));
}

test("calls fill in exactly the placeholders of their message", () => {
  const calls = [...uses.values()].flatMap(({ filled }) => filled);
  expect(calls.length).toBeGreaterThan(60);
  const broken = calls.filter(({ name, values, at }) => {
    const paths = findPaths(at, name);
    return !paths.some((path) => listPlaceholders(listForms(english.get(path)!)[0]!).join() === values.join());
  });
  expect(broken).toEqual([]);
  const [call] = findUses("src/mail/x.ts", "formatMessage(messages.signIn, { name });").filled;
  expect(call).toEqual({ name: "signIn", values: ["name"], at: "src/mail/x.ts" });
});

test("a message with placeholders is formatted where it is shown", () => {
  const broken = [...uses].flatMap(([file, { unformatted }]) =>
    // The console hands sentences about a time to the component that formats them.
    [...unformatted].flatMap((name) =>
      findPaths(file, name).filter((path) => {
        const placeholders = listForms(english.get(path)!).flatMap(listPlaceholders);
        return placeholders.length > 0 && !(path.startsWith("console.") && placeholders.join() === "when");
      }),
    ),
  );
  expect(broken).toEqual([]);
});
