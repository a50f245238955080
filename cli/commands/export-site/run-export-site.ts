// Runs an export of a site: the library makes the files, one after the other, and they are put on the disk.

import { exportSite, SiteNotExported } from "octavo/site";
import { omitUndefined } from "../../../src/utils/objects";
import { storageNamed } from "../../connection/connect";
import { openApi } from "../../connection/open-direct-connection";
import { storageSettings } from "../../connection/storage-settings";
import type { LeftOut } from "../../content/copy-content";
import { beginFolder, endFolder, folderWriter } from "../../content/folder";
import { leftOutLines } from "../../content/report";
import type { Surroundings } from "../../framework/command";
import { CommandFailed, STATUS, type Status, wrongUse } from "../../framework/errors";
import { counted, printResult } from "../../framework/output";
import type { Given } from "../../framework/parsed-arguments";

export async function runExportSite(given: Given, { terminal, env, signal }: Surroundings): Promise<Status> {
  const [site, folder] = given.args as [string, string];
  const home = given.text("home");
  if (home !== undefined && !(/^https?:/i.test(home) && URL.canParse(home)))
    throw wrongUse("--home must be a URL, such as https://docs.example.com/.");
  if (storageNamed(given).length === 0) throw wrongUse("Where? --data or --storage name a storage.");
  // The URL of a site tells where the API says it is.
  const origin = /^https?:/i.test(site) && URL.canParse(site) ? new URL(site).origin : undefined;
  const api = await openApi(storageSettings(given, env), origin === undefined ? {} : { origin });
  try {
    await beginFolder(folder, given.isOn("overwrite"));
    const put = await folderWriter(folder);
    const leftOut: LeftOut[] = [];
    let progress: ReturnType<typeof terminal.progress> | undefined;
    const write = async (path: string, bytes: Uint8Array) => {
      const reason = await put(path, bytes);
      if (reason !== undefined) leftOut.push({ resource: path, reason });
    };
    const result = await exportSite(api, site, write, {
      signal,
      ...omitUndefined({ url: home }),
      onProgress({ pages, of }) {
        progress ??= terminal.progress("pages", of);
        progress.at(pages);
      },
    }).catch((error: unknown) => {
      throw error instanceof SiteNotExported ? new CommandFailed(error.message) : error;
    });
    progress?.end();
    await endFolder(folder);
    printResult(given, terminal, { ...result, folder, leftOut }, [
      ...leftOutLines(leftOut),
      `Exported ${result.url} to ${folder}: ${counted(result.pages, "page")}, ${counted(result.files, "file")}.`,
    ]);
    return leftOut.length > 0 ? STATUS.failed : STATUS.done;
  } finally {
    await api.close();
  }
}
