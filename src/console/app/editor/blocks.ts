// The blocks of the slash menu, with the Markdown that they insert. `#{…}` marks the positions of the cursor.

import type { Messages } from "../messages/messages";

export interface OfferedBlock {
  readonly name: string;
  readonly word: keyof Messages & `block${string}`;
  readonly text: string;
}

export const blocks: readonly OfferedBlock[] = [
  { name: "heading", word: "blockHeading", text: "## #{}" },
  { name: "subheading", word: "blockHeading", text: "### #{}" },
  { name: "list", word: "blockList", text: "- #{}" },
  { name: "numbers", word: "blockNumbers", text: "1. #{}" },
  { name: "tasks", word: "blockTasks", text: "- [ ] #{}" },
  { name: "quote", word: "blockQuote", text: "> #{}" },
  { name: "code", word: "blockCode", text: "```#{language}\n#{}\n```" },
  { name: "table", word: "blockTable", text: "| #{} |  |\n| --- | --- |\n|  |  |" },
  { name: "hint", word: "blockHint", text: '{% hint style="info" %}\n#{}\n{% endhint %}' },
  { name: "warning", word: "blockWarning", text: '{% hint style="warning" %}\n#{}\n{% endhint %}' },
  {
    name: "tabs",
    word: "blockTabs",
    text: '{% tabs %}\n{% tab title="#{First}" %}\n#{}\n{% endtab %}\n\n{% tab title="Second" %}\n\n{% endtab %}\n{% endtabs %}',
  },
  { name: "steps", word: "blockSteps", text: "{% stepper %}\n{% step %}\n#{}\n{% endstep %}\n{% endstepper %}" },
  {
    name: "columns",
    word: "blockColumns",
    text: "{% columns %}\n{% column %}\n#{}\n{% endcolumn %}\n\n{% column %}\n\n{% endcolumn %}\n{% endcolumns %}",
  },
  {
    name: "expandable",
    word: "blockExpandable",
    text: "<details>\n\n<summary>#{Title}</summary>\n\n#{}\n\n</details>",
  },
  { name: "embed", word: "blockEmbed", text: '{% embed url="#{https://}" %}' },
  { name: "math", word: "blockFormula", text: "$$\n#{}\n$$" },
  { name: "condition", word: "blockCondition", text: '{% if #{visitor.claims.plan == "pro"} %}\n#{}\n{% endif %}' },
  { name: "divider", word: "blockDivider", text: "---\n\n#{}" },
];
