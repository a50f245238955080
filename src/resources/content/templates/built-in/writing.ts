// Markdown that cannot be written directly in a template literal, or that many pages would repeat.

/** Formats an expression that shows the value of a variable of the space. */
export function formatVariable(name: string): string {
  return `<code class="expression">space.vars.${name}</code>`;
}

/** Formats a code block, with a title above it if there is one. */
export function formatCode(syntax: string, text: string, title?: string): string {
  const fence = `\`\`\`${syntax}\n${text}\n\`\`\``;
  return title === undefined ? fence : `{% code title="${title}" %}\n${fence}\n{% endcode %}`;
}
