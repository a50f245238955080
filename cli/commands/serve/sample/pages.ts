// The pages of the sample site. Together they show every block.

/** A page. Its Markdown refers to files by their `ref`. */
export interface SamplePage {
  readonly ref: string;
  readonly title: string;
  readonly description?: string;
  readonly icon?: string;
  readonly emoji?: string;
  readonly markdown: string;
}

/** A group of pages in the tree. */
export interface SampleGroup {
  readonly ref: string;
  readonly title: string;
  readonly pages: readonly SamplePage[];
}

export const welcome: SamplePage = {
  ref: "welcome",
  title: "Welcome",
  description: "What a site of Octavo looks like, on a few pages.",
  emoji: "1f44b",
  markdown: `This site was made by the first start of the server. It shows what pages can hold. Change them, or delete the site.

{% hint style="success" %}
You are reading a published site. It works without JavaScript, in light and dark, on a phone and on paper.
{% endhint %}

![A lamp that lights a page](./lamp "The light of the sample")

## Where to go

<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target \
data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>Text</strong></td><td>Headings, lists, quotes and \
notes.</td><td><a href="./text.md">text</a></td></tr><tr><td><strong>Blocks</strong></td><td>Hints, tabs, steps, columns and \
more.</td><td><a href="./blocks.md">blocks</a></td></tr><tr><td><strong>Code</strong></td><td>With a title, numbers and \
colours.</td><td><a href="./code.md">code</a></td></tr></tbody></table>

## How it is written

Pages are Markdown. Each is stored as it was written, and every change makes a revision that can be read again.

{% content-ref url="./text.md" %}
[text.md](./text.md)
{% endcontent-ref %}
`,
};

