// A translator behind DeepL. Glossaries are kept there by DeepL, under names that are made of what they hold, so that every
// process finds the same one.

import type { GlossaryEntry, Translator } from "../content/translation/translator";
import { omitUndefined } from "../utils/objects";
import { sha256Hex } from "../utils/sha256";
import { batchesOf } from "./batches";
import { TranslatorFailed } from "./failed";
import { mergedGlossary, withoutTerms } from "./glossary";
import { type HostOptions, hostOf, unusable } from "./requests";

export interface DeepLOptions extends Partial<Pick<HostOptions, "url">>, Omit<HostOptions, "url"> {
  readonly key: string;
  /** Terms and what they are to be called, by language. */
  readonly glossaries?: Readonly<Record<string, readonly GlossaryEntry[]>>;
}

const MAX_TEXTS = 50;
const MAX_CHARACTERS = 60_000;
/** The most of the instructions that is sent with a request, in characters. */
const MAX_CONTEXT = 2_000;

/** What DeepL calls languages: as targets, some of them by their country. */
const TARGETS: Readonly<Record<string, string>> = { en: "EN-US", pt: "PT-PT", no: "NB", zh: "ZH-HANS" };
const SOURCES: Readonly<Record<string, string>> = { "pt-br": "PT", no: "NB" };
const targetOf = (language: string) => TARGETS[language] ?? language.toUpperCase();
const sourceOf = (language: string) => SOURCES[language] ?? language.toUpperCase();

/** Translates with DeepL. Default of `url`: that of the free or of the paid interface, as the key says. */
export function deepLTranslator(options: DeepLOptions): Translator {
  const url = options.url ?? `https://${options.key.endsWith(":fx") ? "api-free" : "api"}.deepl.com`;
  const send = hostOf({ ...options, url });
  const headers = { authorization: `DeepL-Auth-Key ${options.key}` };
  const known = new Map<string, Promise<string | undefined>>();

  /** The glossary over there that holds these terms; undefined when there can be none for these languages. */
  function glossaryFor(from: string, to: string, terms: readonly GlossaryEntry[]): Promise<string | undefined> {
    const entries = terms.map(({ term, translation }) => `${cell(term)}\t${cell(translation)}`).join("\n");
    const [source, target] = [sourceOf(from).slice(0, 2).toLowerCase(), targetOf(to).slice(0, 2).toLowerCase()];
    const name = `octavo-${source}-${target}-${sha256Hex(entries).slice(0, 24)}`;
    const made = known.get(name) ?? findOrMake(name, source, target, entries);
    known.set(name, made);
    // One that could not be made is asked for again the next time.
    made.catch(() => known.delete(name));
    return made;
  }

  async function findOrMake(name: string, source: string, target: string, entries: string) {
    const listed = (await send({ method: "GET", path: "/v2/glossaries", headers })) as Listed;
    const there = listed?.glossaries?.find((it) => it.name === name && it.ready !== false);
    if (typeof there?.glossary_id === "string") return there.glossary_id;
    try {
      const body = { name, source_lang: source, target_lang: target, entries, entries_format: "tsv" };
      const made = (await send({ path: "/v2/glossaries", headers, body })) as { glossary_id?: unknown };
      return typeof made?.glossary_id === "string" ? made.glossary_id : undefined;
    } catch (error) {
      if (error instanceof TranslatorFailed && error.reason === "rejected") return undefined;
      throw error;
    }
  }

  return async ({ texts, from, to, instructions, glossary }) => {
    const terms = mergedGlossary(options.glossaries?.[to], glossary);
    const isNative = from !== undefined && terms.length > 0;
    const glossaryId = isNative ? await glossaryFor(from, to, terms) : undefined;
    const prepared = texts.map((text) => withoutTerms(text, glossaryId === undefined ? terms : []));
    const translated: string[] = [];
    const marked = prepared.map(({ text }) => text);
    for (const batch of batchesOf(marked, MAX_TEXTS, MAX_CHARACTERS)) {
      const answer = await send({
        path: "/v2/translate",
        headers,
        body: {
          text: batch,
          target_lang: targetOf(to),
          tag_handling: "xml",
          ...omitUndefined({
            source_lang: from === undefined ? undefined : sourceOf(from),
            glossary_id: glossaryId,
            context: instructions === undefined ? undefined : instructions.slice(0, MAX_CONTEXT),
          }),
        },
      });
      const found = (answer as { translations?: { text?: unknown }[] } | null)?.translations;
      if (!Array.isArray(found) || found.length !== batch.length) throw unusable(url);
      translated.push(...found.map(({ text }) => String(text)));
    }
    return translated.map((text, i) => prepared[i]!.back(text));
  };
}

type Listed = { glossaries?: { name?: unknown; glossary_id?: unknown; ready?: unknown }[] } | null;

/** A term in a line of its own. */
function cell(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
