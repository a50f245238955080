// Messages of the account page, in Dutch.

import type { account as english } from "../en/account";
import type { TranslatedMessages } from "../translated-messages";

export const account: TranslatedMessages<typeof english> = {
  tokens: "API-tokens",
  tokensWhy: "Met een token mag een programma wat u mag.",
  noTokens: "U hebt geen tokens.",
  newToken: "Nieuw token",
  newTokenLabel: "Waar het token voor is",
  shownOnce: "Het wordt alleen deze ene keer getoond.",
  copy: "Kopiëren",
  copied: "Gekopieerd",
  revoke: "Intrekken",
  revokeWhy: "Programma’s die dit token gebruiken, werken meteen niet meer.",
  sessions: "Waar u bent aangemeld",
  thisBrowser: "Deze browser",
  unknownBrowser: "Een andere browser",
  endSession: "Daar afmelden",
  endAll: "Overal afmelden",
  endAllWhy: "Elke browser wordt afgemeld, ook deze.",
  yourData: "Uw gegevens",
  downloadYourData: "Alles downloaden wat over u is opgeslagen",
};
