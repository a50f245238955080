// The organizations of a person, in Dutch.

import type { home as english } from "../en/home";
import type { Translated } from "../translated";

export const home: Translated<typeof english> = {
  chooseOrganization: "Uw organisaties",
  noOrganization: "U zit nog in geen organisatie. Maak er een of vraag om een uitnodiging.",
  newOrganization: "Nieuwe organisatie",
};
