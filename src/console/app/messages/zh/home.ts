// Messages of the home page, in Chinese.

import type { home as english } from "../en/home";
import type { TranslatedMessages } from "../translated-messages";

export const home: TranslatedMessages<typeof english> = {
  chooseOrganization: "您的组织",
  noOrganization: "您还不在任何组织中。请创建一个，或请求邀请。",
  newOrganization: "新建组织",
};
