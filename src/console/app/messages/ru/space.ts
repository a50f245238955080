// Messages about a space and its pages, in Russian.

import type { space as english } from "../en/space";
import type { TranslatedMessages } from "../translated-messages";

export const space: TranslatedMessages<typeof english> = {
  pages: "Страницы",
  newPage: "Новая страница",
  newGroup: "Новая группа",
  noPages: "В этом пространстве пока нет страниц.",
  firstPage: "Написать первую страницу",
  edit: "Редактировать",
  editHere: "Редактировать сразу",
  editInChangeRequest: "Редактировать в запросе на изменение",
  lockedSpace: "Это пространство меняют только через запросы на изменение.",
  moveUp: "Переместить вверх",
  moveDown: "Переместить вниз",
  moveIn: "Вложить в страницу выше",
  moveOut: "Вынести на уровень выше",
  deletePage: "Удалить страницу",
  deletePageWhy: "«{title}» и вложенные страницы убираются из пространства. В истории они останутся.",
  movedTo: "{title}: теперь {place} из {count}.",
  history: "История",
};
