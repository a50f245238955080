// Messages of the library, in Russian.

import type { library as english } from "../en/library";
import type { TranslatedMessages } from "../translated-messages";

export const library: TranslatedMessages<typeof english> = {
  newSpace: "Новое пространство",
  newCollection: "Новая коллекция",
  noSpaces: "Здесь пока ничего нет. В пространстве лежат страницы одной книги.",
  spaces: "Пространства",
  collections: "Коллекции",
  changed: "Изменено {when}",
  openRequests: {
    one: "{count} открытый запрос на изменение",
    few: "{count} открытых запроса на изменение",
    many: "{count} открытых запросов на изменение",
    other: "{count} открытого запроса на изменение",
  },
};
