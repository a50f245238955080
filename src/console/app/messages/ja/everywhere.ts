// Messages of all pages, in Japanese.

import type { everywhere as english } from "../en/everywhere";
import type { TranslatedMessages } from "../translated-messages";

export const everywhere: TranslatedMessages<typeof english> = {
  loading: "読み込み中…",
  showMore: "さらに表示",
  tryAgain: "もう一度試す",
  close: "閉じる",
  cancel: "キャンセル",
  save: "保存",
  saving: "保存中…",
  saved: "保存しました",
  delete: "削除",
  rename: "名前を変更",
  create: "作成",
  more: "その他",
  skip: "本文へ移動",
  search: "検索",
  title: "タイトル",
  notFound: "このページはありません",
  notFoundWhy: "移動または削除されたか、表示する権限がありません。",
  wentWrong: "問題が発生しました",
  connectionLost: "サーバーに接続できません。入力した内容は保管されています。",
  signedOut: "サインアウトしました",
  signedOutWhy: "新しいタブでサインインし直してから戻ってください。入力した内容は失われません。",
  signInAgain: "サインイン",
  goOn: "続ける",
};
