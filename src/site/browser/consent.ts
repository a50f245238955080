// Runs in the reader's browser, on pages with scripts that use cookies: asks once, remembers the answer, and loads the scripts
// only after a yes.

const NAME = "octavo-cookies";

const notice = document.querySelector<HTMLElement>("[data-consent]");
if (notice) {
  const known = readStoredConsent();
  if (known === "yes") loadScripts(notice);
  else if (known !== "no") askConsent(notice);
}

function askConsent(notice: HTMLElement): void {
  notice.hidden = false;
  for (const button of notice.querySelectorAll<HTMLElement>("[data-answer]"))
    button.addEventListener("click", () => {
      const answer = button.dataset.answer!;
      storeConsent(answer);
      notice.hidden = true;
      if (answer === "yes") loadScripts(notice);
    });
}

function loadScripts(notice: HTMLElement): void {
  for (const src of JSON.parse(notice.dataset.consent!) as string[]) {
    const script = document.createElement("script");
    script.async = true;
    script.src = src;
    document.head.append(script);
  }
}

/** A browser may refuse to store anything; then the reader is asked on every page. */
function readStoredConsent(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

function storeConsent(answer: string): void {
  try {
    localStorage.setItem(NAME, answer);
  } catch {
    // Asked again on the next page.
  }
}

export {};
