// Messages of all pages, in German.

import type { everywhere as english } from "../en/everywhere";
import type { TranslatedMessages } from "../translated-messages";

export const everywhere: TranslatedMessages<typeof english> = {
  loading: "Wird geladen …",
  showMore: "Mehr anzeigen",
  tryAgain: "Noch einmal versuchen",
  close: "Schließen",
  cancel: "Abbrechen",
  save: "Speichern",
  saving: "Wird gespeichert …",
  saved: "Gespeichert",
  delete: "Löschen",
  rename: "Umbenennen",
  create: "Anlegen",
  more: "Mehr",
  skip: "Zum Inhalt springen",
  search: "Suchen",
  title: "Titel",
  notFound: "Diese Seite gibt es nicht",
  notFoundWhy: "Sie wurde verschoben oder gelöscht, oder Sie dürfen sie nicht sehen.",
  wentWrong: "Etwas ist schiefgegangen",
  connectionLost: "Es gibt keine Verbindung zum Server. Was Sie geschrieben haben, bleibt erhalten.",
  signedOut: "Sie wurden abgemeldet",
  signedOutWhy:
    "Melden Sie sich in einem neuen Tab wieder an, und kommen Sie dann zurück. Nichts, was Sie geschrieben haben, geht verloren.",
  signInAgain: "Anmelden",
  goOn: "Weiter",
};
