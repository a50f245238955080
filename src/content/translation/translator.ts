// The interface of translators. It has only types: content can be translated, but does not know by which service.

/** Texts to translate. */
export interface TranslationRequest {
  /**
   * Texts with marks: `<g id="1">…</g>` around words that are emphasized or linked, `<x id="2"></x>` for everything that is not
   * language, such as code. `&`, `<` and `>` are escaped as in XML. The translation must have every mark once, and a `<g>` around the
   * same words. The order of the marks may change with the sentence.
   */
  readonly texts: readonly string[];
  /** The language of the texts, such as `en` or `pt-br`; undefined if the translator should detect it. */
  readonly from: string | undefined;
  readonly to: string;
  /** Instructions for the translation, in Markdown. */
  readonly instructions?: string | undefined;
  /** Terms and their translations. */
  readonly glossary?: readonly GlossaryEntry[] | undefined;
}

/** A term and its translation. */
export interface GlossaryEntry {
  readonly term: string;
  readonly translation: string;
}

/** Translates texts. Returns as many as it received, in the same order. */
export type Translator = (request: TranslationRequest) => Promise<readonly string[]>;
