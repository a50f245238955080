// Messages about a space and its pages, in Chinese.

import type { space as english } from "../en/space";
import type { TranslatedMessages } from "../translated-messages";

export const space: TranslatedMessages<typeof english> = {
  pages: "页面",
  newPage: "新建页面",
  newGroup: "新建分组",
  noPages: "此空间还没有页面。",
  firstPage: "编写第一个页面",
  edit: "编辑",
  editHere: "直接编辑",
  editInChangeRequest: "在变更请求中编辑",
  lockedSpace: "此空间只能通过变更请求修改。",
  moveUp: "上移",
  moveDown: "下移",
  moveIn: "移入上方页面",
  moveOut: "移出",
  deletePage: "删除页面",
  deletePageWhy: "“{title}”及其下的页面会从空间中移除。历史记录会保留它们。",
  movedTo: "{title} 现在是第 {place} 个，共 {count} 个。",
  history: "历史记录",
};
