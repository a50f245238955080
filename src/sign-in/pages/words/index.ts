// The words of the pages, in every language.

import type { Language, MessageCatalog } from "../../../locales/languages";
import { de } from "./de";
import { en, type Words } from "./en";
import { es } from "./es";
import { fr } from "./fr";
import { ja } from "./ja";
import { nl } from "./nl";
import { no } from "./no";
import { ptBr } from "./pt-br";
import { ru } from "./ru";
import { zh } from "./zh";

const all: MessageCatalog<Words> = { en, fr, es, zh, ja, de, nl, no, "pt-br": ptBr, ru };

/** The words of a language. */
export function wordsIn(language: Language): Words {
  return all[language];
}
