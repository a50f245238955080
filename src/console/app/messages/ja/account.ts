// Messages of the account page, in Japanese.

import type { account as english } from "../en/account";
import type { TranslatedMessages } from "../translated-messages";

export const account: TranslatedMessages<typeof english> = {
  tokens: "API トークン",
  tokensWhy: "トークンを使うと、あなたにできることをプログラムが行えます。",
  noTokens: "トークンはありません。",
  newToken: "新しいトークン",
  newTokenLabel: "トークンの用途",
  shownOnce: "表示されるのは今回だけです。",
  copy: "コピー",
  copied: "コピーしました",
  revoke: "取り消す",
  revokeWhy: "このトークンを使うプログラムはすぐに動かなくなります。",
  sessions: "サインイン中の場所",
  thisBrowser: "このブラウザー",
  unknownBrowser: "別のブラウザー",
  endSession: "そこからサインアウト",
  endAll: "すべての場所からサインアウト",
  endAllWhy: "このブラウザーを含む、すべてのブラウザーからサインアウトします。",
  yourData: "あなたのデータ",
  downloadYourData: "あなたについて保存されているすべてをダウンロード",
};
