// Messages of the home page, in Dutch.

import type { home as english } from "../en/home";
import type { TranslatedMessages } from "../translated-messages";

export const home: TranslatedMessages<typeof english> = {
  chooseOrganization: "Uw organisaties",
  noOrganization: "U zit nog in geen organisatie. Maak er een of vraag om een uitnodiging.",
  newOrganization: "Nieuwe organisatie",
};
