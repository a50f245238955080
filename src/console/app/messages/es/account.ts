// Messages of the account page, in Spanish.

import type { account as english } from "../en/account";
import type { TranslatedMessages } from "../translated-messages";

export const account: TranslatedMessages<typeof english> = {
  tokens: "Tokens de API",
  tokensWhy: "Con un token, un programa puede hacer lo mismo que usted.",
  noTokens: "No tiene ningún token.",
  newToken: "Nuevo token",
  newTokenLabel: "Para qué es el token",
  shownOnce: "Solo se muestra esta vez.",
  copy: "Copiar",
  copied: "Copiado",
  revoke: "Revocar",
  revokeWhy: "Los programas que usan este token dejan de funcionar de inmediato.",
  sessions: "Dónde ha iniciado sesión",
  thisBrowser: "Este navegador",
  unknownBrowser: "Otro navegador",
  endSession: "Cerrar esa sesión",
  endAll: "Cerrar todas las sesiones",
  endAllWhy: "Se cierra la sesión en todos los navegadores, también en este.",
  yourData: "Sus datos",
  downloadYourData: "Descargar todo lo que se guarda sobre usted",
};
