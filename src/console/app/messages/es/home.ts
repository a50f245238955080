// Messages of the home page, in Spanish.

import type { home as english } from "../en/home";
import type { TranslatedMessages } from "../translated-messages";

export const home: TranslatedMessages<typeof english> = {
  chooseOrganization: "Sus organizaciones",
  noOrganization: "Aún no está en ninguna organización. Cree una o pida una invitación.",
  newOrganization: "Nueva organización",
};
