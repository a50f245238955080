// Messages about translations, in Russian.

import type { translations as english } from "../en/translations";
import type { TranslatedMessages } from "../translated-messages";

export const translations: TranslatedMessages<typeof english> = {
  newTranslation: "Новый перевод",
  noTranslations: "Переводов пока нет. Перевод — это пространство, которое следует за другим на другом языке.",
  translationPending: "Ожидает",
  translationRunning: "Переводится",
  translationCompleted: "Актуален",
  translationFailed: "Ошибка",
  sourceSpace: "Источник",
  translatedSpace: "Перевод",
  translationStats: "переведено страниц: {pages}, слов: {words}",
  translate: "Перевести",
  translateAgain: "Запустить снова",
  translateInto: "На язык",
  translateFrom: "С языка",
  findOut: "Переводчик определит сам",
  triedAgain: "Попытка повторится сама.",
  untranslated: "Предложений, оставшихся как в источнике: {count}",
  instructions: "Указания",
  instructionsHint: "Что учесть переводчику, например форму обращения.",
  instructionsWhy: "С другими указаниями всё переводится заново.",
  glossary: "Глоссарий",
  term: "Термин",
  termTranslation: "Называется",
  addTerm: "Добавить термин",
  endTranslation: "Завершить",
  endTranslationWhy: "Пространство останется как есть и больше не будет следовать за источником.",
};
