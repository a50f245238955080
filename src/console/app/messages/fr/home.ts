// Messages of the home page, in French.

import type { home as english } from "../en/home";
import type { TranslatedMessages } from "../translated-messages";

export const home: TranslatedMessages<typeof english> = {
  chooseOrganization: "Vos organisations",
  noOrganization: "Vous ne faites encore partie d’aucune organisation. Créez-en une ou demandez une invitation.",
  newOrganization: "Nouvelle organisation",
};
