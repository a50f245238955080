// The organizations of a person, in French.

import type { home as english } from "../en/home";
import type { Translated } from "../translated";

export const home: Translated<typeof english> = {
  chooseOrganization: "Vos organisations",
  noOrganization: "Vous ne faites encore partie d’aucune organisation. Créez-en une ou demandez une invitation.",
  newOrganization: "Nouvelle organisation",
};
