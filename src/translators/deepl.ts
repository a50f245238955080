// A translator that uses DeepL. Glossaries are stored at DeepL, under names that are derived from their content, so that
// every process finds the same one.

import type { GlossaryEntry, Translator } from "../content/translation/translator";
import { omitUndefined } from "../utils/objects";
import { sha256Hex } from "../utils/sha256";
import { TranslatorError } from "./errors";
import { mergeGlossaries, replaceTerms } from "./glossary";
import { createHostClient, createInvalidResponseError, type HostOptions, splitIntoBatches } from "./requests";

export interface DeepLOptions extends Partial<Pick<HostOptions, "url">>, Omit<HostOptions, "url"> {
  readonly key: string;
  /** Terms and their translations, by target language. */
  readonly glossaries?: Readonly<Record<string, readonly GlossaryEntry[]>>;
}

const MAX_BATCH_TEXTS = 50;
const MAX_BATCH_CHARACTERS = 60_000;
/** Longer instructions are cut. */
const MAX_CONTEXT_CHARACTERS = 2_000;

/** DeepL's codes of languages. As targets, some have a country. */
const TARGET_CODES: Readonly<Record<string, string>> = { en: "EN-US", pt: "PT-PT", no: "NB", zh: "ZH-HANS" };
const SOURCE_CODES: Readonly<Record<string, string>> = { "pt-br": "PT", no: "NB" };

/** Translates with DeepL. Default of `url`: that of the free or the paid API, depending on the key. */
export function deepLTranslator(options: DeepLOptions): Translator {
  const url = options.url ?? `https://${options.key.endsWith(":fx") ? "api-free" : "api"}.deepl.com`;
  const send = createHostClient({ ...options, url });
  const headers = { authorization: `DeepL-Auth-Key ${options.key}` };
  const glossaryIds = new Map<string, Promise<string | undefined>>();

  /** Returns the id of a glossary, or undefined if DeepL has none for these languages. */
  async function findOrCreateGlossary(name: string, source: string, target: string, entries: string) {
    const list = (await send({ method: "GET", path: "/v2/glossaries", headers })) as GlossaryList | null;
    const existing = list?.glossaries?.find((glossary) => glossary.name === name && glossary.ready !== false);
    if (typeof existing?.glossary_id === "string") return existing.glossary_id;
    try {
      const body = { name, source_lang: source, target_lang: target, entries, entries_format: "tsv" };
      const created = (await send({ path: "/v2/glossaries", headers, body })) as { glossary_id?: unknown };
      return typeof created?.glossary_id === "string" ? created.glossary_id : undefined;
    } catch (error) {
      if (error instanceof TranslatorError && error.reason === "rejected") return undefined;
      throw error;
    }
  }

  return async ({ texts, from, to, instructions, glossary }) => {
    const source = from === undefined ? undefined : (SOURCE_CODES[from] ?? from.toUpperCase());
    const target = TARGET_CODES[to] ?? to.toUpperCase();
    const terms = mergeGlossaries(options.glossaries?.[to], glossary);
    let glossaryId: string | undefined;
    if (source !== undefined && terms.length > 0) {
      // The codes of a glossary have no country.
      const [glossarySource, glossaryTarget] = [source.slice(0, 2).toLowerCase(), target.slice(0, 2).toLowerCase()];
      const toCell = (text: string) => text.replace(/\s+/g, " ").trim();
      const entries = terms.map(({ term, translation }) => `${toCell(term)}\t${toCell(translation)}`).join("\n");
      const name = `octavo-${glossarySource}-${glossaryTarget}-${sha256Hex(entries).slice(0, 24)}`;
      const pendingId = glossaryIds.get(name) ?? findOrCreateGlossary(name, glossarySource, glossaryTarget, entries);
      glossaryIds.set(name, pendingId);
      // A glossary that could not be created is tried again by the next call.
      pendingId.catch(() => glossaryIds.delete(name));
      glossaryId = await pendingId;
    }
    const maskedTexts = texts.map((text) => replaceTerms(text, glossaryId === undefined ? terms : []));
    const batches = splitIntoBatches(
      maskedTexts.map(({ text }) => text),
      MAX_BATCH_TEXTS,
      MAX_BATCH_CHARACTERS,
    );

    const translations: string[] = [];
    for (const batch of batches) {
      const response = await send({
        path: "/v2/translate",
        headers,
        body: {
          text: batch,
          target_lang: target,
          tag_handling: "xml",
          ...omitUndefined({
            source_lang: source,
            glossary_id: glossaryId,
            context: instructions?.slice(0, MAX_CONTEXT_CHARACTERS),
          }),
        },
      });
      const translated = (response as { translations?: { text?: unknown }[] } | null)?.translations;
      if (!Array.isArray(translated) || translated.length !== batch.length) throw createInvalidResponseError(url);
      translations.push(...translated.map(({ text }) => String(text)));
    }
    return translations.map((text, index) => maskedTexts[index]!.restore(text));
  };
}

interface GlossaryList {
  readonly glossaries?: readonly {
    readonly name?: unknown;
    readonly glossary_id?: unknown;
    readonly ready?: unknown;
  }[];
}
