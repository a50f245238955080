// The anchors that generators of sites make of headings, each by its own rule. A link is written for one of them, so it
// is good if any rule gives its anchor.

import type { Steps } from "../../../utils/concurrency/steps";

/** What the rules need of a heading. */
export interface RuledHeading {
  /** What it says: images by what they show, and emoji by their names. */
  readonly text: string;
  /** What it shows: emoji as characters, no images, no tags. */
  readonly shown: string;
  /** How it is written. */
  readonly source: string;
}

interface Rule {
  readonly slug: (text: string) => string;
  /** Whether it reads the heading as it is written. Default: what it shows, and what it says. */
  readonly readsSource?: true;
  /** The anchor of a heading whose slug is taken; `n` counts from 1. Default: `slug-n`. */
  readonly again?: (slug: string, n: number) => string;
  /** Whether the headings whose slug is taken are counted together. Default: by slug. */
  readonly countsTogether?: true;
  /** The slug of a heading that would have none; "" is one that is always taken. Default: no anchor. */
  readonly fallback?: string;
}

const lower = (text: string) => text.toLowerCase();
const ascii = (text: string) => text.normalize("NFKD").replace(/[^\0-\x7f]/g, "");
const unmarked = (text: string) => text.normalize("NFKD").replace(/\p{Mn}/gu, "");
const github = (text: string) =>
  lower(text)
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
const dashed = (text: string, other = /[^\p{L}\p{M}\p{N}]+/gu) =>
  lower(text)
    .replace(other, "-")
    .replace(/^-+|(?<!-)-+$/g, "");
const mdbook = (text: string) => text.replace(/[^\p{Alphabetic}\p{N}_\-\s]/gu, "").replace(/\s/g, "-");
const asciiLower = (text: string) => text.replace(/[A-Z]/g, lower);
const python = (text: string) => lower(text.replace(/[^\p{L}\p{M}\p{N}_\s-]/gu, "").trim()).replace(/[-\s]+/g, "-");
const underscored = (slug: string, n: number) => `${slug}_${n}`;

