// Messages of the page layout, in Japanese.

import type { frame as english } from "../en/frame";
import type { TranslatedMessages } from "../translated-messages";

export const frame: TranslatedMessages<typeof english> = {
  organizations: "組織",
  yourAccount: "アカウント",
  signOut: "サインアウト",
  library: "ライブラリ",
  changeRequests: "変更リクエスト",
  sites: "サイト",
  specifications: "API 仕様",
  translations: "翻訳",
  integrations: "連携",
  people: "メンバーとチーム",
  settings: "設定",
  auditLog: "監査ログ",
  navigation: "ナビゲーション",
  language: "言語",
};
