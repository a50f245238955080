// Messages of the account page, in Chinese.

import type { account as english } from "../en/account";
import type { TranslatedMessages } from "../translated-messages";

export const account: TranslatedMessages<typeof english> = {
  tokens: "API 令牌",
  tokensWhy: "持有令牌的程序可以做您能做的事。",
  noTokens: "您没有令牌。",
  newToken: "新建令牌",
  newTokenLabel: "令牌的用途",
  shownOnce: "只显示这一次。",
  copy: "复制",
  copied: "已复制",
  revoke: "撤销",
  revokeWhy: "使用此令牌的程序会立即停止工作。",
  sessions: "已登录的位置",
  thisBrowser: "此浏览器",
  unknownBrowser: "其他浏览器",
  endSession: "在该处退出",
  endAll: "在所有位置退出",
  endAllWhy: "所有浏览器都会退出登录，包括此浏览器。",
  yourData: "您的数据",
  downloadYourData: "下载存储的所有关于您的数据",
};
