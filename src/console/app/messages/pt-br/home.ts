// Messages of the home page, in Portuguese (Brazil).

import type { home as english } from "../en/home";
import type { TranslatedMessages } from "../translated-messages";

export const home: TranslatedMessages<typeof english> = {
  chooseOrganization: "Suas organizações",
  noOrganization: "Você ainda não está em nenhuma organização. Crie uma ou peça um convite.",
  newOrganization: "Nova organização",
};
