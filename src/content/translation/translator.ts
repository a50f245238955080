// What a translator is given and what it gives back. Only types: content knows that it can be translated, not by whom.

/** Texts to be translated. */
export interface TranslationRequest {
  /**
   * Each is a text with marks: `<g id="1">…</g>` around words that are emphasized or linked, `<x id="2"></x>` for what is
   * no language, such as code. `&`, `<` and `>` are written as in XML. Every mark comes back once, a `<g>` around the words
   * that it was around; their order may change with the sentence.
   */
  readonly texts: readonly string[];
  /** The language that they are in, such as `en` or `pt-br`; undefined: to be found out. */
  readonly from: string | undefined;
  readonly to: string;
  /** What whoever made the translation wants to be minded, in Markdown. */
  readonly instructions?: string | undefined;
  /** Terms and what they are to be called. */
  readonly glossary?: readonly GlossaryEntry[] | undefined;
}

/** A term, and what it is called in the other language. */
export interface GlossaryEntry {
  readonly term: string;
  readonly translation: string;
}

/** Translates texts: as many come back as were given, in their order. */
export type Translator = (request: TranslationRequest) => Promise<readonly string[]>;
