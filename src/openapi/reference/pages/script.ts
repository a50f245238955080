// The script of the pages, as a text that browsers load. It filters the table of contents, copies samples, and sends the
// requests of "Try it". Without it everything can be read.

export const script = `"use strict";
(() => {
  const $ = (selector, at = document) => at.querySelector(selector);
  const all = (selector, at = document) => [...at.querySelectorAll(selector)];

  // Filter the table of contents while a person types.
  const input = $(".search input");
  const groups = all("#contents details");
  const wasOpen = groups.map((group) => group.open);
  const filter = () => {
    const words = input.value.toLowerCase().split(/\\s+/).filter(Boolean);
    document.body.classList.toggle("filtering", words.length > 0);
    groups.forEach((group, i) => {
      let found = 0;
      for (const line of all("li[data-words]", group)) {
        const text = line.dataset.words + " " + line.textContent.toLowerCase();
        line.hidden = !words.every((word) => text.includes(word));
        if (!line.hidden) found++;
      }
      group.hidden = words.length > 0 && found === 0;
      group.open = words.length > 0 ? found > 0 : wasOpen[i];
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
  // Beside the page the table of contents scrolls by itself: show where we are. Below it the page would jump.
  const nav = $("#contents");
  const here = $("#contents [aria-current]");
  if (here && nav.scrollHeight > nav.clientHeight) nav.scrollTop = here.offsetTop - nav.clientHeight / 2;

  // Copy what a block of code says.
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
  const KEY = "octavo-reference-token";
  if (token) {
    const kept = sessionStorage.getItem(KEY);
    token.value = kept ?? "";
    keep.checked = kept !== null;
    const settle = () =>
      keep.checked && token.value ? sessionStorage.setItem(KEY, token.value) : sessionStorage.removeItem(KEY);
    token.addEventListener("change", settle);
    keep.addEventListener("change", settle);
  }

  const show = (...parts) => $("[data-result]", section).replaceChildren(...parts);
  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const missing = all("input[required]", form).find((field) => field.value === "");
    if (missing) {
      missing.focus();
      return show(element("p", "Fill in " + missing.dataset.name + " first."));
    }
    const values = (place) => all('[data-in="' + place + '"]', form).filter((field) => field.value !== "");
    let target = path;
    for (const field of values("path"))
      target = target.replace("{" + field.dataset.name + "}", () => field.value.split("/").map(encodeURIComponent).join("/"));
    const query = new URLSearchParams(values("query").map((field) => [field.dataset.name, field.value]));
    const url = api + target + (query.size > 0 ? "?" + query : "");
    const headers = {};
    if (token?.value) headers.authorization = "Bearer " + token.value;
    const body = $("[data-body]", form)?.value;
    if (body !== undefined) headers["content-type"] = "application/json";
    show(element("p", "Waiting for the answer."));
    try {
      const began = performance.now();
      const response = await fetch(url, { method, headers, body, credentials: "same-origin" });
      const type = response.headers.get("content-type") ?? "";
      const isText = /json|text|xml|javascript|yaml/.test(type);
      const text = isText ? await response.text() : "";
      const took = Math.round(performance.now() - began) + " ms";
      const pretty = /json/.test(type) && text ? JSON.stringify(JSON.parse(text), null, 2) : text;
      const line = element("p", response.status + " " + response.statusText + " · " + took, { class: response.ok ? "good" : "bad" });
      const shown = pretty || (type && !isText ? "Bytes of the type " + type + "." : "No content.");
      const block = element("pre", "", { tabindex: "0" });
      block.append(element("code", shown));
      show(line, element("p", method + " " + url, { class: "quiet" }), block);
    } catch (error) {
      show(element("p", "The request could not be sent: " + error.message, { class: "bad" }));
    }
  });
})();
`;
