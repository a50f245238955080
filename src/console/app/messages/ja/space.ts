// Messages about a space and its pages, in Japanese.

import type { space as english } from "../en/space";
import type { TranslatedMessages } from "../translated-messages";

export const space: TranslatedMessages<typeof english> = {
  pages: "ページ",
  newPage: "新しいページ",
  newGroup: "新しいグループ",
  noPages: "このスペースにはまだページがありません。",
  firstPage: "最初のページを書く",
  edit: "編集",
  editHere: "直接編集",
  editInChangeRequest: "変更リクエストで編集",
  lockedSpace: "このスペースは変更リクエストでのみ変更できます。",
  moveUp: "上へ移動",
  moveDown: "下へ移動",
  moveIn: "上のページの中へ移動",
  moveOut: "外へ移動",
  deletePage: "ページを削除",
  deletePageWhy: "「{title}」とその下のページをスペースから取り除きます。履歴には残ります。",
  movedTo: "{title} は {count} 件中 {place} 番目になりました。",
  history: "履歴",
};
