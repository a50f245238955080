// What bytes from outside are given to, and what must hold whatever they are. Each function throws where it does not hold.

import assert from "node:assert/strict";
import { Parser } from "htmlparser2";
import { checkDocument } from "../../../src/content/document/check-document";
import {
  evaluateToText,
  isConditionMet,
  parseExpression,
  type ExpressionScope as Values,
} from "../../../src/content/expressions";
import { readMarkdown } from "../../../src/content/markdown/read";
import { writeMarkdown } from "../../../src/content/markdown/write";
import { parsePageSource } from "../../../src/content/page-source";
import { openZip } from "../../../src/importers/archive/zip";
import { readDocx } from "../../../src/importers/docx/import-docx";
import { ImportError } from "../../../src/importers/errors";
import { site as words } from "../../../src/locales/en.json";
import { readSpecification } from "../../../src/openapi/specifications";
import { SpecificationError } from "../../../src/openapi/specifications/errors";
import { renderBlocks } from "../../../src/site/blocks/render-blocks";
import { sanitizeFileHref, sanitizeHref } from "../../../src/site/layout/links";
import { type BlockRenderContext, FootnoteCollector } from "../../../src/site/pages/block-context";
import { detectPageFeatures, loadFeatureRenderers } from "../../../src/site/pages/page-features";
import { ExpansionBudget, MAX_EXPANSION_CHARACTERS } from "../../../src/utils/expansion-budget";
import { html } from "../../../src/utils/html";
import { convertHtmlToMarkdown } from "../../support/html";

export type Target = (data: Uint8Array) => void | Promise<void>;

export const targets: Readonly<Record<string, Target>> = {
  markdown,
  document,
  expression,
  archive,
  word,
  website,
  specification,
  page,
};

/** A text becomes a document that passes the check, and comes back byte for byte. */
function markdown(data: Uint8Array): void {
  const text = getXmlText(data);
  parsePageSource(text);
  const { document } = readMarkdown(text);
  assert.deepEqual(checkDocument(document), []);
  assert.equal(writeMarkdown(document, { original: text }), text);
}

/** JSON is a document or is told why not. A document becomes a text, which becomes one again. */
function document(data: Uint8Array): void {
  const value = jsonIn(data);
  const issues = checkDocument(value);
  assert(issues.every(({ path, message }) => typeof path === "string" && message !== ""));
  if (issues.length > 0) return;
  const text = writeMarkdown(value as Parameters<typeof writeMarkdown>[0]);
  assert.deepEqual(checkDocument(readMarkdown(text).document), []);
}

const values: Values = {
  space: { vars: { version: "2.1", major: 2, beta: true, none: null } },
  page: { vars: { plan: "pro", regions: ["eu", "us"] } },
  visitor: { claims: { name: "Ada", groups: ["staff", "beta"], address: { city: "Bern" } } },
};

/** An expression is read or refused. What it gives is a short text, and nothing of the runtime is reached. */
function expression(data: Uint8Array): void {
  const source = getXmlText(data);
  const parsed = parseExpression(source);
  if (!parsed.ok) assert(parsed.message !== "" && parsed.position >= 0 && parsed.position <= source.length);
  assert.equal(typeof isConditionMet(source, values), "boolean");
  const text = evaluateToText(source, values);
  assert(text.length <= 20_000 && (!text.includes("[native code]") || source.includes("native")), text);
}

/** An archive is refused, or its files are read. */
function archive(data: Uint8Array): void {
  refusedBy(ImportError, () => {
    const zip = openZip(data);
    for (const path of zip.paths) {
      assert(!path.startsWith("/") && !path.split("/").includes(".."), path);
      zip.read(path);
    }
  });
}

/** A Word file is refused, or becomes a text. */
function word(data: Uint8Array): void {
  refusedBy(ImportError, () => readDocx(data));
}

/** A page of HTML becomes Markdown, whatever is wrong with it. */
function website(data: Uint8Array): void {
  const { markdown } = convertHtmlToMarkdown(getXmlText(data));
  assert.deepEqual(checkDocument(readMarkdown(markdown).document), []);
}

/** A specification is read or refused. */
async function specification(data: Uint8Array): Promise<void> {
  const text = getXmlText(data);
  await readSpecification({ text }, { fetch: undefined, milliseconds: 1000 }).catch((error: unknown) => {
    if (!(error instanceof SpecificationError)) throw error;
  });
}

/** What a reader's browser gets has no script, no handler, and no address that runs. */
async function page(data: Uint8Array): Promise<void> {
  const { nodes } = readMarkdown(getXmlText(data)).document;
  const { code, formula } = await loadFeatureRenderers(detectPageFeatures(nodes));
  const notes = new FootnoteCollector(words);
  let last = 0;
  const drawn = renderBlocks(nodes, {
    messages: words,
    budget: new ExpansionBudget(MAX_EXPANSION_CHARACTERS),
    resolveLink: (ref) => (ref.kind === "url" ? { href: ref.url, title: ref.url } : undefined),
    renderLinkAttributes: (href) => html`href="${sanitizeHref(href)}"`,
    resolveFile(ref) {
      const url = ref.kind === "url" ? sanitizeFileHref(ref.url) : undefined;
      return url === undefined ? undefined : { url, name: url };
    },
    renderFormula: formula,
    highlightCode: code,
    renderIcon: () => undefined,
    renderExternalBlock: () => html``,
    addFootnote: notes.add,
    formatDay: (date) => date,
    createElementNumber: () => ++last,
  } satisfies BlockRenderContext);
  assertHarmless([drawn, ...notes.bodies].map(({ text }) => text).join(""));
}

const ADDRESSES = new Set(["href", "src", "action", "formaction", "poster", "data", "xlink:href"]);

function assertHarmless(text: string): void {
  const parser = new Parser({
    onopentag(name, attributes) {
      assert(!["script", "iframe", "object", "base", "meta", "style"].includes(name), text);
      for (const [attribute, value] of Object.entries(attributes)) {
        assert(!attribute.startsWith("on") && attribute !== "srcdoc", text);
        if (ADDRESSES.has(attribute)) assert(!/^\s*(?:javascript|vbscript|data:text)/i.test(value), text);
      }
    },
  });
  parser.end(text);
}

function refusedBy(refusal: new (...given: never[]) => Error, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof refusal)) throw error;
  }
}

function getXmlText(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

function jsonIn(data: Uint8Array): unknown {
  try {
    return JSON.parse(getXmlText(data));
  } catch {
    return undefined;
  }
}
