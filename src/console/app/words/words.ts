// The words of the console, in the language of the person.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Language } from "../../../locales/languages";
import type { en } from "./en";
import type { Plural, Translated } from "./translated";

export interface Words extends Translated<typeof en> {
  /** Which language they are of. Times and numbers are told in it. */
  readonly inLanguage: Language;
}

export const InWords = createContext<Words | undefined>(undefined);

export function useWords(): Words {
  const words = useContext(InWords);
  if (!words) throw new Error("Words are used before a language was loaded.");
  return words;
}

type Parts = Readonly<Record<string, string | number>>;

/** A sentence with something put in: `{name}`. */
export function filled(sentence: string, parts: Parts): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole));
}

/** A sentence about a number, in the form that the number asks for. `{count}` is the number. */
export function counted({ inLanguage }: Words, forms: Plural, count: number, parts: Parts = {}): string {
  const form = forms[new Intl.PluralRules(inLanguage).select(count)] ?? forms.other;
  return filled(form, { ...parts, count: numberIn(inLanguage, count) });
}

/** A number as the language writes it. */
export function numberIn(language: Language, value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(language, options).format(value);
}
