// Messages of the audit log, in Japanese.

import type { audit as english } from "../en/audit";
import type { TranslatedMessages } from "../translated-messages";

export const audit: TranslatedMessages<typeof english> = {
  auditWhy: "誰が、いつ、どこから、何をしたか。ID と項目名だけを含み、内容は含みません。",
  noAuditEvents: "該当する出来事はありません。",
  actor: "誰が",
  anybody: "誰でも",
  action: "何を",
  anyAction: "すべて",
  thing: "対象の ID",
  fromDay: "開始日",
  untilDay: "終了日",
  oldestFirst: "古い順",
  downloadLog: "JSON の行としてダウンロード",
  eventOperation: "操作",
  eventStatus: "応答",
  eventCredential: "手段",
  eventAddress: "アドレス",
  eventBrowser: "プログラム",
  eventThings: "対象",
  eventMade: "作成",
  eventChanges: "項目",
  eventTampered: "この行は保存場所で変更されています。",
};
