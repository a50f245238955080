// Messages of all pages, in Russian.

import type { everywhere as english } from "../en/everywhere";
import type { TranslatedMessages } from "../translated-messages";

export const everywhere: TranslatedMessages<typeof english> = {
  loading: "Загрузка…",
  showMore: "Показать ещё",
  tryAgain: "Повторить",
  close: "Закрыть",
  cancel: "Отмена",
  save: "Сохранить",
  saving: "Сохранение…",
  saved: "Сохранено",
  delete: "Удалить",
  rename: "Переименовать",
  create: "Создать",
  more: "Ещё",
  skip: "Перейти к содержанию",
  search: "Поиск",
  title: "Название",
  notFound: "Такой страницы нет",
  notFoundWhy: "Она перемещена или удалена, либо у вас нет к ней доступа.",
  wentWrong: "Что-то пошло не так",
  connectionLost: "Нет связи с сервером. Всё, что вы ввели, сохранится.",
  signedOut: "Ваш сеанс завершён",
  signedOutWhy: "Войдите снова в новой вкладке и вернитесь сюда. Ничего из введённого не потеряется.",
  signInAgain: "Войти",
  goOn: "Продолжить",
};
