// Messages of the page editor, in Russian.

import type { editor as english } from "../en/editor";
import type { TranslatedMessages } from "../translated-messages";

export const editor: TranslatedMessages<typeof english> = {
  pageTitle: "Заголовок страницы",
  description: "Описание",
  text: "Текст страницы",
  preview: "Предпросмотр",
  write: "Текст",
  pageSettings: "Настройки страницы",
  slug: "Часть адреса",
  emoji: "Эмодзи",
  icon: "Значок",
  condition: "Показывать, если",
  conditionHint: 'Выражение, например visitor.claims.plan == "pro". Пусто: всегда.',
  hidden: "Не показывать в оглавлении",
  noIndex: "Не показывать в поиске",
  unsaved: "Ещё не сохранено",
  keptHere: "Хранится в этом браузере",
  draftFound: "Вы писали здесь текст, который не был сохранён.",
  takeDraft: "Продолжить с ним",
  dropDraft: "Удалить его",
  staleTitle: "Кто-то другой изменил эту страницу",
  staleWhy: "Слева сохранённый текст, справа ваш. Перенесите то, что должно остаться, и сохраните.",
  staleMerged: "Кто-то другой изменил эту страницу. Изменения объединены: проверьте и сохраните.",
  theirs: "Что сохранено сейчас",
  yours: "Что написали вы",
  saveMerged: "Сохранить этот текст",
  done: "Готово",
  insertBlock: "Вставить блок",
  uploadFailed: "Не удалось сохранить файл: {why}",
};
