// The blocks that the slash menu offers: each with the Markdown that it puts in. `#{…}` is where one types on.

export interface OfferedBlock {
  readonly name: string;
  readonly words: string;
  readonly text: string;
}

export const blocks: readonly OfferedBlock[] = [
  { name: "heading", words: "## Heading", text: "## #{}" },
  { name: "subheading", words: "### Heading", text: "### #{}" },
  { name: "list", words: "- List", text: "- #{}" },
  { name: "numbers", words: "1. List", text: "1. #{}" },
  { name: "tasks", words: "- [ ] Tasks", text: "- [ ] #{}" },
  { name: "quote", words: "> Quote", text: "> #{}" },
  { name: "code", words: "Code", text: "```#{language}\n#{}\n```" },
  { name: "table", words: "Table", text: "| #{} |  |\n| --- | --- |\n|  |  |" },
  { name: "hint", words: "Hint", text: '{% hint style="info" %}\n#{}\n{% endhint %}' },
  { name: "warning", words: "Warning", text: '{% hint style="warning" %}\n#{}\n{% endhint %}' },
  {
    name: "tabs",
    words: "Tabs",
    text: '{% tabs %}\n{% tab title="#{First}" %}\n#{}\n{% endtab %}\n\n{% tab title="Second" %}\n\n{% endtab %}\n{% endtabs %}',
  },
  { name: "steps", words: "Steps", text: "{% stepper %}\n{% step %}\n#{}\n{% endstep %}\n{% endstepper %}" },
  {
    name: "columns",
    words: "Columns",
    text: "{% columns %}\n{% column %}\n#{}\n{% endcolumn %}\n\n{% column %}\n\n{% endcolumn %}\n{% endcolumns %}",
  },
  { name: "expandable", words: "Expandable", text: "<details>\n\n<summary>#{Title}</summary>\n\n#{}\n\n</details>" },
  { name: "embed", words: "Embed", text: '{% embed url="#{https://}" %}' },
  { name: "math", words: "Formula", text: "$$\n#{}\n$$" },
  { name: "condition", words: "Condition", text: '{% if #{visitor.claims.plan == "pro"} %}\n#{}\n{% endif %}' },
  { name: "divider", words: "Divider", text: "---\n\n#{}" },
];
