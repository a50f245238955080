// octavo/translators: functions that translate, for the option `translator`. Each takes the `fetch` that it is given.

export type { GlossaryEntry, TranslationRequest, Translator } from "../content/translation/translator";
export { type DeepLOptions, deepLTranslator } from "./deepl";
export { TranslatorFailed, type TranslatorReason } from "./failed";
export { type LibreTranslateOptions, libreTranslator } from "./libretranslate";
export { type OpenAiOptions, openAiTranslator } from "./openai";
export type { HostOptions } from "./requests";
