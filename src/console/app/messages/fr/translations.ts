// Messages about translations, in French.

import type { translations as english } from "../en/translations";
import type { TranslatedMessages } from "../translated-messages";

export const translations: TranslatedMessages<typeof english> = {
  newTranslation: "Nouvelle traduction",
  noTranslations:
    "Il n’y a pas encore de traductions. Une traduction est un espace qui en suit un autre dans une autre langue.",
  translationPending: "En attente",
  translationRunning: "En traduction",
  translationCompleted: "À jour",
  translationFailed: "Échec",
  sourceSpace: "Source",
  translatedSpace: "Traduction",
  translationStats: "pages traduites : {pages}, mots : {words}",
  translate: "Traduire",
  translateAgain: "Relancer",
  translateInto: "Vers",
  translateFrom: "Depuis",
  findOut: "Le traducteur le trouve",
  triedAgain: "Un nouvel essai a lieu de lui-même.",
  untranslated: "Phrases qui ont gardé leur source : {count}",
  instructions: "Consignes",
  instructionsHint: "Ce que le traducteur doit respecter, comme le vouvoiement.",
  instructionsWhy: "Avec d’autres consignes, tout est traduit de nouveau.",
  glossary: "Glossaire",
  term: "Terme",
  termTranslation: "Se dit",
  addTerm: "Ajouter un terme",
  endTranslation: "Arrêter",
  endTranslationWhy: "L’espace reste tel quel et ne suit plus sa source.",
};
