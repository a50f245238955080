// octavo/translators: translators for the option `translator`. Each sends its requests through the `fetch` in its options.

export type { GlossaryEntry, TranslationRequest, Translator } from "../content/translation/translator";
export { type DeepLOptions, deepLTranslator } from "./deepl";
export { TranslatorError, type TranslatorErrorReason } from "./errors";
export { type LibreTranslateOptions, libreTranslator } from "./libretranslate";
export { type OpenAiOptions, openAiTranslator } from "./openai";
export type { HostOptions } from "./requests";
