// Messages of the account page, in Norwegian.

import type { account as english } from "../en/account";
import type { TranslatedMessages } from "../translated-messages";

export const account: TranslatedMessages<typeof english> = {
  tokens: "API-nøkler",
  tokensWhy: "Med en nøkkel kan et program gjøre det du kan gjøre.",
  noTokens: "Du har ingen nøkler.",
  newToken: "Ny nøkkel",
  newTokenLabel: "Hva nøkkelen er til",
  shownOnce: "Den vises bare denne ene gangen.",
  copy: "Kopier",
  copied: "Kopiert",
  revoke: "Trekk tilbake",
  revokeWhy: "Programmer som bruker denne nøkkelen, slutter å virke med en gang.",
  sessions: "Hvor du er logget inn",
  thisBrowser: "Denne nettleseren",
  unknownBrowser: "En annen nettleser",
  endSession: "Logg ut der",
  endAll: "Logg ut overalt",
  endAllWhy: "Alle nettlesere logges ut, også denne.",
  yourData: "Dine data",
  downloadYourData: "Last ned alt som er lagret om deg",
};
