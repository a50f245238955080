// The words of the console, in the language of the person.

import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { en } from "./en";

export type Words = {
  readonly [Word in keyof typeof en]: (typeof en)[Word] extends string ? string : (typeof en)[Word];
};

export const InWords = createContext<Words>(en);

export function useWords(): Words {
  return useContext(InWords);
}

/** A sentence with something put in: `{name}`. */
export function filled(sentence: string, parts: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole));
}
