// The types of translations: the messages of English, each as a sentence or as plural forms.

/** A sentence in the forms that its language has for numbers: English has two, Russian three, Japanese one. `{count}` is
 * the number. `other` is the form for all that have none of their own. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** The messages in another language. A missing message is a type error. */
export type TranslatedMessages<English> = {
  readonly [Word in keyof English]: English[Word] extends string ? string : PluralForms;
};
