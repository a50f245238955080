// The answer to a question in the search dialog. The server renders it and streams lines of JSON, each of which replaces the one
// before.

import { createElement, type ScriptConfig } from "./elements";

export interface QuestionBox {
  readonly element: HTMLElement;
  /** Asks a question, and shows the answer as it arrives. */
  readonly ask: (question: string) => Promise<void>;
  /** Aborts the current answer, and hides it. */
  readonly end: () => void;
}

/** Creates the element for answers. `setStatus` is called with a message while an answer is on its way. */
export function createQuestionBox(
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
