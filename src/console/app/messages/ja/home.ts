// Messages of the home page, in Japanese.

import type { home as english } from "../en/home";
import type { TranslatedMessages } from "../translated-messages";

export const home: TranslatedMessages<typeof english> = {
  chooseOrganization: "所属する組織",
  noOrganization: "まだどの組織にも所属していません。組織を作るか、招待を依頼してください。",
  newOrganization: "新しい組織",
};
