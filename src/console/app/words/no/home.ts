// The organizations of a person, in Norwegian.

import type { home as english } from "../en/home";
import type { Translated } from "../translated";

export const home: Translated<typeof english> = {
  chooseOrganization: "Organisasjonene dine",
  noOrganization: "Du er ikke med i noen organisasjon ennå. Opprett en, eller be om en invitasjon.",
  newOrganization: "Ny organisasjon",
};
