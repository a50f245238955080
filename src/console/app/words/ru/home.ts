// The organizations of a person, in Russian.

import type { home as english } from "../en/home";
import type { Translated } from "../translated";

export const home: Translated<typeof english> = {
  chooseOrganization: "Ваши организации",
  noOrganization: "Вы пока не состоите ни в одной организации. Создайте свою или попросите приглашение.",
  newOrganization: "Новая организация",
};
