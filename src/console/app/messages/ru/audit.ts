// Messages of the audit log, in Russian.

import type { audit as english } from "../en/audit";
import type { TranslatedMessages } from "../translated-messages";

export const audit: TranslatedMessages<typeof english> = {
  auditWhy: "Кто, что, когда и откуда сделал. Здесь есть идентификаторы и имена полей, но не содержимое.",
  noAuditEvents: "Ничего такого не происходило.",
  actor: "Кто",
  anybody: "Кто угодно",
  action: "Что",
  anyAction: "Что угодно",
  thing: "Идентификатор объекта",
  fromDay: "С",
  untilDay: "По",
  oldestFirst: "Сначала старые",
  downloadLog: "Скачать строками JSON",
  eventOperation: "Операция",
  eventStatus: "Ответ",
  eventCredential: "Посредством",
  eventAddress: "Адрес",
  eventBrowser: "Программа",
  eventThings: "О чём",
  eventMade: "Создано",
  eventChanges: "Поля",
  eventTampered: "Эта строка была изменена в хранилище.",
};
