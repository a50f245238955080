// Messages about translations, in Chinese.

import type { translations as english } from "../en/translations";
import type { TranslatedMessages } from "../translated-messages";

export const translations: TranslatedMessages<typeof english> = {
  newTranslation: "新建翻译",
  noTranslations: "还没有翻译。翻译是以另一种语言跟随另一空间的空间。",
  translationPending: "等待中",
  translationRunning: "正在翻译",
  translationCompleted: "已是最新",
  translationFailed: "失败",
  sourceSpace: "来源",
  translatedSpace: "翻译",
  translationStats: "已翻译页面：{pages}，词数：{words}",
  translate: "翻译",
  translateAgain: "再次运行",
  translateInto: "译为",
  translateFrom: "译自",
  findOut: "由翻译器判断",
  triedAgain: "会自动重试。",
  untranslated: "保留原文的句子：{count}",
  instructions: "说明",
  instructionsHint: "翻译器需要注意的事项，例如称呼方式。",
  instructionsWhy: "更改说明后会重新翻译全部内容。",
  glossary: "术语表",
  term: "术语",
  termTranslation: "译名",
  addTerm: "添加术语",
  endTranslation: "结束",
  endTranslationWhy: "空间保持原样，不再跟随其来源。",
};
