// Messages about writing, comments, the history, the trash and variables, in Chinese.

import type { writing as english } from "../en/writing";
import type { TranslatedMessages } from "../translated-messages";

export const writing: TranslatedMessages<typeof english> = {
  changedByOther: "其他人在此期间更改了此页面。您输入的内容没有变动。",
  putTogetherNow: "合并两者",
  changedJustNow: "其他人刚刚更改了此页面。您看到的是现在的内容。",
  refusedNow: "您不能再更改此页面。您写的内容保留在此浏览器中。",
  goneNow: "其他人删除了此页面。您写的内容保留在此浏览器中。",
  copyText: "复制文本",
  savedLater: "一旦能连接服务器就会保存。",
  commentOn: "评论“{block}”",
  commentsOnBlock: { other: "{count} 条评论" },
  historyOf: "{title} 的历史",
  revisionEdits: "已编辑",
  revisionMerge: "变更请求已合并",
  revisionUpdate: "已更新",
  revisionNow: "当前",
  noHistory: "还没有任何更改。",
  backToThis: "回到此状态",
  pageBackWhy: "页面的文本和字段恢复为当时的样子，位置不变。现在的内容保留在历史中。",
  spaceBack: "让空间回到此状态",
  spaceBackWhy: "将打开一个变更请求，逐页撤销之后的更改。请先查看，再合并。文件和可复用内容保持不变。",
  spaceBackNothing: "此后没有更改。",
  trash: "回收站",
  trashWhy: "已删除的空间在此保留七天，之后将永久消失。",
  trashEmpty: "回收站是空的。",
  restore: "恢复",
  deletedAt: "{when}删除",
  variables: "变量",
  variablesWhy: "此空间的页面按名称显示的值。更改会显示在每个页面上。",
  variableName: "名称",
  variableValue: "值",
  noVariables: "此空间还没有变量。",
};
