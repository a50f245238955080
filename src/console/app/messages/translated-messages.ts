// The types of translations: the messages of English, each as a sentence or as plural forms.

/**
 * A sentence in the plural forms of its language: English has two, Russian three, Japanese one. `{count}` is the number. `other`
 * is the form of all numbers without a form of their own.
 */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** The messages in another language. A missing message is a type error. */
export type TranslatedMessages<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : PluralForms;
};