/** The likeliest first: where two headings have one anchor, the first rule decides. */
const RULES: readonly Rule[] = [
  // GitHub, and what follows it: github-slugger, Docusaurus, Hugo, Jekyll, MyST.
  { slug: github },
  // mdBook, as it is and as it was.
  { slug: (text) => asciiLower(mdbook(text)) },
  { slug: (text) => lower(mdbook(text)) },
  { slug: (text) => asciiLower(mdbook(text)).replace(/^(?=[^A-Za-z])/, "a") },
  // GitBook, Blackfriday, slugify and others: runs of anything else are one dash.
  { slug: dashed },
  { slug: (text) => dashed(text.replace(/['’]/g, "")) },
  { slug: (text) => dashed(text.replace(/['’]/g, "").replaceAll("&", " and ")) },
  // GitLab.
  { slug: (text) => github(text).replace(/-+/g, "-") },
  // Pandoc.
  {
    slug: (text) =>
      lower(text)
        .replace(/[^\p{L}\p{M}\p{N}_.\-\s]/gu, "")
        .trim()
        .replace(/\s+/g, "-")
        .replace(/^[^\p{L}]+/u, ""),
    fallback: "section",
  },
  // kramdown.
  {
    slug: (text) => lower(text.replace(/^[^a-zA-Z]+|[^a-zA-Z0-9 -]/g, "")).replaceAll(" ", "-"),
    fallback: "section",
  },
  // Python-Markdown and MkDocs, and those with Unicode.
  { slug: (text) => python(ascii(text)), again: underscored, fallback: "" },
  { slug: python, again: underscored },
  // docutils and Sphinx.
  {
    slug: (text) => dashed(ascii(text), /[^a-z0-9]+/g).replace(/^[-0-9]+/, ""),
    again: (_, n) => `id${n}`,
    countsTogether: true,
  },
  // markdown-it-anchor.
  { slug: (text) => lower(text.trim()).replace(/\s+/g, "-") },
  // VitePress and VuePress.
  {
    slug: (text) => dashed(unmarked(text), /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g).replace(/^(?=\d)/, "_"),
  },
  // Hugo, which reads the source: as GitHub, as Blackfriday, and without accents.
  { slug: github, readsSource: true },
  { slug: dashed, readsSource: true },
  { slug: (text) => github(ascii(text)), readsSource: true, fallback: "heading" },
  // goldmark, and what has no accents.
  { slug: (text) => lower(text.replace(/[^a-zA-Z0-9\s_-]/g, "")).replace(/[\s_]/g, "-") },
  { slug: (text) => github(unmarked(text)) },
  // marked, as it was.
  { slug: (text) => lower(text).replace(/\W+/g, "-") },
];

/** Attributes at the end of a heading: `{#id}`, `{: #id .class}`, `{.class}`, `{-}`. */
const ATTRIBUTES = /(?<!\s)\s*\{(?::|\/\*)?\s*(?:#([^\s{}*]{1,256})|[.-])[^{}]{0,256}\}\s*$/;

/** Longer headings, and those behind so many, have the anchors that a text gives them, and no others. */
const MAX_LENGTH = 500;
const MAX_HEADINGS = 2000;

/** A text that has one slug by every rule. */
const SIMPLE = /^[A-Za-z][A-Za-z0-9]*(?: [A-Za-z0-9]+)*$/;

/**
 * The anchors that the rules give to headings, each with the number of its heading, rule by rule. `known` are anchors that
 * are not asked for.
 */
export function* anchorsByRules(
  headings: readonly RuledHeading[],
  known: ReadonlySet<string>,
): Steps<Map<string, number>> {
  const found = new Map<string, number>();
  const add = (anchor: string, heading: number) => {
    if (!known.has(anchor) && !found.has(anchor)) found.set(anchor, heading);
  };
  const ruled = headings.slice(0, MAX_HEADINGS);
  const stated = new Set<number>();
  const shown = ruled.map(({ shown }, i) => {
    const [attributes = "", id] = ATTRIBUTES.exec(shown.slice(-MAX_LENGTH)) ?? [];
    if (id === undefined) return attributes === "" ? shown : shown.slice(0, -attributes.length);
    stated.add(i);
    add(id, i);
    return "";
  });
  const unless = (texts: readonly string[]) => withSimple(texts.map((text, i) => (stated.has(i) ? "" : text)));
  const [showing, saying] = [unless(shown), unless(ruled.map(({ text }) => text))];
  const writing = unless(ruled.map(({ source }) => source));
  const forms = saying.some(({ text }, i) => text !== showing[i]!.text) ? [showing, saying] : [showing];
  for (const rule of RULES) {
    for (const texts of rule.readsSource ? [writing] : forms) number(rule, texts, add);
    yield;
  }
  return found;
}

/** Texts of headings, each with its slug if that is the same by every rule. */
type Texts = readonly { readonly text: string; readonly simple: string | undefined }[];

function withSimple(texts: readonly string[]): Texts {
  return texts.map((text) => ({
    text,
    simple: SIMPLE.test(text) ? lower(text).replaceAll(" ", "-") : undefined,
  }));
}

/** Gives each text its anchor by a rule. */
function number(
  { slug, again = (slug, n) => `${slug}-${n}`, countsTogether, fallback }: Rule,
  texts: Texts,
  add: (anchor: string, text: number) => void,
): void {
  const taken = new Set([""]);
  const counts = new Map<string, number>();
  for (const [i, { text, simple }] of texts.entries()) {
    const wanted = text === "" || text.length > MAX_LENGTH ? undefined : (simple ?? slug(text)) || fallback;
    if (wanted === undefined) continue;
    const counted = countsTogether ? "" : wanted;
    let [anchor, n] = [wanted, counts.get(counted) ?? 0];
    while (taken.has(anchor)) anchor = again(wanted, ++n);
    counts.set(counted, n);
    taken.add(anchor);
    add(anchor, i);
  }
}
