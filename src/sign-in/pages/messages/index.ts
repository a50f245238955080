// The messages of the pages in every language.

import type { MessageCatalog } from "../../../locales/languages";
import { de } from "./de";
import { en, type PageMessages } from "./en";
import { es } from "./es";
import { fr } from "./fr";
import { ja } from "./ja";
import { nl } from "./nl";
import { no } from "./no";
import { ptBr } from "./pt-br";
import { ru } from "./ru";
import { zh } from "./zh";

export const pageMessages: MessageCatalog<PageMessages> = { en, fr, es, zh, ja, de, nl, no, "pt-br": ptBr, ru };
