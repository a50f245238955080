// Messages of the home page, in Russian.

import type { home as english } from "../en/home";
import type { TranslatedMessages } from "../translated-messages";

export const home: TranslatedMessages<typeof english> = {
  chooseOrganization: "Ваши организации",
  noOrganization: "Вы пока не состоите ни в одной организации. Создайте свою или попросите приглашение.",
  newOrganization: "Новая организация",
};
