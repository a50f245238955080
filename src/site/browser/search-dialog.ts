// The search dialog: a field with a list of what was found below it, all by keyboard. Without it, the field in the header leads
// to a page with the same results.

import { createElement, findAll, type ScriptConfig } from "./elements";
import { createQuestionBox } from "./question-box";

interface SearchResultSection {
  readonly href: string;
  readonly title: string;
  readonly text: string;
}

interface SearchResult extends SearchResultSection {
  readonly space: string;
  readonly sections: readonly SearchResultSection[];
}

const WAIT_MS = 120;

export function addSearchDialog(config: ScriptConfig): void {
  const header = document.querySelector<HTMLInputElement>(".search input");
  const { searchAt } = config;
  if (!header || searchAt === undefined || !("showModal" in HTMLDialogElement.prototype)) return;
  const list = createElement("ul", { role: "listbox", id: "--found", "aria-label": config.search });
  const input = createElement("input", {
    type: "search",
    role: "combobox",
    "aria-expanded": "false",
    "aria-controls": "--found",
    "aria-autocomplete": "list",
    "aria-label": config.search,
    placeholder: config.search,
    maxlength: "512",
    autocomplete: "off",
    spellcheck: "false",
  });
  const said = createElement("p", { role: "status" });
  const box =
    config.asking &&
    createQuestionBox(config.asking, (text) => {
      said.textContent = text;
    });
  const close = createElement("button", { type: "button", "aria-label": config.close }, "×");
  const dialog = createElement(
    "dialog",
    { class: "finder", "aria-label": config.search },
    createElement("div", {}, input, close),
    said,
    list,
    ...(box ? [box.element] : []),
  );
  document.body.append(dialog);

  let asked = 0;
  let timer = 0;
  let at = -1;
  const options = () => findAll("[role=option]", list);

  const mark = (next: number) => {
    const shown = options();
    at = shown.length === 0 ? -1 : (next + shown.length) % shown.length;
    for (const [i, option] of shown.entries()) option.setAttribute("aria-selected", String(i === at));
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", shown[at]!.id);
    shown[at]?.scrollIntoView({ block: "nearest" });
  };

  const go = (option: HTMLElement | undefined, inNew: boolean) => {
    if (box && option?.dataset.ask) {
      list.replaceChildren();
      mark(0);
      return void box.ask(option.dataset.ask);
    }
    const href = option?.dataset.href ?? buildSearchUrl(header, input.value);
    if (inNew) return open(href, "_blank", "noopener");
    dialog.close();
    location.assign(href);
  };

  const show = (results: readonly SearchResult[], query: string) => {
    const marked = createMarker(query);
    const rows = results.flatMap((page) => [
      { href: page.href, title: page.title, text: page.space, isPage: true },
      ...page.sections.map((section) => ({ ...section, isPage: false })),
    ]);
    box?.end();
    const asking =
      config.asking && query !== ""
        ? [
            createElement(
              "li",
              { role: "option", id: "--ask", "aria-selected": "false", "data-ask": query, class: "page" },
              createElement("strong", {}, `${config.asking.ask}: `),
              createElement("span", {}, query),
            ),
          ]
        : [];
    list.replaceChildren(
      ...asking,
      ...rows.map(({ href, title, text, isPage }, i) =>
        createElement(
          "li",
          {
            role: "option",
            id: `--found-${i}`,
            "aria-selected": "false",
            "data-href": href,
            class: isPage ? "page" : "section",
          },
          createElement("strong", {}, ...marked(title)),
          " ",
          createElement("span", {}, ...(isPage ? [text] : marked(text))),
        ),
      ),
    );
    input.setAttribute("aria-expanded", String(asking.length + rows.length > 0));
    said.textContent =
      query === "" ? "" : rows.length === 0 ? config.nothingFound : `${results.length} ${config.results}`;
    // Enter opens the best page, as it does where nobody answers.
    mark(rows.length > 0 ? asking.length : 0);
  };

  const ask = async () => {
    const query = input.value.trim();
    const mine = ++asked;
    if (query === "") return show([], "");
    const glue = searchAt.includes("?") ? "&" : "?";
    try {
      const response = await fetch(`${searchAt}${glue}q=${encodeURIComponent(query)}`);
      const { results } = (await response.json()) as { readonly results: readonly SearchResult[] };
      if (mine === asked) show(results, query);
    } catch {
      if (mine === asked) show([], query);
    }
  };

  const begin = (text: string) => {
    if (!dialog.open) dialog.showModal();
    input.value = text;
    input.focus();
    if (text === "") show([], "");
    else void ask();
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, WAIT_MS) as unknown as number;
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") mark(at + 1);
    else if (event.key === "ArrowUp") mark(at < 0 ? -1 : at - 1);
    // Else the first press would only empty the field.
    else if (event.key === "Escape") dialog.close();
    else if (event.key === "Enter") go(options()[at], event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => {
    const option = (event.target as Element).closest<HTMLElement>("[role=option]");
    if (option) go(option, event.ctrlKey || event.metaKey);
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => box?.end());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  header.addEventListener("click", () => begin(header.value));
  header.addEventListener("input", () => begin(header.value));
  addEventListener("keydown", (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    // Until the next frame, the field of a dialog that was closed still has the focus.
    const isTyped = isTextField(event.target) && (dialog.open || event.target !== input);
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyped;
    if (!isShortcut && !isSlash) return;
    event.preventDefault();
    if (isShortcut && dialog.open) dialog.close();
    else begin(dialog.open ? input.value : "");
  });
}

/** The page with the results of a question. */
function buildSearchUrl({ form, name }: HTMLInputElement, query: string): string {
  const action = form!.getAttribute("action")!;
  return `${action}${action.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(query)}`;
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Puts marks around the words of a question, where a word of a text begins with one. */
function createMarker(query: string): (text: string) => (Node | string)[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  return (text) =>
    text
      .split(/([\p{L}\p{N}]+)/u)
      .map((word, i) =>
        i % 2 === 1 && wanted.some((it) => word.toLowerCase().startsWith(it)) ? createElement("mark", {}, word) : word,
      );
}
