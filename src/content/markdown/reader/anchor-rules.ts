// The anchors that site generators create for headings, each by its own rule. A link is written for one of the generators,
// so it is valid if any rule creates its anchor.

import type { Steps } from "../../../utils/concurrency/steps";

export interface RuledHeading {
  /** Its text, with the alternative text of images and the names of emoji. */
  readonly text: string;
  /** Its visible text: emoji as characters, no images, no tags. */
  readonly shown: string;
  /** Its Markdown. */
  readonly source: string;
}

interface Rule {
  readonly slug: (text: string) => string;
  /** Characters that a text loses, once its letters are separated from their marks. Default: it stays as it is. */
  readonly omitted?: RegExp;
  /** True if the rule reads the Markdown of a heading. Default: its visible text and its text. */
  readonly readsSource?: true;
  /** The anchor of a heading whose slug is taken; `n` counts from 1. Default: `slug-n`. */
  readonly again?: (slug: string, n: number) => string;
  /** True if all headings whose slug is taken are counted together. Default: by slug. */
  readonly countsTogether?: true;
  /** The slug of a heading that has none; "" counts as always taken. Default: no anchor. */
  readonly fallback?: string;
}

const NOT_ASCII = /[^\0-\x7f]/g;
const MARKS = /\p{Mn}/gu;

const buildGithubSlug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
const buildDashedSlug = (text: string, other = /[^\p{L}\p{M}\p{N}]+/gu) =>
  text
    .toLowerCase()
    .replace(other, "-")
    .replace(/^-+|(?<!-)-+$/g, "");
const buildMdbookSlug = (text: string) =>
  text
    .replace(/[^\p{Alphabetic}\p{N}_\-\s]/gu, "")
    .replace(/\s/g, "-")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const buildPythonSlug = (text: string) =>
  text
    .replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, "")
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, "-");

