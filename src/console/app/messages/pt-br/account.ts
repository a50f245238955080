// Messages of the account page, in Portuguese (Brazil).

import type { account as english } from "../en/account";
import type { TranslatedMessages } from "../translated-messages";

export const account: TranslatedMessages<typeof english> = {
  tokens: "Tokens de API",
  tokensWhy: "Com um token, um programa pode fazer o que você pode fazer.",
  noTokens: "Você não tem tokens.",
  newToken: "Novo token",
  newTokenLabel: "Para que serve o token",
  shownOnce: "Ele é mostrado só desta vez.",
  copy: "Copiar",
  copied: "Copiado",
  revoke: "Revogar",
  revokeWhy: "Os programas que usam este token param de funcionar imediatamente.",
  sessions: "Onde você está conectado",
  thisBrowser: "Este navegador",
  unknownBrowser: "Outro navegador",
  endSession: "Sair de lá",
  endAll: "Sair em todos os lugares",
  endAllWhy: "Todos os navegadores são desconectados, este também.",
  yourData: "Seus dados",
  downloadYourData: "Baixar tudo o que está guardado sobre você",
};
