// Messages of the page editor, in Chinese.

import type { editor as english } from "../en/editor";
import type { TranslatedMessages } from "../translated-messages";

export const editor: TranslatedMessages<typeof english> = {
  pageTitle: "页面标题",
  description: "描述",
  text: "页面正文",
  preview: "预览",
  write: "编写",
  pageSettings: "页面设置",
  slug: "地址的一部分",
  emoji: "表情符号",
  icon: "图标",
  condition: "显示条件",
  conditionHint: '例如 visitor.claims.plan == "pro" 的表达式。留空：始终显示。',
  hidden: "不显示在目录中",
  noIndex: "不显示在搜索中",
  unsaved: "尚未保存",
  keptHere: "已暂存在此浏览器中",
  draftFound: "您在这里写的内容尚未保存。",
  takeDraft: "继续编写",
  dropDraft: "丢弃",
  staleTitle: "其他人修改了此页面",
  staleWhy: "左边是对方的文字，右边是您的文字。请保留需要的内容，然后保存。",
  staleMerged: "其他人修改了此页面。两处修改已合并：请检查后保存。",
  theirs: "当前保存的内容",
  yours: "您编写的内容",
  saveMerged: "保存此文字",
  done: "完成",
  insertBlock: "插入块",
  uploadFailed: "无法保存文件：{why}",
};
