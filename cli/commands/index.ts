// The table of commands, in the order in which help lists them. A new command is one new row.

import type { Command } from "../framework/command";
import { backupCommand } from "./backup/command";
import { checkCommand } from "./check/command";
import { createCompletionCommand } from "./completion";
import { copyStorageCommand } from "./copy-storage/command";
import { doctorCommand } from "./doctor/command";
import { exportCommand } from "./export/command";
import { exportSiteCommand } from "./export-site/command";
import { importCommand } from "./import/command";
import { orgCommands } from "./org";
import { publishIntegrationCommand } from "./publish-integration";
import { publishOpenApiCommand } from "./publish-openapi";
import { restoreCommand } from "./restore/command";
import { serveCommand } from "./serve/command";
import { tokenCommands } from "./token";
import { userCommands } from "./user";
import { verifyCommand } from "./verify/command";

export const commands: readonly Command[] = [
  serveCommand,
  ...userCommands,
  ...tokenCommands,
  ...orgCommands,
  checkCommand,
  importCommand,
  exportCommand,
  exportSiteCommand,
  publishOpenApiCommand,
  publishIntegrationCommand,
  copyStorageCommand,
  backupCommand,
  restoreCommand,
  verifyCommand,
  doctorCommand,
  createCompletionCommand(() => commands),
];
