// Messages about translations, in Dutch.

import type { translations as english } from "../en/translations";
import type { TranslatedMessages } from "../translated-messages";

export const translations: TranslatedMessages<typeof english> = {
  newTranslation: "Nieuwe vertaling",
  noTranslations: "Er zijn nog geen vertalingen. Een vertaling is een ruimte die een andere volgt in een andere taal.",
  translationPending: "Wacht",
  translationRunning: "Wordt vertaald",
  translationCompleted: "Actueel",
  translationFailed: "Mislukt",
  sourceSpace: "Bron",
  translatedSpace: "Vertaling",
  translationStats: "vertaalde pagina’s: {pages}, woorden: {words}",
  translate: "Vertalen",
  translateAgain: "Opnieuw uitvoeren",
  translateInto: "Naar",
  translateFrom: "Van",
  findOut: "De vertaler zoekt het uit",
  triedAgain: "Het wordt vanzelf opnieuw geprobeerd.",
  untranslated: "Zinnen die hun bron behielden: {count}",
  instructions: "Aanwijzingen",
  instructionsHint: "Waar de vertaler op moet letten, zoals de aanspreekvorm.",
  instructionsWhy: "Met andere aanwijzingen wordt alles opnieuw vertaald.",
  glossary: "Woordenlijst",
  term: "Term",
  termTranslation: "Heet",
  addTerm: "Term toevoegen",
  endTranslation: "Beëindigen",
  endTranslationWhy: "De ruimte blijft zoals ze is en volgt haar bron niet meer.",
};
