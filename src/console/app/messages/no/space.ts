// Messages about a space and its pages, in Norwegian.

import type { space as english } from "../en/space";
import type { TranslatedMessages } from "../translated-messages";

export const space: TranslatedMessages<typeof english> = {
  pages: "Sider",
  newPage: "Ny side",
  newGroup: "Ny gruppe",
  noPages: "Dette området har ingen sider ennå.",
  firstPage: "Skriv den første siden",
  edit: "Rediger",
  editHere: "Rediger direkte",
  editInChangeRequest: "Rediger i et endringsforslag",
  lockedSpace: "Dette området endres bare med endringsforslag.",
  moveUp: "Flytt opp",
  moveDown: "Flytt ned",
  moveIn: "Flytt inn under siden over",
  moveOut: "Flytt ut",
  deletePage: "Slett siden",
  deletePageWhy: "«{title}» og sidene under den tas ut av området. Historikken beholder dem.",
  movedTo: "{title} er nå {place} av {count}.",
  history: "Historikk",
};
