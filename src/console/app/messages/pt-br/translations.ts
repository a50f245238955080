// Messages about translations, in Brazilian Portuguese.

import type { translations as english } from "../en/translations";
import type { TranslatedMessages } from "../translated-messages";

export const translations: TranslatedMessages<typeof english> = {
  newTranslation: "Nova tradução",
  noTranslations: "Ainda não há traduções. Uma tradução é um espaço que segue outro em outro idioma.",
  translationPending: "Esperando",
  translationRunning: "Sendo traduzida",
  translationCompleted: "Em dia",
  translationFailed: "Falhou",
  sourceSpace: "Origem",
  translatedSpace: "Tradução",
  translationStats: "páginas traduzidas: {pages}, palavras: {words}",
  translate: "Traduzir",
  translateAgain: "Executar de novo",
  translateInto: "Para",
  translateFrom: "De",
  findOut: "O tradutor descobre",
  triedAgain: "É tentado de novo por si só.",
  untranslated: "Frases que mantiveram a origem: {count}",
  instructions: "Instruções",
  instructionsHint: "O que o tradutor deve observar, como a forma de tratamento.",
  instructionsWhy: "Com outras instruções, tudo é traduzido de novo.",
  glossary: "Glossário",
  term: "Termo",
  termTranslation: "Chama-se",
  addTerm: "Adicionar um termo",
  endTranslation: "Encerrar",
  endTranslationWhy: "O espaço fica como está e deixa de seguir sua origem.",
};