export const groups: readonly SampleGroup[] = [
  {
    ref: "write",
    title: "Write",
    pages: [
      {
        ref: "text",
        title: "Text",
        description: "Everything that stands within a paragraph, and the blocks that hold paragraphs.",
        icon: "align-left",
        markdown: `A paragraph can be **bold**, *italic*, ~~struck out~~ or \`code\`. Press <kbd>Ctrl</kbd> + <kbd>K</kbd> \
to search. Water is H<sub>2</sub>O, and a square is x<sup>2</sup>. A <mark style="color:red;">word in colour</mark> stands out.

A link leads to [another page](./blocks.md), to [a heading on it](./blocks.md#steps), or to [another \
site](https://www.example.com/). An <i class="fa-lightbulb"></i> icon and an emoji :sparkles: stand in a line. This word has a note[^1].

<a href="./blocks.md" class="button primary">Go on to blocks</a> <a href="./code.md" class="button secondary">Or to code</a>

[^1]: A note opens where it is written.

## Lists

* One thing
* Another thing
  * that has a part
  * and another one

1. First
2. Second

* [x] Written
* [ ] Reviewed

## Quotes

> Whoever writes for others writes twice: once to think, once to be read.

***

### A deeper heading

Headings have anchors. The list beside the page follows them.

#### The deepest one

It is not in that list.
`,
      },
      {
        ref: "blocks",
        title: "Blocks",
        description: "Hints, tabs, steps, columns, folds, embeds and updates.",
        icon: "cubes",
        markdown: `## Hints

{% hint style="info" %}
Good to know.
{% endhint %}

{% hint style="success" %}
This went well.
{% endhint %}

{% hint style="warning" %}
Take care here.
{% endhint %}

{% hint style="danger" %}
### This cannot be undone

Read it twice.
{% endhint %}

## Tabs

{% tabs %}
{% tab title="npm" %}
\`\`\`sh
npm install octavo
\`\`\`
{% endtab %}

{% tab title="pnpm" %}
\`\`\`sh
pnpm add octavo
\`\`\`
{% endtab %}

{% tab title="Text" %}
A tab can hold every other block.
{% endtab %}
{% endtabs %}

## Steps

{% stepper %}
{% step %}
### Write

Open a change request, and change some pages in it.
{% endstep %}

{% step %}
### Review

Others read it and comment.
{% endstep %}

{% step %}
### Merge

It becomes what everybody reads.
{% endstep %}
{% endstepper %}

## Columns

{% columns %}
{% column width="50%" %}
The left column has some words about one thing.
{% endcolumn %}

{% column width="50%" %}
The right column has some words about another.
{% endcolumn %}
{% endcolumns %}

## Folds

<details>

<summary>What is inside?</summary>

Text that not everybody needs.

</details>

## Embeds

Nothing of another host is loaded before you ask for it.

{% embed url="https://www.youtube.com/watch?v=aqz-KE-bpKQ" %}

## Reusable text

{% include "../.gitbook/includes/reusable.md" %}
`,
      },
      {
        ref: "code",
        title: "Code",
        description: "Blocks of code with their colours, numbers and titles.",
        icon: "code",
        markdown: `{% code title="server.ts" lineNumbers="true" %}
\`\`\`typescript
import { createServer } from "node:http";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { createSite } from "octavo/site";

// Everything is gone when the process ends.
const api = createDocsApi(memoryStorage(), { secret: process.env.SECRET });
createServer(nodeHandler(createSite(api))).listen(3000);
\`\`\`
{% endcode %}

{% code overflow="wrap" %}
\`\`\`sh
curl -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"title":"Guide"}' http://127.0.0.1:3000/v1/orgs/$ORG/spaces
\`\`\`
{% endcode %}

\`\`\`python
def light(lamp: str, level: int = 100) -> bool:
    """Turns a lamp on."""
    return level > 0 and lamp != ""
\`\`\`

\`\`\`json
{ "lamp": "desk", "level": 80, "isOn": true, "color": null }
\`\`\`

\`\`\`diff
- level = 10
+ level = 80
\`\`\`

\`\`\`
Text without a language stays as it is.
\`\`\`
`,
      },
      {
        ref: "tables",
        title: "Tables",
        description: "Plain tables, tables with values of their own kind, and cards.",
        icon: "table",
        markdown: `| Lamp | Room | Watts |
| --- | :---: | ---: |
| Desk | Study | 8 |
| Ceiling | Kitchen | 24 |
| Garden | \`outside\` | 12 |

## Kinds of columns

<table><thead><tr><th width="160">Lamp</th><th data-type="checkbox">On</th><th data-type="rating" data-max="5">Light</th><th \
data-type="number">Hours</th><th data-type="select">Colour</th></tr></thead><tbody>\
<tr><td>Desk</td><td>true</td><td>4</td><td>1200</td><td></td></tr>\
<tr><td>Garden</td><td>false</td><td>2</td><td>90</td><td></td></tr></tbody></table>

## Cards

<table data-card-size="large" data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-cover \
data-type="files"></th></tr></thead><tbody><tr><td><strong>A card with a cover</strong></td><td>The picture stands on \
top.</td><td><a href="./lamp">lamp.svg</a></td></tr>\
<tr><td><strong>A card without one</strong></td><td>It has words alone.</td><td></td></tr></tbody></table>
`,
      },
      {
        ref: "images",
        title: "Images and files",
        description: "Pictures for light and dark, with captions, and files to take along.",
        icon: "image",
        markdown: `<figure><picture><source srcset="./lamp-dark" media="(prefers-color-scheme: dark)"><img src="./lamp" \
alt="A lamp that lights a page"></picture><figcaption><p>One picture for light, another for dark.</p></figcaption></figure>

A small picture <img src="./lamp" alt="lamp" data-size="line"> stands in a line.

<div><figure><img src="./lamp" alt="First lamp" width="300"><figcaption></figcaption></figure> <figure><img src="./lamp" \
alt="Second lamp" width="300"><figcaption></figcaption></figure></div>

## Files

{% file src="./lamps-csv" %}
A list of lamps
{% endfile %}
`,
      },
      {
        ref: "formulas",
        title: "Formulas and diagrams",
        description: "Mathematics that every reader can read aloud, and diagrams from text.",
        icon: "square-root-variable",
        markdown: `The sum of the first $$n$$ numbers is known:

$$
\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}
$$

A diagram is text too:

\`\`\`mermaid
graph LR
  Write --> Review --> Merge --> Publish
\`\`\`
`,
      },
      {
        ref: "integrations",
        title: "Integrations",
        description: "Blocks that a script of somebody else draws, in a sandbox.",
        icon: "plug",
        markdown: `An integration brings blocks of its own. This one was installed with the sample. Press its buttons: they work without JavaScript, too.

{% @sample-dimmer/lamp name="Lamp over the table" level="40" %}

What a block remembers stands on the page, so every reader has a lamp of their own.
`,
      },
    ],
  },
  {
    ref: "read",
    title: "Read",
    pages: [
      {
        ref: "variables",
        title: "Variables",
        description: "Texts that change in one place.",
        icon: "sliders",
        markdown: `The version of the sample is <code class="expression">space.vars.version</code>. It is written once, and shown on every page that names it.

{% if visitor.claims.unsigned.isBeta %}
{% hint style="info" %}
Only readers who try new things see this.
{% endhint %}
{% endif %}
`,
      },
      {
        ref: "updates",
        title: "Updates",
        description: "What has changed, with a feed.",
        icon: "clock-rotate-left",
        markdown: `{% updates format="full" %}
{% update date="2026-11-02" tags="site,new" %}
## Sites open in a browser

What was published is shown to everybody who may see it.
{% endupdate %}

{% update date="2026-10-05" tags="content" %}
## Formulas and emoji are printed

In a PDF they look as on the page.
{% endupdate %}
{% endupdates %}
`,
      },
    ],
  },
];

/** A text that several pages share. */
export const reusable = {
  title: "Reusable",
  markdown: "This sentence is written once, and shown wherever it is included.\n",
};

export const older: readonly SamplePage[] = [
  { ref: "old-welcome", title: "Welcome", markdown: "This is the first version of the guide. It had two pages.\n" },
  { ref: "old-text", title: "Text", markdown: "In the first version, text was text.\n" },
];

/** The guide in another language. */
export const german: readonly SamplePage[] = [
  {
    ref: "de-welcome",
    title: "Willkommen",
    markdown: "Das ist der Leitfaden auf Deutsch. Er zeigt, wie man zwischen Sprachen wechselt.\n",
  },
];

/** The pages of the section about an interface. */
export const reference: readonly SamplePage[] = [
  {
    ref: "api",
    title: "Lamps",
    description: "An interface that does not exist, described by an OpenAPI specification.",
    icon: "lightbulb",
    markdown: `{% openapi-operation spec="lamps" path="/lamps" method="get" %}
[lamps](https://example.com)
{% endopenapi-operation %}

{% openapi-operation spec="lamps" path="/lamps/{lampId}" method="put" %}
[lamps](https://example.com)
{% endopenapi-operation %}

## Models

{% openapi-schemas spec="lamps" schemas="Lamp" grouped="true" %}
[lamps](https://example.com)
{% endopenapi-schemas %}
`,
  },
];
