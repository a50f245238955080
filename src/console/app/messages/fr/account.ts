// Messages of the account page, in French.

import type { account as english } from "../en/account";
import type { TranslatedMessages } from "../translated-messages";

export const account: TranslatedMessages<typeof english> = {
  tokens: "Jetons d’API",
  tokensWhy: "Un jeton permet à un programme de faire ce que vous pouvez faire.",
  noTokens: "Vous n’avez aucun jeton.",
  newToken: "Nouveau jeton",
  newTokenLabel: "À quoi sert le jeton",
  shownOnce: "Il ne sera affiché qu’une seule fois.",
  copy: "Copier",
  copied: "Copié",
  revoke: "Révoquer",
  revokeWhy: "Les programmes qui utilisent ce jeton cessent aussitôt de fonctionner.",
  sessions: "Où vous êtes connecté",
  thisBrowser: "Ce navigateur",
  unknownBrowser: "Un autre navigateur",
  endSession: "Se déconnecter là-bas",
  endAll: "Se déconnecter partout",
  endAllWhy: "Tous les navigateurs sont déconnectés, celui-ci aussi.",
  yourData: "Vos données",
  downloadYourData: "Télécharger tout ce qui est enregistré à votre sujet",
};
