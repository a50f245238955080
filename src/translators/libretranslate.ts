// A translator behind LibreTranslate, which people can run themselves.

import type { GlossaryEntry, Translator } from "../content/translation/translator";
import { omitUndefined } from "../utils/objects";
import { batchesOf } from "./batches";
import { mergedGlossary, withoutTerms } from "./glossary";
import { type HostOptions, hostOf, unusable } from "./requests";

export interface LibreTranslateOptions extends HostOptions {
  /** The key; a server of one's own may need none. */
  readonly key?: string;
  /** Terms and what they are to be called, by language. */
  readonly glossaries?: Readonly<Record<string, readonly GlossaryEntry[]>>;
}

const MAX_TEXTS = 50;
const MAX_CHARACTERS = 4_000;

/** What LibreTranslate calls languages that have another name there. */
const NAMES: Readonly<Record<string, string>> = { "pt-br": "pt-BR", zh: "zh-Hans", no: "nb", yue: "zh-Hant" };
const nameOf = (language: string) => NAMES[language] ?? language;

/** Translates with a LibreTranslate server. It reads no instructions; the glossary is minded. */
export function libreTranslator(options: LibreTranslateOptions): Translator {
  const send = hostOf(options);
  return async ({ texts, from, to, glossary }) => {
    const terms = mergedGlossary(options.glossaries?.[to], glossary);
    const prepared = texts.map((text) => withoutTerms(text, terms));
    const translated: string[] = [];
    const marked = prepared.map(({ text }) => text);
    for (const batch of batchesOf(marked, MAX_TEXTS, MAX_CHARACTERS)) {
      const answer = await send({
        path: "/translate",
        headers: {},
        body: {
          q: batch,
          source: from === undefined ? "auto" : nameOf(from),
          target: nameOf(to),
          format: "html",
          ...omitUndefined({ api_key: options.key }),
        },
      });
      const found = (answer as { translatedText?: unknown } | null)?.translatedText;
      if (!Array.isArray(found) || found.length !== batch.length) throw unusable(options.url);
      translated.push(...found.map(String));
    }
    return translated.map((text, i) => prepared[i]!.back(text));
  };
}
