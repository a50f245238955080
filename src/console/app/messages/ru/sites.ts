// Messages about sites, in Russian.

import type { sites as english } from "../en/sites";
import type { TranslatedMessages } from "../translated-messages";

export const sites: TranslatedMessages<typeof english> = {
  newSite: "Новый сайт",
  noSites: "Сайтов пока нет. Сайт показывает пространства читателям.",
  firstSpace: "Первое пространство на нём",
  published: "Опубликован",
  notPublished: "Не опубликован",
  visibilityPublic: "Все",
  visibilityUnlisted: "Все, но поисковые системы его не показывают",
  visibilityShareLink: "Те, у кого есть ссылка",
  visibilityVisitors: "Посетители, которые вошли",
  whoSees: "Кто его видит",
  openSite: "Открыть сайт",
  publish: "Опубликовать",
  unpublish: "Снять с публикации",
  deleteSite: "Удалить сайт",
  deleteSiteWhy: "«{title}» больше не будет открываться по своему адресу. Его пространства останутся.",
  spacesOfSite: "Пространства на этом сайте",
  noSpacesOfSite: "На этом сайте пока нет пространств.",
  addSpace: "Добавить пространство",
  isDefault: "открывается первым",
};
