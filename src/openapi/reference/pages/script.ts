// The script of the pages, as text. It filters the table of contents, copies samples, and sends the requests of "Try it".
// Everything can be read without it.

export const referenceScript = `"use strict";
(() => {
  const $ = (selector, at = document) => at.querySelector(selector);
  const all = (selector, at = document) => [...at.querySelectorAll(selector)];

  // Filter the table of contents while the reader types.
  const input = $(".search input");
  const groups = all("#contents details");
  const wasOpen = groups.map((group) => group.open);
  const filter = () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    document.body.classList.toggle("filtering", words.length > 0);
    groups.forEach((group, i) => {
      let matches = 0;
      for (const line of all("li[data-words]", group)) {
        const text = line.dataset.words + " " + line.textContent.toLowerCase();
        line.hidden = !words.every((word) => text.includes(word));
        if (!line.hidden) matches++;
      }
      group.hidden = words.length > 0 && matches === 0;
      group.open = words.length > 0 ? matches > 0 : wasOpen[i];
    });
  };
  input.addEventListener("input", filter);
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === "Escape" && event.target === input) {
      input.value = "";
      filter();
    }
  });
  // Scroll the table of contents to the current page if it is beside the page. If it is below, the page would jump.
  const nav = $("#contents");
  const current = $("#contents [aria-current]");
  if (current && nav.scrollHeight > nav.clientHeight) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;

  // Add a button to each sample that copies its code.
  if (navigator.clipboard)
    for (const figure of all("figure.sample")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Copy";
      button.setAttribute("aria-label", "Copy the sample: " + $("figcaption", figure).textContent);
      button.addEventListener("click", async () => {
        await navigator.clipboard.writeText($("code", figure).textContent);
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
      });
      $("figcaption", figure).append(button);
    }

  // Try an operation.
  const section = $(".try");
  if (!section) return;
  section.hidden = false;
  const { method, path, api } = section.dataset;
  const form = $("form", section);
  const token = $("[data-token]", section);
  const keep = $("[data-keep]", section);
  const TOKEN_KEY = "octavo-reference-token";
  if (token) {
    const storedToken = sessionStorage.getItem(TOKEN_KEY);
    token.value = storedToken ?? "";
    keep.checked = storedToken !== null;
    const storeToken = () =>
      keep.checked && token.value ? sessionStorage.setItem(TOKEN_KEY, token.value) : sessionStorage.removeItem(TOKEN_KEY);
    token.addEventListener("change", storeToken);
    keep.addEventListener("change", storeToken);
  }

  const show = (...parts) => $("[data-result]", section).replaceChildren(...parts);
  const createElement = (name, text, attributes = {}) => {
    const element = document.createElement(name);
    element.textContent = text;
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const missing = all("input[required]", form).find((field) => field.value === "");
    if (missing) {
      missing.focus();
      return show(createElement("p", "Fill in " + missing.dataset.name + " first."));
    }
    const getFilledFields = (place) => all('[data-in="' + place + '"]', form).filter((field) => field.value !== "");
    let filledPath = path;
    for (const field of getFilledFields("path"))
      filledPath = filledPath.replace("{" + field.dataset.name + "}", () => field.value.split("/").map(encodeURIComponent).join("/"));
    const query = String(new URLSearchParams(getFilledFields("query").map((field) => [field.dataset.name, field.value])));
    const url = api + filledPath + (query && "?" + query);
    const headers = {};
    if (token?.value) headers.authorization = "Bearer " + token.value;
    const body = $("[data-body]", form)?.value;
    if (body !== undefined) headers["content-type"] = "application/json";
    show(createElement("p", "Waiting for the answer."));
    try {
      const startedAt = performance.now();
      const response = await fetch(url, { method, headers, body, credentials: "same-origin" });
      const type = response.headers.get("content-type") ?? "";
      const isText = /json|text|xml|javascript|yaml/.test(type);
      const text = isText ? await response.text() : "";
      const duration = Math.round(performance.now() - startedAt) + " ms";
      const formatted = /json/.test(type) && text ? JSON.stringify(JSON.parse(text), null, 2) : text;
      const line = createElement("p", response.status + " " + response.statusText + " · " + duration, { class: response.ok ? "good" : "bad" });
      const output = formatted || (type && !isText ? "Bytes of the type " + type + "." : "No content.");
      const block = createElement("pre", "", { tabindex: "0" });
      block.append(createElement("code", output));
      show(line, createElement("p", method + " " + url, { class: "quiet" }), block);
    } catch (error) {
      show(createElement("p", "The request could not be sent: " + error.message, { class: "bad" }));
    }
  });
})();
`;
