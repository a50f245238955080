// Tabs that work without a script: each is a radio button, with its panel behind it.

import { html, type Markup } from "../../utils/html";
import type { BlockRenderContext } from "../pages/block-context";

/** A tab, whose content is rendered when the tabs are. */
export interface TabPanel {
  readonly label: string;
  readonly renderContent: () => Markup;
}

export function renderTabs(
  panels: readonly TabPanel[],
  { createElementNumber }: Pick<BlockRenderContext, "createElementNumber">,
  { isFullWidth = false } = {},
): Markup {
  const group = `--tabs-${createElementNumber()}`;
  const tabs = panels.map(({ label, renderContent }, i) => {
    const id = `${group}-${i}`;
    const button = html`<input type="radio" name="${group}" id="${id}"${i === 0 && html` checked`}>`;
    return html`${button}<label for="${id}">${label}</label><div class="panel">${renderContent()}</div>`;
  });
  return html`<div class="tabs${isFullWidth && " full"}">${tabs}</div>`;
}
