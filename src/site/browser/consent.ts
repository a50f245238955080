// Asks for consent on pages with scripts that use cookies, remembers the answer, and loads the scripts only if it is yes.

const STORAGE_KEY = "octavo-cookies";

const notice = document.querySelector<HTMLElement>("[data-consent]");
if (notice) {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(STORAGE_KEY);
  } catch {
    // The browser refuses to store anything, so the reader is asked on every page.
  }
  if (stored === "yes") loadScripts(notice);
  else if (stored !== "no") {
    notice.hidden = false;
    for (const button of notice.querySelectorAll<HTMLElement>("[data-answer]"))
      button.addEventListener("click", () => {
        const answer = button.dataset.answer!;
        try {
          localStorage.setItem(STORAGE_KEY, answer);
        } catch {
          // The reader is asked again on the next page.
        }
        notice.hidden = true;
        if (answer === "yes") loadScripts(notice);
      });
  }
}

function loadScripts(notice: HTMLElement): void {
  for (const src of JSON.parse(notice.dataset.consent!) as string[]) {
    const script = document.createElement("script");
    script.async = true;
    script.src = src;
    document.head.append(script);
  }
}

export {};
