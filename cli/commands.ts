// The table of commands, in the order in which help lists them. A new command is a new row.

import type { Command } from "./command";
import { serve } from "./serve/command";

export const commands: readonly Command[] = [serve];
