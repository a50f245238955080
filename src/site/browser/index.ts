// The script of every page. Pages also work without it.

import { addCopyButtons } from "./copy-buttons";
import { drawDiagrams } from "./diagrams";
import type { ScriptConfig } from "./elements";
import { openEmbedsOnClick } from "./embeds";
import { followOutline, registerLinkPrefetch, switchTheme } from "./page-navigation";
import { addSearchDialog } from "./search-dialog";
import { connectTabs } from "./tabs";

const ownScript = document.currentScript as HTMLScriptElement;
const told = JSON.parse(ownScript.dataset.told!) as ScriptConfig;
const config =
  told.searchIndexAt === undefined ? told : { ...told, searchIndexAt: new URL(told.searchIndexAt, ownScript.src).href };
connectTabs();
addCopyButtons(config);
switchTheme();
openEmbedsOnClick();
addSearchDialog(config);
drawDiagrams(config);
followOutline();
registerLinkPrefetch(config);
if (config.viewAt !== undefined) navigator.sendBeacon(config.viewAt, new URLSearchParams({ page: config.page! }));
