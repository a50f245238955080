// The organizations of a person, in Spanish.

import type { home as english } from "../en/home";
import type { Translated } from "../translated";

export const home: Translated<typeof english> = {
  chooseOrganization: "Sus organizaciones",
  noOrganization: "Aún no está en ninguna organización. Cree una o pida una invitación.",
  newOrganization: "Nueva organización",
};
