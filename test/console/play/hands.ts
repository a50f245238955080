// How somebody uses a page: with a pointer, or with the keyboard alone. A play is the same for both.

import type { Locator, Page } from "playwright-core";

export interface Hands {
  readonly page: Page;
  /** Presses a button, or follows a link. */
  readonly press: (what: Locator) => Promise<void>;
  /** Writes into a field, in place of what is there. */
  readonly write: (field: Locator, text: string) => Promise<void>;
  /** Goes to the end of a text and writes on. */
  readonly append: (field: Locator, text: string) => Promise<void>;
  /** Goes to the start of a text and writes. */
  readonly prepend: (field: Locator, text: string) => Promise<void>;
  /** Takes an option of a list. */
  readonly choose: (list: Locator, option: string) => Promise<void>;
  /** Opens an item of a tree. */
  readonly fromTree: (tree: Locator, item: string) => Promise<void>;
  /** Opens a menu and takes an item. */
  readonly fromMenu: (menu: Locator, item: string) => Promise<void>;
}

export function pointer(page: Page): Hands {
  const at = async (field: Locator, key: string, text: string) => {
    await field.click();
    await page.keyboard.press(key);
    await page.keyboard.type(text);
  };
  return {
    page,
    press: (what) => what.click(),
    write: (field, text) => field.fill(text),
    append: (field, text) => at(field, "Control+End", text),
    prepend: (field, text) => at(field, "Control+Home", text),
    async choose(list, option) {
      await list.selectOption({ label: option });
    },
    fromTree: (tree, item) => tree.getByRole("treeitem", { name: item }).click(),
    async fromMenu(menu, item) {
      await menu.click();
      await page.getByRole("menuitem", { name: item }).click();
    },
  };
}

/** How often Tab is pressed before something counts as out of reach. */
const MOST_TABS = 300;

/** Nothing but keys: Tab, arrows, Enter, Space and letters. */
export function keysAlone(page: Page): Hands {
  const { keyboard } = page;
  const hasFocus = (what: Locator) => what.evaluate((it) => it === it.ownerDocument.activeElement);

  /** Goes there with Tab, through the page and round again. What has the focus must be seen to have it. */
  async function reach(what: Locator): Promise<void> {
    await what.waitFor();
    for (let i = 0; i < MOST_TABS; i++) {
      if (await hasFocus(what)) {
        const isSeen = await what.evaluate((it) => {
          // What is typed into the editor stands in a box, which shows it. No function has a name here: bundlers would
          // call one of their own for it, which the page does not have.
          return [it, it.closest(".cm-editor"), it.closest(".markdown")].some((box) => {
            if (!box) return false;
            const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(box);
            return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
          });
        });
        if (!isSeen) throw new Error(`The focus is not seen on ${what}.`);
        return;
      }
      await keyboard.press("Tab");
    }
    throw new Error(`${what} cannot be reached with Tab.`);
  }

  /** Goes down with the arrow keys. */
  async function walkTo(what: Locator, name: string): Promise<void> {
    await what.waitFor();
    for (let i = 0; i < 50 && !(await hasFocus(what)); i++) await keyboard.press("ArrowDown");
    if (!(await hasFocus(what))) throw new Error(`“${name}” cannot be reached with the arrow keys.`);
  }

  const at = async (field: Locator, key: string, text: string) => {
    await reach(field);
    await keyboard.press(key);
    await keyboard.type(text);
  };

  return {
    page,
    async press(what) {
      await reach(what);
      await keyboard.press("Enter");
    },
    write: (field, text) => at(field, "Control+a", text),
    append: (field, text) => at(field, "Control+End", text),
    prepend: (field, text) => at(field, "Control+Home", text),
    async choose(list, option) {
      await reach(list);
      await keyboard.press("Home");
      const chosen = () => list.evaluate((it) => (it as HTMLSelectElement).selectedOptions[0]?.label ?? "");
      for (let i = 0; i < 50 && (await chosen()) !== option; i++) await keyboard.press("ArrowDown");
      if ((await chosen()) !== option) throw new Error(`“${option}” cannot be chosen with the arrow keys.`);
    },
    async fromTree(tree, item) {
      // A tree is one stop of Tab. The arrows walk in it.
      await reach(tree.locator("[role=treeitem][tabindex='0']"));
      await keyboard.press("Home");
      await walkTo(tree.getByRole("treeitem", { name: item }), item);
      await keyboard.press("Enter");
    },
    async fromMenu(menu, item) {
      await reach(menu);
      await keyboard.press("Enter");
      await walkTo(page.getByRole("menuitem", { name: item }), item);
      await keyboard.press("Enter");
    },
  };
}
