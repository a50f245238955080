// The organizations of a person, in Portuguese (Brazil).

import type { home as english } from "../en/home";
import type { Translated } from "../translated";

export const home: Translated<typeof english> = {
  chooseOrganization: "Suas organizações",
  noOrganization: "Você ainda não está em nenhuma organização. Crie uma ou peça um convite.",
  newOrganization: "Nova organização",
};
