// Messages of the account page, in German.

import type { account as english } from "../en/account";
import type { TranslatedMessages } from "../translated-messages";

export const account: TranslatedMessages<typeof english> = {
  tokens: "API-Token",
  tokensWhy: "Mit einem Token darf ein Programm, was Sie dürfen.",
  noTokens: "Sie haben keine Token.",
  newToken: "Neues Token",
  newTokenLabel: "Wofür das Token ist",
  shownOnce: "Es wird nur dieses eine Mal gezeigt.",
  copy: "Kopieren",
  copied: "Kopiert",
  revoke: "Widerrufen",
  revokeWhy: "Programme, die dieses Token benutzen, funktionieren sofort nicht mehr.",
  sessions: "Wo Sie angemeldet sind",
  thisBrowser: "Dieser Browser",
  unknownBrowser: "Ein anderer Browser",
  endSession: "Dort abmelden",
  endAll: "Überall abmelden",
  endAllWhy: "Jeder Browser wird abgemeldet, auch dieser.",
  yourData: "Ihre Daten",
  downloadYourData: "Alles herunterladen, was über Sie gespeichert ist",
};
