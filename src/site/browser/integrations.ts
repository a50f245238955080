// Runs in the reader's browser, on pages with blocks of integrations: sends what is pressed and puts the answer in its place,
// fetches blocks that were too slow for the page, and passes messages between a frame and its block.

/** The most pixels that a frame may ask for. */
const HIGHEST = 4000;

function attachBlocks(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-block]")) {
    form.addEventListener("submit", (event) => {
      const button = event.submitter as HTMLButtonElement | null;
      event.preventDefault();
      const question = button?.dataset.confirm;
      if (question !== undefined && !confirm(question)) return;
      void sendForm(form, button?.name === "action" ? button.value : undefined);
    });
    for (const frame of form.querySelectorAll<HTMLIFrameElement>("iframe[data-frame]")) listenToFrame(frame, form);
    if (form.dataset.late !== undefined) void sendForm(form, undefined);
  }
}

async function sendForm(form: HTMLFormElement, action: string | undefined): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  if (action !== undefined) body.set("action", action);
  body.set("alone", "1");
  form.setAttribute("aria-busy", "true");
  try {
    // A button with the name `action` would stand in the place of the property.
    const answer = await fetch(form.getAttribute("action")!, { method: "POST", body });
    if (answer.ok) replaceBlock(form, await answer.text());
  } catch {
    // The block stays as it was, and can be pressed again.
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** Puts an answer in the place of a form: a modal above the page, and a block where its block is. */
function replaceBlock(form: HTMLFormElement, text: string): void {
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const next = parsed.querySelector<HTMLFormElement>("form[data-block]");
  const dialog = form.closest("dialog");
  if (next?.dataset.modal !== undefined) {
    const shown = dialog ?? document.body.appendChild(document.createElement("dialog"));
    shown.className = "block-modal";
    shown.replaceChildren(document.importNode(next, true));
    attachBlocks(shown);
    if (!dialog) {
      dialogOpeners.set(shown, form);
      shown.addEventListener("close", () => shown.remove());
      shown.showModal();
    }
    return;
  }
  const place = dialog ? (dialogOpeners.get(dialog) ?? form) : form;
  const nodes = [...document.importNode(parsed.body, true).childNodes];
  const holder = document.createElement("div");
  holder.append(...nodes);
  attachBlocks(holder);
  place.replaceWith(...holder.childNodes);
  dialog?.close();
}

/** The block that opened a dialog. */
const dialogOpeners = new WeakMap<HTMLDialogElement, HTMLFormElement>();

interface FrameMessage {
  readonly action?: {
    readonly action?: unknown;
    readonly size?: { readonly height?: unknown; readonly aspectRatio?: unknown };
  };
}

function listenToFrame(frame: HTMLIFrameElement, form: HTMLFormElement): void {
  const { origin: target } = Object.assign(document.createElement("a"), { href: frame.src });
  const isOpaque = !frame.sandbox.contains("allow-same-origin");
  const listen = (event: MessageEvent<FrameMessage | null>): void => {
    if (!frame.isConnected && document.readyState === "complete" && !form.isConnected) {
      removeEventListener("message", listen);
      return;
    }
    if (event.source !== frame.contentWindow || typeof event.data !== "object") return;
    const action = event.data?.action;
    if (typeof action?.action !== "string") return;
    if (action.action === "@webframe.ready")
      frame.contentWindow?.postMessage({ state: JSON.parse(frame.dataset.frame!) }, isOpaque ? "*" : target);
    else if (action.action === "@webframe.resize") resizeFrame(frame, action.size);
    else if (!action.action.startsWith("@ui.url")) void sendForm(form, JSON.stringify(action));
  };
  addEventListener("message", listen);
}

function resizeFrame(
  frame: HTMLIFrameElement,
  size: { readonly height?: unknown; readonly aspectRatio?: unknown } = {},
): void {
  const ratio = Number(size.aspectRatio);
  const height = Number(size.height) || (ratio > 0 ? frame.clientWidth / ratio : 0);
  if (height > 0) frame.style.height = `${Math.min(HIGHEST, Math.round(height))}px`;
}

attachBlocks(document);

export {};
