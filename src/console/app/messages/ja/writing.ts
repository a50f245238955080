// Messages about writing, comments, the history, the trash and variables, in Japanese.

import type { writing as english } from "../en/writing";
import type { TranslatedMessages } from "../translated-messages";

export const writing: TranslatedMessages<typeof english> = {
  changedByOther: "ほかの人がこのページを変更しました。入力した内容はそのままです。",
  putTogetherNow: "両方を合わせる",
  changedJustNow: "ほかの人がたった今このページを変更しました。表示されているのは現在の内容です。",
  refusedNow: "このページを変更できなくなりました。書いた内容はこのブラウザーに残っています。",
  goneNow: "ほかの人がこのページを削除しました。書いた内容はこのブラウザーに残っています。",
  copyText: "テキストをコピー",
  savedLater: "サーバーに接続でき次第、保存されます。",
  commentOn: "「{block}」にコメント",
  commentsOnBlock: { other: "コメント {count} 件" },
  historyOf: "{title} の履歴",
  revisionEdits: "編集",
  revisionMerge: "変更リクエストをマージ",
  revisionUpdate: "更新",
  revisionNow: "現在",
  noHistory: "まだ何も変更されていません。",
  backToThis: "この状態に戻す",
  pageBackWhy: "ページのテキストと項目が以前の内容に戻ります。位置は変わりません。現在の内容は履歴に残ります。",
  spaceBack: "スペースをこの状態に戻す",
  spaceBackWhy:
    "その後の変更をページごとに取り消す変更リクエストが開かれます。確認してからマージしてください。ファイルと再利用コンテンツはそのままです。",
  spaceBackNothing: "それ以降の変更はありません。",
  trash: "ゴミ箱",
  trashWhy: "削除したスペースは 7 日間ここに残り、その後は完全に失われます。",
  trashEmpty: "ゴミ箱は空です。",
  restore: "元に戻す",
  deletedAt: "{when}に削除",
  variables: "変数",
  variablesWhy: "このスペースのページが名前で表示する値です。変更はすべてのページに反映されます。",
  variableName: "名前",
  variableValue: "値",
  noVariables: "このスペースにはまだ変数がありません。",
};
