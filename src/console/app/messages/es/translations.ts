// Messages about translations, in Spanish.

import type { translations as english } from "../en/translations";
import type { TranslatedMessages } from "../translated-messages";

export const translations: TranslatedMessages<typeof english> = {
  newTranslation: "Nueva traducción",
  noTranslations: "Todavía no hay traducciones. Una traducción es un espacio que sigue a otro en otro idioma.",
  translationPending: "En espera",
  translationRunning: "Traduciéndose",
  translationCompleted: "Al día",
  translationFailed: "Falló",
  sourceSpace: "Origen",
  translatedSpace: "Traducción",
  translationStats: "páginas traducidas: {pages}, palabras: {words}",
  translate: "Traducir",
  translateAgain: "Ejecutar de nuevo",
  translateInto: "Al",
  translateFrom: "Del",
  findOut: "El traductor lo averigua",
  triedAgain: "Se intenta de nuevo por sí solo.",
  untranslated: "Frases que conservaron su origen: {count}",
  instructions: "Instrucciones",
  instructionsHint: "Qué debe tener en cuenta el traductor, como el tratamiento.",
  instructionsWhy: "Con otras instrucciones se traduce todo de nuevo.",
  glossary: "Glosario",
  term: "Término",
  termTranslation: "Se llama",
  addTerm: "Añadir un término",
  endTranslation: "Terminar",
  endTranslationWhy: "El espacio queda como está y deja de seguir a su origen.",
};
