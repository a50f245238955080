// Messages about translations, in Norwegian.

import type { translations as english } from "../en/translations";
import type { TranslatedMessages } from "../translated-messages";

export const translations: TranslatedMessages<typeof english> = {
  newTranslation: "Ny oversettelse",
  noTranslations:
    "Det finnes ingen oversettelser ennå. En oversettelse er et område som følger et annet på et annet språk.",
  translationPending: "Venter",
  translationRunning: "Oversettes",
  translationCompleted: "Oppdatert",
  translationFailed: "Mislyktes",
  sourceSpace: "Kilde",
  translatedSpace: "Oversettelse",
  translationStats: "oversatte sider: {pages}, ord: {words}",
  translate: "Oversett",
  translateAgain: "Kjør igjen",
  translateInto: "Til",
  translateFrom: "Fra",
  findOut: "Oversetteren finner det ut",
  triedAgain: "Det prøves igjen av seg selv.",
  untranslated: "Setninger som beholdt kilden: {count}",
  instructions: "Instruksjoner",
  instructionsHint: "Hva oversetteren skal huske på, som tiltaleformen.",
  instructionsWhy: "Med andre instruksjoner oversettes alt på nytt.",
  glossary: "Ordliste",
  term: "Begrep",
  termTranslation: "Heter",
  addTerm: "Legg til et begrep",
  endTranslation: "Avslutt",
  endTranslationWhy: "Området blir som det er, og følger ikke lenger kilden.",
};
