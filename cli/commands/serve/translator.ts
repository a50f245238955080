// The machine translator of a server, from its settings.

import type { Translator } from "octavo";
import { guardedFetch } from "octavo/node";
import { omitUndefined } from "../../../src/utils/objects";
import type { CommandInput } from "../../framework/command";
import { UsageError } from "../../framework/command";

export interface TranslatorSettings {
  readonly kind: string;
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly model: string | undefined;
}

export function readTranslatorSettings({ text, label }: CommandInput): TranslatorSettings | undefined {
  const kind = text("translator");
  if (kind === undefined) return undefined;
  const [url, key, model] = [text("translator-url"), text("translator-key"), text("translator-model")];
  const isValid = url === undefined ? kind !== "libretranslate" : /^https?:/.test(url) && URL.canParse(url);
  if (!isValid)
    throw new UsageError(`${label("translator-url")} must be a URL, such as https://translate.example.com.`);
  if (kind === "openai" && model === undefined)
    throw new UsageError(`${label("translator-model")} must name the model when ${label("translator")} is openai.`);
  if (kind === "deepl" && key === undefined)
    throw new UsageError(`TRANSLATOR_KEY must be set when ${label("translator")} is deepl.`);
  return { kind, url, key, model };
}

/** Creates the translator as an option of the API. Its host is trusted, because the operator of the server has named it. */
export async function createTranslator(settings: TranslatorSettings | undefined): Promise<{ translator?: Translator }> {
  if (!settings) return {};
  const { kind, url, key, model } = settings;
  const { deepLTranslator, libreTranslator, openAiTranslator } = await import("octavo/translators");
  const fetch = guardedFetch({ allow: url === undefined ? [] : [new URL(url).host], timeoutMs: 120_000 });
  const options = { fetch, ...omitUndefined({ url, key }) };
  if (kind === "openai") return { translator: openAiTranslator({ ...options, model: model! }) };
  if (kind === "deepl") return { translator: deepLTranslator({ ...options, key: key! }) };
  return { translator: libreTranslator({ ...options, url: url! }) };
}
