// Blocks of integrations: submits their actions and replaces the block with the response, fetches blocks that were too slow for
// the page, and passes messages between a frame and its block.

const MAX_FRAME_HEIGHT = 4000;

/** The forms that opened a dialog. */
const dialogOpeners = new WeakMap<HTMLDialogElement, HTMLFormElement>();

function attachBlocks(root: ParentNode): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-block]")) {
    form.addEventListener("submit", (event) => {
      const button = event.submitter as HTMLButtonElement | null;
      event.preventDefault();
      const question = button?.dataset.confirm;
      if (question !== undefined && !confirm(question)) return;
      void submitForm(form, button?.name === "action" ? button.value : undefined);
    });
    for (const frame of form.querySelectorAll<HTMLIFrameElement>("iframe[data-frame]")) listenToFrame(frame, form);
    if (form.dataset.late !== undefined) void submitForm(form, undefined);
  }
}

async function submitForm(form: HTMLFormElement, action: string | undefined): Promise<void> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") body.append(name, value);
  if (action !== undefined) body.set("action", action);
  body.set("alone", "1");
  form.setAttribute("aria-busy", "true");
  try {
    // The property `action` would be the button of this name.
    const response = await fetch(form.getAttribute("action")!, { method: "POST", body });
    if (response.ok) replaceBlock(form, await response.text());
  } catch {
    // The block stays as it is, and the reader can try again.
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** Shows a response: a modal in a dialog, and a block in place of the form, or of the form that opened the dialog. */
function replaceBlock(form: HTMLFormElement, markup: string): void {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  const next = parsed.querySelector<HTMLFormElement>("form[data-block]");
  const openDialog = form.closest("dialog");
  if (next?.dataset.modal !== undefined) {
    const dialog = openDialog ?? document.body.appendChild(document.createElement("dialog"));
    dialog.className = "block-modal";
    dialog.replaceChildren(document.importNode(next, true));
    attachBlocks(dialog);
    if (!openDialog) {
      dialogOpeners.set(dialog, form);
      dialog.addEventListener("close", () => dialog.remove());
      dialog.showModal();
    }
    return;
  }
  const replaced = openDialog ? (dialogOpeners.get(openDialog) ?? form) : form;
  const container = document.createElement("div");
  container.append(...document.importNode(parsed.body, true).childNodes);
  attachBlocks(container);
  replaced.replaceWith(...container.childNodes);
  openDialog?.close();
}

interface FrameMessage {
  readonly action?: {
    readonly action?: unknown;
    readonly size?: { readonly height?: unknown; readonly aspectRatio?: unknown };
  };
}

function listenToFrame(frame: HTMLIFrameElement, form: HTMLFormElement): void {
  const { origin } = Object.assign(document.createElement("a"), { href: frame.src });
  const isOpaque = !frame.sandbox.contains("allow-same-origin");
  const handleMessage = (event: MessageEvent<FrameMessage | null>): void => {
    if (!frame.isConnected && document.readyState === "complete" && !form.isConnected) {
      removeEventListener("message", handleMessage);
      return;
    }
    if (event.source !== frame.contentWindow || typeof event.data !== "object") return;
    const action = event.data?.action;
    if (typeof action?.action !== "string") return;
    if (action.action === "@webframe.ready")
      frame.contentWindow?.postMessage({ state: JSON.parse(frame.dataset.frame!) }, isOpaque ? "*" : origin);
    else if (action.action === "@webframe.resize") {
      const ratio = Number(action.size?.aspectRatio);
      const height = Number(action.size?.height) || (ratio > 0 ? frame.clientWidth / ratio : 0);
      if (height > 0) frame.style.height = `${Math.min(MAX_FRAME_HEIGHT, Math.round(height))}px`;
    } else if (!action.action.startsWith("@ui.url")) void submitForm(form, JSON.stringify(action));
  };
  addEventListener("message", handleMessage);
}

attachBlocks(document);

export {};
