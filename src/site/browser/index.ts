// The script of the reader. Pages work without it.

import { addCopying } from "./copying";
import { drawDiagrams } from "./diagrams";
import type { Told } from "./elements";
import { openEmbeds } from "./embeds";
import { connectTabs } from "./panels";
import { followOutline, prefetch, switchTheme } from "./reading";
import { addSearch } from "./searching";

const told = JSON.parse((document.currentScript as HTMLScriptElement).dataset.told!) as Told;
connectTabs();
addCopying(told);
switchTheme();
openEmbeds();
addSearch(told);
drawDiagrams(told);
followOutline();
prefetch(told);
if (told.viewAt !== undefined) navigator.sendBeacon(told.viewAt, new URLSearchParams({ page: told.page! }));
