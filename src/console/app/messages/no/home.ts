// Messages of the home page, in Norwegian.

import type { home as english } from "../en/home";
import type { TranslatedMessages } from "../translated-messages";

export const home: TranslatedMessages<typeof english> = {
  chooseOrganization: "Organisasjonene dine",
  noOrganization: "Du er ikke med i noen organisasjon ennå. Opprett en, eller be om en invitasjon.",
  newOrganization: "Ny organisasjon",
};
