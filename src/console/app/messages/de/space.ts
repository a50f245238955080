// Messages about a space and its pages, in German.

import type { space as english } from "../en/space";
import type { TranslatedMessages } from "../translated-messages";

export const space: TranslatedMessages<typeof english> = {
  pages: "Seiten",
  newPage: "Neue Seite",
  newGroup: "Neue Gruppe",
  noPages: "Dieser Bereich hat noch keine Seiten.",
  firstPage: "Erste Seite schreiben",
  edit: "Bearbeiten",
  editHere: "Direkt bearbeiten",
  editInChangeRequest: "In einem Änderungsvorschlag bearbeiten",
  lockedSpace: "Dieser Bereich wird nur durch Änderungsvorschläge geändert.",
  moveUp: "Nach oben",
  moveDown: "Nach unten",
  moveIn: "Unter die Seite darüber",
  moveOut: "Eine Ebene nach außen",
  deletePage: "Seite löschen",
  deletePageWhy: "„{title}“ und die Seiten darunter werden aus dem Bereich genommen. Der Verlauf behält sie.",
  movedTo: "{title} ist jetzt {place} von {count}.",
  history: "Verlauf",
};
