// The table of commands, in the order in which help lists them. A new command is a new row.

import type { Command } from "../framework/command";
import { check } from "./check/command";
import { completionCommand } from "./completion/command";
import { doctor } from "./doctor/command";
import { exportCommand } from "./export/command";
import { exportSiteCommand } from "./export-site/command";
import { importCommand } from "./import/command";
import { orgCommands } from "./people/org";
import { tokenCommands } from "./people/token";
import { userCommands } from "./people/user";
import { publishIntegration } from "./publish/publish-integration";
import { publishOpenApi } from "./publish/publish-openapi";
import { serve } from "./serve/command";
import { backupCommand, restoreCommand } from "./storage/backup-commands";
import { copyStorageCommand } from "./storage/copy-storage-command";
import { verifyCommand } from "./storage/verify-command";

export const commands: readonly Command[] = [
  serve,
  ...userCommands,
  ...tokenCommands,
  ...orgCommands,
  check,
  importCommand,
  exportCommand,
  exportSiteCommand,
  publishOpenApi,
  publishIntegration,
  copyStorageCommand,
  backupCommand,
  restoreCommand,
  verifyCommand,
  doctor,
  completionCommand(() => commands),
];
