// Messages about a space and its pages, in French.

import type { space as english } from "../en/space";
import type { TranslatedMessages } from "../translated-messages";

export const space: TranslatedMessages<typeof english> = {
  pages: "Pages",
  newPage: "Nouvelle page",
  newGroup: "Nouveau groupe",
  noPages: "Cet espace n’a pas encore de pages.",
  firstPage: "Écrire la première page",
  edit: "Modifier",
  editHere: "Modifier directement",
  editInChangeRequest: "Modifier dans une demande",
  lockedSpace: "Cet espace ne se modifie que par des demandes de modification.",
  moveUp: "Monter",
  moveDown: "Descendre",
  moveIn: "Placer sous la page précédente",
  moveOut: "Remonter d’un niveau",
  deletePage: "Supprimer la page",
  deletePageWhy: "« {title} » et les pages en dessous sont retirées de l’espace. L’historique les conserve.",
  movedTo: "{title} est maintenant en position {place} sur {count}.",
  history: "Historique",
};
