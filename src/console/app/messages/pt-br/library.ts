// Messages of the library, in Portuguese (Brazil).

import type { library as english } from "../en/library";
import type { TranslatedMessages } from "../translated-messages";

export const library: TranslatedMessages<typeof english> = {
  newSpace: "Novo espaço",
  newCollection: "Nova coleção",
  noSpaces: "Ainda não há nada aqui. Um espaço contém as páginas de um livro.",
  spaces: "Espaços",
  collections: "Coleções",
  changed: "Mudou {when}",
  openRequests: { one: "{count} solicitação de mudança aberta", other: "{count} solicitações de mudança abertas" },
};
