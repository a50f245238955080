// The script of every page. Pages also work without it.

import { addCopyButtons } from "./copy-buttons";
import { drawDiagrams } from "./diagrams";
import type { ScriptConfig } from "./elements";
import { openEmbedsOnClick } from "./embeds";
import { followOutline, registerLinkPrefetch, switchTheme } from "./page-navigation";
import { addSearchDialog } from "./search-dialog";
import { connectTabs } from "./tabs";

const config = JSON.parse((document.currentScript as HTMLScriptElement).dataset.told!) as ScriptConfig;
connectTabs();
addCopyButtons(config);
switchTheme();
openEmbedsOnClick();
addSearchDialog(config);
drawDiagrams(config);
followOutline();
registerLinkPrefetch(config);
if (config.viewAt !== undefined) navigator.sendBeacon(config.viewAt, new URLSearchParams({ page: config.page! }));
