// Who translates, as the settings of a server say it.

import type { Translator } from "octavo";
import { guardedFetch } from "octavo/node";
import { omitUndefined } from "../../../src/utils/objects";
import { wrongUse } from "../../framework/errors";
import type { Given } from "../../framework/parsed-arguments";

export interface TranslatorSettings {
  readonly kind: string;
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly model: string | undefined;
}

export function translatorSettings({ text, label }: Given): TranslatorSettings | undefined {
  const kind = text("translator");
  if (kind === undefined) return undefined;
  const [url, key, model] = [text("translator-url"), text("translator-key"), text("translator-model")];
  const isGood = url === undefined ? kind !== "libretranslate" : /^https?:/.test(url) && URL.canParse(url);
  if (!isGood) throw wrongUse(`${label("translator-url")} must be a URL, such as https://translate.example.com.`);
  if (kind === "openai" && model === undefined)
    throw wrongUse(`${label("translator-model")} must name the model when ${label("translator")} is openai.`);
  if (kind === "deepl" && key === undefined)
    throw wrongUse(`TRANSLATOR_KEY must be set when ${label("translator")} is deepl.`);
  return { kind, url, key, model };
}

/** The translator. Its host is trusted, wherever it is: whoever runs this server has named it. */
export async function translatorOf(wanted: TranslatorSettings | undefined): Promise<{ translator?: Translator }> {
  if (!wanted) return {};
  const { kind, url, key, model } = wanted;
  const { deepLTranslator, libreTranslator, openAiTranslator } = await import("octavo/translators");
  const fetch = guardedFetch({ allow: url === undefined ? [] : [new URL(url).host], timeoutMs: 120_000 });
  const options = { fetch, ...omitUndefined({ url, key }) };
  if (kind === "openai") return { translator: openAiTranslator({ ...options, model: model! }) };
  if (kind === "deepl") return { translator: deepLTranslator({ ...options, key: key! }) };
  return { translator: libreTranslator({ ...options, url: url! }) };
}
