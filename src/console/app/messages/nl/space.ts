// Messages about a space and its pages, in Dutch.

import type { space as english } from "../en/space";
import type { TranslatedMessages } from "../translated-messages";

export const space: TranslatedMessages<typeof english> = {
  pages: "Pagina’s",
  newPage: "Nieuwe pagina",
  newGroup: "Nieuwe groep",
  noPages: "Deze ruimte heeft nog geen pagina’s.",
  firstPage: "De eerste pagina schrijven",
  edit: "Bewerken",
  editHere: "Direct bewerken",
  editInChangeRequest: "In een wijzigingsverzoek bewerken",
  lockedSpace: "Deze ruimte wordt alleen met wijzigingsverzoeken gewijzigd.",
  moveUp: "Omhoog",
  moveDown: "Omlaag",
  moveIn: "Onder de vorige pagina plaatsen",
  moveOut: "Een niveau naar buiten",
  deletePage: "Pagina verwijderen",
  deletePageWhy: "‘{title}’ en de pagina’s eronder worden uit de ruimte gehaald. De geschiedenis bewaart ze.",
  movedTo: "{title} is nu {place} van {count}.",
  history: "Geschiedenis",
};
