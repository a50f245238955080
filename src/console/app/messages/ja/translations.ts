// Messages about translations, in Japanese.

import type { translations as english } from "../en/translations";
import type { TranslatedMessages } from "../translated-messages";

export const translations: TranslatedMessages<typeof english> = {
  newTranslation: "新しい翻訳",
  noTranslations: "翻訳はまだありません。翻訳は、別のスペースに別の言語で従うスペースです。",
  translationPending: "待機中",
  translationRunning: "翻訳中",
  translationCompleted: "最新",
  translationFailed: "失敗",
  sourceSpace: "元のスペース",
  translatedSpace: "翻訳",
  translationStats: "翻訳したページ：{pages}、語数：{words}",
  translate: "翻訳する",
  translateAgain: "再実行",
  translateInto: "翻訳先",
  translateFrom: "翻訳元",
  findOut: "翻訳機能が判断",
  triedAgain: "自動的に再試行されます。",
  untranslated: "原文のままの文：{count}",
  instructions: "指示",
  instructionsHint: "敬体など、翻訳で守ること。",
  instructionsWhy: "指示を変えると、すべてが翻訳し直されます。",
  glossary: "用語集",
  term: "用語",
  termTranslation: "訳語",
  addTerm: "用語を追加",
  endTranslation: "終了",
  endTranslationWhy: "スペースはそのまま残り、元のスペースに従わなくなります。",
};