/** The most likely rules first: if two headings have the same anchor, the first rule decides. */
const RULES: readonly Rule[] = [
  // GitHub, and generators that follow it: github-slugger, Docusaurus, Hugo, Jekyll, MyST.
  { slug: buildGithubSlug },
  // mdBook, and its older versions.
  { slug: buildMdbookSlug },
  { slug: (text) => buildMdbookSlug(text).toLowerCase() },
  { slug: (text) => buildMdbookSlug(text).replace(/^(?=[^A-Za-z])/, "a") },
  // GitBook, Blackfriday, slugify and others: a run of other characters becomes one dash.
  { slug: buildDashedSlug },
  { slug: (text) => buildDashedSlug(text.replace(/['’]/g, "")) },
  { slug: (text) => buildDashedSlug(text.replace(/['’]/g, "").replaceAll("&", " and ")) },
  // GitLab.
  { slug: (text) => buildGithubSlug(text).replace(/-+/g, "-") },
  // Pandoc.
  {
    slug: (text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{N}_.\-\s]/gu, "")
        .trim()
        .replace(/\s+/g, "-")
        .replace(/^[^\p{L}]+/u, ""),
    fallback: "section",
  },
  // kramdown.
  {
    slug: (text) =>
      text
        .replace(/^[^a-zA-Z]+|[^a-zA-Z0-9 -]/g, "")
        .toLowerCase()
        .replaceAll(" ", "-"),
    fallback: "section",
  },
  // Python-Markdown and MkDocs, and those with Unicode.
  { slug: buildPythonSlug, omitted: NOT_ASCII, again: (slug, n) => `${slug}_${n}`, fallback: "" },
  { slug: buildPythonSlug, again: (slug, n) => `${slug}_${n}` },
  // docutils and Sphinx.
  {
    slug: (text) => buildDashedSlug(text, /[^a-z0-9]+/g).replace(/^[-0-9]+/, ""),
    omitted: NOT_ASCII,
    again: (_, n) => `id${n}`,
    countsTogether: true,
  },
  // markdown-it-anchor.
  { slug: (text) => text.trim().toLowerCase().replace(/\s+/g, "-") },
  // VitePress and VuePress.
  {
    slug: (text) => buildDashedSlug(text, /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g).replace(/^(?=\d)/, "_"),
    omitted: MARKS,
  },
  // Hugo, which reads the Markdown: like GitHub, like Blackfriday, and without accents.
  { slug: buildGithubSlug, readsSource: true },
  { slug: buildDashedSlug, readsSource: true },
  { slug: buildGithubSlug, omitted: NOT_ASCII, readsSource: true, fallback: "heading" },
  // goldmark, and rules without accents.
  {
    slug: (text) =>
      text
        .replace(/[^a-zA-Z0-9\s_-]/g, "")
        .toLowerCase()
        .replace(/[\s_]/g, "-"),
  },
  { slug: buildGithubSlug, omitted: MARKS },
  // Older versions of marked.
  { slug: (text) => text.toLowerCase().replace(/\W+/g, "-") },
];

/** Attributes at the end of a heading: `{#id}`, `{: #id .class}`, `{.class}`, `{-}`. */
const ATTRIBUTES = /(?<!\s)\s*\{(?::|\/\*)?\s*(?:#([^\s{}*]{1,256})|[.-])[^{}]{0,256}\}\s*$/;

/** Longer headings, and those after this many, have only their explicit anchors. */
const MAX_LENGTH = 500;
const MAX_HEADINGS = 2000;

/** A text that has the same slug by every rule. */
const SIMPLE = /^[A-Za-z][A-Za-z0-9]*(?: [A-Za-z0-9]+)*$/;

/** Returns each rule's anchors with the own anchor of the heading, rule by rule, without those in `known`. */
export function* computeRuleAnchors(
  headings: readonly RuledHeading[],
  ownAnchors: readonly string[],
  known: ReadonlySet<string>,
): Steps<ReadonlyMap<string, string>> {
  const anchors = new Map<string, string>();
  const add = (anchor: string, heading: number) => {
    if (!known.has(anchor) && !anchors.has(anchor)) anchors.set(anchor, ownAnchors[heading]!);
  };
  const ruled = headings.slice(0, MAX_HEADINGS);
  /** Headings with an explicit id, which have no other anchors. */
  const explicit = new Set<number>();
  const shown = ruled.map(({ shown }, i) => {
    const [attributes = "", id] = ATTRIBUTES.exec(shown.slice(-MAX_LENGTH)) ?? [];
    if (id === undefined) return attributes === "" ? shown : shown.slice(0, -attributes.length);
    explicit.add(i);
    add(id, i);
    return "";
  });
  const prepare = (texts: readonly string[]): HeadingTexts =>
    texts.map((own, i) => {
      const text = explicit.has(i) ? "" : own;
      return { text, simple: SIMPLE.test(text) ? text.toLowerCase().replaceAll(" ", "-") : undefined };
    });
  const [visibleTexts, texts] = [prepare(shown), prepare(ruled.map(({ text }) => text))];
  const sources = prepare(ruled.map(({ source }) => source));
  const forms = texts.some(({ text }, i) => text !== visibleTexts[i]!.text) ? [visibleTexts, texts] : [visibleTexts];
  for (const rule of RULES) {
    for (const form of rule.readsSource ? [sources] : forms) {
      const { slug, omitted, again = (slug, n) => `${slug}-${n}`, countsTogether, fallback } = rule;
      const taken = new Set([""]);
      const counts = new Map<string, number>();
      for (const [i, { text, simple }] of form.entries()) {
        if (text === "" || text.length > MAX_LENGTH) continue;
        const base = (simple ?? slug(omitted ? text.normalize("NFKD").replace(omitted, "") : text)) || fallback;
        if (base === undefined) continue;
        const counted = countsTogether ? "" : base;
        let [anchor, n] = [base, counts.get(counted) ?? 0];
        while (taken.has(anchor)) anchor = again(base, ++n);
        counts.set(counted, n);
        taken.add(anchor);
        add(anchor, i);
      }
    }
    yield;
  }
  return anchors;
}

/** The texts of headings, each with its slug if that is the same by every rule. */
type HeadingTexts = readonly { readonly text: string; readonly simple: string | undefined }[];
