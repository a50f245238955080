// Messages of all pages, in Chinese.

import type { everywhere as english } from "../en/everywhere";
import type { TranslatedMessages } from "../translated-messages";

export const everywhere: TranslatedMessages<typeof english> = {
  loading: "正在加载…",
  showMore: "显示更多",
  tryAgain: "重试",
  close: "关闭",
  cancel: "取消",
  save: "保存",
  saving: "正在保存…",
  saved: "已保存",
  delete: "删除",
  rename: "重命名",
  create: "创建",
  more: "更多",
  skip: "跳到内容",
  search: "搜索",
  title: "标题",
  notFound: "没有这个页面",
  notFoundWhy: "它已被移动或删除，或者您无权查看。",
  wentWrong: "出了点问题",
  connectionLost: "无法连接服务器。您输入的内容已保留。",
  signedOut: "您已退出登录",
  signedOutWhy: "请在新标签页中重新登录，然后返回此处。您输入的内容不会丢失。",
  signInAgain: "登录",
  goOn: "继续",
};
