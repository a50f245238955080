// Messages of the page editor, in Japanese.

import type { editor as english } from "../en/editor";
import type { TranslatedMessages } from "../translated-messages";

export const editor: TranslatedMessages<typeof english> = {
  pageTitle: "ページのタイトル",
  description: "説明",
  text: "ページの本文",
  preview: "プレビュー",
  write: "書く",
  pageSettings: "ページの設定",
  slug: "アドレスの一部",
  emoji: "絵文字",
  icon: "アイコン",
  condition: "表示する条件",
  conditionHint: 'visitor.claims.plan == "pro" のような式。空欄なら常に表示します。',
  hidden: "目次に表示しない",
  noIndex: "検索に表示しない",
  unsaved: "まだ保存していません",
  keptHere: "このブラウザーに保管済み",
  draftFound: "保存していない文章があります。",
  takeDraft: "続きを書く",
  dropDraft: "破棄する",
  staleTitle: "ほかの人がこのページを変更しました",
  staleWhy: "左が相手の文章、右があなたの文章です。残す内容を右に取り込んでから保存してください。",
  staleMerged: "ほかの人がこのページを変更しました。両方の変更をまとめました。確認してから保存してください。",
  theirs: "現在保存されている内容",
  yours: "あなたが書いた内容",
  saveMerged: "この文章を保存",
  done: "完了",
  insertBlock: "ブロックを挿入",
  uploadFailed: "ファイルを保存できませんでした: {why}",
};
