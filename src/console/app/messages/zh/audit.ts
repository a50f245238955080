// Messages of the audit log, in Chinese.

import type { audit as english } from "../en/audit";
import type { TranslatedMessages } from "../translated-messages";

export const audit: TranslatedMessages<typeof english> = {
  auditWhy: "谁在何时何地做了什么。日志只包含标识符和字段名，不包含内容。",
  noAuditEvents: "没有发生这样的事。",
  actor: "谁",
  anybody: "任何人",
  action: "做了什么",
  anyAction: "任何操作",
  thing: "对象的标识符",
  fromDay: "从",
  untilDay: "到",
  oldestFirst: "最早的在前",
  downloadLog: "下载为 JSON 行",
  eventOperation: "操作",
  eventStatus: "响应",
  eventCredential: "凭据",
  eventAddress: "地址",
  eventBrowser: "程序",
  eventThings: "涉及",
  eventMade: "创建",
  eventChanges: "字段",
  eventTampered: "此行在存储中被改动过。",
};
