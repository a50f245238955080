// The search dialog: a field with the results below it, operated by keyboard. Without it, the field in the header leads to a page
// with the same results.

import { createElement, findAll, type ScriptConfig } from "./elements";
import type { SearchResult, StaticSearchGlobals } from "./search-results";

const DEBOUNCE_MS = 120;
const MAX_MARKED_WORDS = 10;

export function addSearchDialog(config: ScriptConfig): void {
  const header = document.querySelector<HTMLInputElement>(".search input");
  const { searchAt, searchIndexAt } = config;
  if (!header || (searchAt ?? searchIndexAt) === undefined || !("showModal" in HTMLDialogElement.prototype)) return;
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
  const status = createElement("p", { role: "status" });
  const questionBox =
    config.asking &&
    createQuestionBox(config.asking, (text) => {
      status.textContent = text;
    });
  const close = createElement("button", { type: "button", "aria-label": config.close }, "×");
  const dialog = createElement(
    "dialog",
    { class: "finder", "aria-label": config.search },
    createElement("div", {}, input, close),
    status,
    list,
    ...(questionBox ? [questionBox.element] : []),
  );
  document.body.append(dialog);

  let searchCount = 0;
  let timer = 0;
  let selected = -1;
  const findOptions = () => findAll("[role=option]", list);

  const select = (index: number) => {
    const options = findOptions();
    selected = options.length === 0 ? -1 : (index + options.length) % options.length;
    for (const [i, option] of options.entries()) option.setAttribute("aria-selected", String(i === selected));
    if (selected < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", options[selected]!.id);
    options[selected]?.scrollIntoView({ block: "nearest" });
  };

  /** Opens an option. Without one, opens the page with the search results. */
  const openOption = (option: HTMLElement | undefined, isNewTab: boolean) => {
    if (questionBox && option?.dataset.ask) {
      list.replaceChildren();
      select(0);
      return void questionBox.ask(option.dataset.ask);
    }
    const action = header.form?.getAttribute("action");
    // An exported site has no page with results.
    if (!option && !action) return;
    const query = `${header.name}=${encodeURIComponent(input.value)}`;
    const href = option?.dataset.href ?? `${action}${action!.includes("?") ? "&" : "?"}${query}`;
    if (isNewTab) return open(href, "_blank", "noopener");
    dialog.close();
    location.assign(href);
  };

  const showResults = (results: readonly SearchResult[], query: string) => {
    // The words of the query are marked, where a word of the text begins with one.
    const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_MARKED_WORDS);
    const markWords = (text: string) =>
      text.split(/([\p{L}\p{N}]+)/u).map((part, i) => {
        const isMatch = i % 2 === 1 && words.some((word) => part.toLowerCase().startsWith(word));
        return isMatch ? createElement("mark", {}, part) : part;
      });
    const rows = results.flatMap((page) => [
      { href: page.href, title: page.title, text: page.space, isPage: true },
      ...page.sections.map((section) => ({ ...section, isPage: false })),
    ]);
    questionBox?.end();
    const questions =
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
      ...questions,
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
          createElement("strong", {}, ...markWords(title)),
          " ",
          createElement("span", {}, ...(isPage ? [text] : markWords(text))),
        ),
      ),
    );
    input.setAttribute("aria-expanded", String(questions.length + rows.length > 0));
    status.textContent =
      query === "" ? "" : rows.length === 0 ? config.nothingFound : `${config.results} ${results.length}`;
    // Enter opens the best page, even if the first option asks a question.
    select(rows.length > 0 ? questions.length : 0);
  };

  const search = async () => {
    const query = input.value.trim();
    const searchId = ++searchCount;
    if (query === "") return showResults([], "");
    try {
      let results: readonly SearchResult[];
      if (searchAt === undefined) results = await searchIndex(query, searchIndexAt!);
      else {
        const separator = searchAt.includes("?") ? "&" : "?";
        const response = await fetch(`${searchAt}${separator}q=${encodeURIComponent(query)}`);
        ({ results } = (await response.json()) as { readonly results: readonly SearchResult[] });
      }
      if (searchId === searchCount) showResults(results, query);
    } catch {
      if (searchId === searchCount) showResults([], query);
    }
  };

  const openDialog = (query: string) => {
    if (!dialog.open) dialog.showModal();
    input.value = query;
    input.focus();
    if (query === "") showResults([], "");
    else void search();
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, DEBOUNCE_MS) as unknown as number;
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") select(selected + 1);
    else if (event.key === "ArrowUp") select(selected < 0 ? -1 : selected - 1);
    // By default, the first press would only clear the field.
    else if (event.key === "Escape") dialog.close();
    else if (event.key === "Enter") openOption(findOptions()[selected], event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => {
    const option = (event.target as Element).closest<HTMLElement>("[role=option]");
    if (option) openOption(option, event.ctrlKey || event.metaKey);
  });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => questionBox?.end());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  header.addEventListener("click", () => openDialog(header.value));
  header.addEventListener("input", () => openDialog(header.value));
  addEventListener("keydown", (event) => {
    const { target } = event;
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    const isTextField =
      target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
    // The field of a dialog that was just closed has the focus until the next frame.
    const isTyped = isTextField && (dialog.open || target !== input);
    const isSlash = event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyped;
    if (!isShortcut && !isSlash) return;
    event.preventDefault();
    if (isShortcut && dialog.open) dialog.close();
    else openDialog(dialog.open ? input.value : "");
  });
}

