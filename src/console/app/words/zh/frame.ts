// What stands around every page, in Chinese.

import type { frame as english } from "../en/frame";
import type { Translated } from "../translated";

export const frame: Translated<typeof english> = {
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
