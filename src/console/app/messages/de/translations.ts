// Messages about translations, in German.

import type { translations as english } from "../en/translations";
import type { TranslatedMessages } from "../translated-messages";

export const translations: TranslatedMessages<typeof english> = {
  newTranslation: "Neue Übersetzung",
  noTranslations:
    "Es gibt noch keine Übersetzungen. Eine Übersetzung ist ein Bereich, der einem anderen in einer anderen Sprache folgt.",
  translationPending: "Wartet",
  translationRunning: "Wird übersetzt",
  translationCompleted: "Aktuell",
  translationFailed: "Fehlgeschlagen",
  sourceSpace: "Quelle",
  translatedSpace: "Übersetzung",
  translationStats: "übersetzte Seiten: {pages}, Wörter: {words}",
  translate: "Übersetzen",
  translateAgain: "Erneut ausführen",
  translateInto: "In",
  translateFrom: "Aus",
  findOut: "Der Übersetzer findet es heraus",
  triedAgain: "Es wird von selbst noch einmal versucht.",
  untranslated: "Sätze, die ihre Quelle behielten: {count}",
  instructions: "Anweisungen",
  instructionsHint: "Was der Übersetzer beachten soll, etwa die Anrede.",
  instructionsWhy: "Mit anderen Anweisungen wird alles neu übersetzt.",
  glossary: "Glossar",
  term: "Begriff",
  termTranslation: "Heißt",
  addTerm: "Begriff hinzufügen",
  endTranslation: "Beenden",
  endTranslationWhy: "Der Bereich bleibt, wie er ist, und folgt seiner Quelle nicht mehr.",
};
