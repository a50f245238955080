// Messages about writing, comments, the history, the trash and variables, in Russian.

import type { writing as english } from "../en/writing";
import type { TranslatedMessages } from "../translated-messages";

export const writing: TranslatedMessages<typeof english> = {
  changedByOther: "Кто-то другой тем временем изменил эту страницу. Набранное вами не тронуто.",
  putTogetherNow: "Объединить оба",
  changedJustNow: "Кто-то другой только что изменил эту страницу. Вы видите её текущее состояние.",
  refusedNow: "Вы больше не можете изменять эту страницу. Написанное сохранено в этом браузере.",
  goneNow: "Кто-то другой удалил эту страницу. Написанное сохранено в этом браузере.",
  copyText: "Скопировать текст",
  savedLater: "Сохранится, как только сервер станет доступен.",
  commentOn: "Комментировать «{block}»",
  commentsOnBlock: {
    one: "{count} комментарий",
    few: "{count} комментария",
    many: "{count} комментариев",
    other: "{count} комментария",
  },
  historyOf: "История: {title}",
  revisionEdits: "Изменено",
  revisionMerge: "Запрос на изменение объединён",
  revisionUpdate: "Обновлено",
  revisionNow: "Сейчас",
  noHistory: "Пока ничего не менялось.",
  backToThis: "Вернуть это состояние",
  pageBackWhy:
    "Текст и поля страницы станут прежними. Её место не изменится. То, что есть сейчас, останется в истории.",
  spaceBack: "Вернуть пространство в это состояние",
  spaceBackWhy:
    "Откроется запрос на изменение, который страница за страницей отменит более поздние изменения. Просмотрите его и объедините. Файлы и повторно используемое содержимое останутся как есть.",
  spaceBackNothing: "С тех пор ничего не менялось.",
  trash: "Корзина",
  trashWhy: "Удалённые пространства хранятся здесь семь дней. Затем они исчезают навсегда.",
  trashEmpty: "Корзина пуста.",
  restore: "Восстановить",
  deletedAt: "Удалено {when}",
  variables: "Переменные",
  variablesWhy:
    "Значения, которые страницы этого пространства показывают по имени. Изменение видно на каждой странице.",
  variableName: "Имя",
  variableValue: "Значение",
  noVariables: "В этом пространстве пока нет переменных.",
};
