// The organizations of a person, in German.

import type { home as english } from "../en/home";
import type { Translated } from "../translated";

export const home: Translated<typeof english> = {
  chooseOrganization: "Ihre Organisationen",
  noOrganization: "Sie sind noch in keiner Organisation. Legen Sie eine an, oder bitten Sie um eine Einladung.",
  newOrganization: "Neue Organisation",
};
