// Runs an export of a site: the library renders one file after the other, and each is written to the disk.

import { exportSite, SiteExportError } from "octavo/site";
import { omitUndefined } from "../../../src/utils/objects";
import { listGivenStorageOptions } from "../../connection/connect";
import { openApi } from "../../connection/direct-transport";
import { readStorageSettings } from "../../connection/storage-settings";
import { beginFolder, createFolderWriter, finishFolder } from "../../content/folder";
import { formatOmittedItems, type OmittedItem } from "../../content/omitted-items";
import type { CommandInput } from "../../framework/command";
import {
  type CommandContext,
  CommandError,
  formatCount,
  printResult,
  STATUS,
  type Status,
  UsageError,
} from "../../framework/command";

export async function runExportSite(input: CommandInput, { terminal, env, signal }: CommandContext): Promise<Status> {
  const [site, folder] = input.args as [string, string];
  const home = input.text("home");
  if (home !== undefined && !(/^https?:/i.test(home) && URL.canParse(home)))
    throw new UsageError("--home must be a URL, such as https://docs.example.com/.");
  if (listGivenStorageOptions(input).length === 0) throw new UsageError("Specify a storage with --data or --storage.");
  // The URL of a site contains the origin that the API uses for its URLs.
  const origin = /^https?:/i.test(site) && URL.canParse(site) ? new URL(site).origin : undefined;
  const api = await openApi(readStorageSettings(input, env), origin === undefined ? {} : { origin });
  try {
    await beginFolder(folder, input.isEnabled("overwrite"));
    const writeFile = await createFolderWriter(folder);
    const leftOut: OmittedItem[] = [];
    let progress: ReturnType<typeof terminal.progress> | undefined;
    const write = async (path: string, bytes: Uint8Array) => {
      const reason = await writeFile(path, bytes);
      if (reason !== undefined) leftOut.push({ resource: path, reason });
    };
    const result = await exportSite(api, site, write, {
      signal,
      ...omitUndefined({ url: home }),
      onProgress({ pages, total: of }) {
        progress ??= terminal.progress("pages", of);
        progress.at(pages);
      },
    }).catch((error: unknown) => {
      throw error instanceof SiteExportError ? new CommandError(error.message) : error;
    });
    progress?.end();
    await finishFolder(folder);
    printResult(input, terminal, { ...result, folder, leftOut }, [
      ...formatOmittedItems(leftOut),
      `Exported ${result.url} to ${folder}: ${formatCount(result.pages, "page")}, ${formatCount(result.files, "file")}.`,
    ]);
    return leftOut.length > 0 ? STATUS.failed : STATUS.done;
  } finally {
    await api.close();
  }
}
