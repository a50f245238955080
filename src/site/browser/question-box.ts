// A question to the site, asked in the search dialog. The server draws the answer; each line that comes replaces the one before.

import { createElement, type ScriptConfig } from "./elements";

export interface QuestionBox {
  readonly element: HTMLElement;
  /** Asks, and shows what comes. */
  readonly ask: (question: string) => Promise<void>;
  /** Ends what is being answered, and hides it. */
  readonly end: () => void;
}

/** Where answers are shown. `say` tells how far it is. */
export function createQuestionBox(
  { at, answering, failed }: NonNullable<ScriptConfig["asking"]>,
  say: (text: string) => void,
): QuestionBox {
  const element = createElement("div", { class: "answers", hidden: "", tabindex: "-1" });
  let going: AbortController | undefined;

  const end = () => {
    going?.abort();
    element.hidden = true;
    element.replaceChildren();
  };

  const ask = async (question: string) => {
    end();
    const mine = new AbortController();
    going = mine;
    element.hidden = false;
    say(answering);
    try {
      const body = new URLSearchParams({ q: question, alone: "1" });
      const response = await fetch(at, { method: "POST", body, signal: mine.signal });
      if (!response.ok || !response.body) throw new Error(String(response.status));
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const lines = (rest + next.value).split("\n");
        rest = lines.pop()!;
        if (lines.length > 0) element.innerHTML = JSON.parse(lines.at(-1)!) as string;
      }
      say("");
    } catch {
      if (!mine.signal.aborted) say(failed);
    }
  };

  element.addEventListener("submit", (event) => {
    event.preventDefault();
    void ask(String(new FormData(event.target as HTMLFormElement).get("q")));
  });
  return { element, ask, end };
}
