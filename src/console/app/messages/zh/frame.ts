// Messages of the page layout, in Chinese.

import type { frame as english } from "../en/frame";
import type { TranslatedMessages } from "../translated-messages";

export const frame: TranslatedMessages<typeof english> = {
  organizations: "组织",
  yourAccount: "您的账户",
  signOut: "退出登录",
  library: "文库",
  changeRequests: "变更请求",
  sites: "站点",
  specifications: "API 规范",
  translations: "翻译",
  integrations: "集成",
  people: "人员",
  settings: "设置",
  auditLog: "审计日志",
  navigation: "导航",
  language: "语言",
};
