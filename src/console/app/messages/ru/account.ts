// Messages of the account page, in Russian.

import type { account as english } from "../en/account";
import type { TranslatedMessages } from "../translated-messages";

export const account: TranslatedMessages<typeof english> = {
  tokens: "Токены API",
  tokensWhy: "С токеном программа может делать то же, что и вы.",
  noTokens: "У вас нет токенов.",
  newToken: "Новый токен",
  newTokenLabel: "Для чего токен",
  shownOnce: "Он показывается только один раз.",
  copy: "Копировать",
  copied: "Скопировано",
  revoke: "Отозвать",
  revokeWhy: "Программы, которые используют этот токен, сразу перестанут работать.",
  sessions: "Где вы вошли",
  thisBrowser: "Этот браузер",
  unknownBrowser: "Другой браузер",
  endSession: "Выйти там",
  endAll: "Выйти везде",
  endAllWhy: "Выход будет выполнен во всех браузерах, в том числе в этом.",
  yourData: "Ваши данные",
  downloadYourData: "Скачать всё, что о вас хранится",
};
