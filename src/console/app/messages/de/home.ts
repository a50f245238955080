// Messages of the home page, in German.

import type { home as english } from "../en/home";
import type { TranslatedMessages } from "../translated-messages";

export const home: TranslatedMessages<typeof english> = {
  chooseOrganization: "Ihre Organisationen",
  noOrganization: "Sie sind noch in keiner Organisation. Legen Sie eine an, oder bitten Sie um eine Einladung.",
  newOrganization: "Neue Organisation",
};
