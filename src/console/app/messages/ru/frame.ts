// Messages of the page layout, in Russian.

import type { frame as english } from "../en/frame";
import type { TranslatedMessages } from "../translated-messages";

export const frame: TranslatedMessages<typeof english> = {
  organizations: "Организации",
  yourAccount: "Ваша учётная запись",
  signOut: "Выйти",
  library: "Библиотека",
  changeRequests: "Запросы на изменение",
  sites: "Сайты",
  specifications: "Спецификации API",
  translations: "Переводы",
  integrations: "Интеграции",
  people: "Люди",
  settings: "Настройки",
  auditLog: "Журнал аудита",
  navigation: "Навигация",
  language: "Язык",
};
