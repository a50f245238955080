// What a language must have: the words of English, each as a sentence, or as the forms that a number asks for.

/** A sentence in the forms that its language has for numbers: English has two, Russian three, Japanese one. `{count}` is
 * the number. `other` is the form for all that have none of their own. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** The words of a part in another language. A word that is missing is an error of types. */
export type Translated<English> = {
  readonly [Word in keyof English]: English[Word] extends string ? string : Plural;
};
