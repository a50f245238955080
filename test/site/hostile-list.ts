// What hostile authors write: texts, addresses, formulas and names that run in a browser where somebody forgot to escape or to
// check. Everything that would run calls `trap`, opens a dialog, or asks a host that is never asked otherwise. And what a page may not
// hold of it.

import hostile from "./hostile.json" with { type: "json" };

/** A host that no page has a reason to ask. */
export const FOREIGN = "https://trap.invalid";

/** Texts for every field. */
export const texts: readonly string[] = hostile.texts;

/** Addresses for every link, image, button and embed. */
export const addresses: readonly string[] = hostile.addresses;

/** Formulas that ask for more than signs. */
export const formulas: readonly string[] = hostile.formulas;

/** Names for anchors that the page or its script has itself, or that every object has. */
export const names: readonly string[] = hostile.names;

/** Everything that Markdown can hold, with a text and an address everywhere. The text may also end what it stands in. */
export function hostileMarkdown(text: string, address: string): string {
  const line = text.replaceAll(/[\r\n\0]+/g, " ");
  const quoted = line.replaceAll('"', '\\"');
  return `---
description: ${JSON.stringify(line)}
icon: ${JSON.stringify(line)}
---

# ${line}

${line}

## ${line} {#${line}}

[${line}](${address} "${quoted}") [x](<${address}>) ![${line}](${address} "${quoted}") <${address}>

<a href="${address}" class="button primary" data-icon="${line}">${line}</a> <i class="fa-${line}"></i> :${line}: <code class="expression">${line}</code>

<figure><picture><source srcset="${address}" media="(prefers-color-scheme: dark)"><img src="${address}" alt="${line}" width="${line}"></picture><figcaption><p>${line}</p></figcaption></figure>

<mark style="color:${line};background-color:${line}">x</mark> <a id="${line}"></a> A note[^${line}] and[^1].

[^1]: ${line}

| ${line} | b |
| --- | --- |
| ${line} | [x](${address}) |

{% hint style="${line}" icon="${line}" %}
${line}
{% endhint %}

{% tabs %}
{% tab title="${quoted}" %}
${line}
{% endtab %}
{% endtabs %}

{% code title="${quoted}" %}
\`\`\`${line}
${line}
\`\`\`
{% endcode %}

<details>

<summary>${line}</summary>

${line}

</details>

{% embed url="${address}" %}
${line}
{% endembed %}

{% file src="${address}" %}
${line}
{% endfile %}

{% content-ref url="${address}" %}
[x](${address})
{% endcontent-ref %}

{% @bot/mirror text="${quoted}" address="${address}" %}

$$
${line}
$$

\`\`\`mermaid
${line}
\`\`\`

<table data-view="cards"><thead><tr><th>${line}</th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td>${line}</td><td><a href="${address}">x</a></td></tr></tbody></table>

${text}
`;
}

/** What a page may not hold, whatever the policy says. Runs in the browser. */
export function found(): string[] {
  const wrong: string[] = [];
  // A plain text is shown in markup of the browser's own.
  if (document.contentType !== "text/html") return wrong;
  // Methods, because bundlers name functions with a call of their own that is not in the page.
  const it = {
    say(element: Element, what: string) {
      wrong.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
    },
    isOwn(address: string | null) {
      return address !== null && new URL(address, location.href).origin === location.origin;
    },
  };
  for (const element of document.querySelectorAll("*")) {
    const name = element.localName;
    if (name === "script" && element.getAttribute("type") === "application/ld+json") JSON.parse(element.textContent!);
    else if (name === "script" && (!it.isOwn(element.getAttribute("src")) || element.textContent !== ""))
      it.say(element, "script");
    if (["object", "embed", "base", "applet", "marquee", "video", "audio"].includes(name)) it.say(element, "element");
    if (name === "meta" && element.hasAttribute("http-equiv")) it.say(element, "meta");
    if (name === "link" && element.matches("[rel~=stylesheet]") && !it.isOwn(element.getAttribute("href")))
      it.say(element, "link");
    if (name === "style" && element.closest("body")) it.say(element, "style");
    if (name === "form" && !it.isOwn(element.getAttribute("action") ?? "")) it.say(element, "form");
    for (const { name: attribute, value } of element.attributes) {
      if (/^on/i.test(attribute) || ["srcdoc", "formaction", "srcset", "ping"].includes(attribute))
        it.say(element, attribute);
      if (attribute === "style" && !element.matches("iframe")) it.say(element, "style");
      if (!["href", "src", "action", "xlink:href", "poster", "data", "data-embed"].includes(attribute)) continue;
      const protocol = URL.canParse(value, location.href) ? new URL(value, location.href).protocol : "none:";
      const isPicture = name === "img" || element.matches("link[rel=icon]");
      const allowed = ["http:", "https:", "mailto:", "tel:", "none:", ...(isPicture ? ["data:"] : [])];
      if (!allowed.includes(protocol)) it.say(element, attribute);
    }
  }
  return wrong;
}