/** Searches the index of an export, which is loaded with the first search. `indexUrl` is in the top folder of the export. */
async function searchIndex(query: string, indexUrl: string): Promise<readonly SearchResult[]> {
  const globals = globalThis as unknown as Partial<StaticSearchGlobals>;
  if (!globals.octavoSearch)
    await new Promise((resolve, reject) => {
      const script = createElement("script", { src: indexUrl });
      script.addEventListener("load", resolve);
      script.addEventListener("error", reject);
      document.head.append(script);
    });
  const toUrl = (href: string) => new URL(href, indexUrl).href;
  return globals.octavoSearch!(query).map((page) => ({
    ...page,
    href: toUrl(page.href),
    sections: page.sections.map((section) => ({ ...section, href: toUrl(section.href) })),
  }));
}

interface QuestionBox {
  readonly element: HTMLElement;
  /** Asks a question, and shows the answer as it arrives. */
  readonly ask: (question: string) => Promise<void>;
  /** Aborts the current answer, and hides it. */
  readonly end: () => void;
}

/**
 * Creates the element for answers. The server renders an answer and streams lines of JSON, each of which replaces the one before.
 * `setStatus` is called with a message while an answer is on its way.
 */
function createQuestionBox(
  { at, answering, failed }: NonNullable<ScriptConfig["asking"]>,
  setStatus: (text: string) => void,
): QuestionBox {
  const element = createElement("div", { class: "answers", hidden: "", tabindex: "-1" });
  let currentRequest: AbortController | undefined;

  const end = () => {
    currentRequest?.abort();
    element.hidden = true;
    element.replaceChildren();
  };

  const ask = async (question: string) => {
    end();
    const request = new AbortController();
    currentRequest = request;
    element.hidden = false;
    setStatus(answering);
    try {
      const body = new URLSearchParams({ q: question, alone: "1" });
      const response = await fetch(at, { method: "POST", body, signal: request.signal });
      if (!response.ok || !response.body) throw new Error(String(response.status));
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const lines = (rest + next.value).split("\n");
        rest = lines.pop()!;
        if (lines.length > 0) element.innerHTML = JSON.parse(lines.at(-1)!) as string;
      }
      setStatus("");
    } catch {
      if (!request.signal.aborted) setStatus(failed);
    }
  };

  // An answer suggests further questions, each a form.
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    void ask(String(new FormData(event.target as HTMLFormElement).get("q")));
  });
  return { element, ask, end };
}
