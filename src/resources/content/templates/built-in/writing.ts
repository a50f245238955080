// Pieces of Markdown that cannot be written plainly in a template literal, or that would be long in every place.

/** A variable of the space, shown by its value. */
export function variable(name: string): string {
  return `<code class="expression">space.vars.${name}</code>`;
}

/** A block of code, with a title above it when there is one. */
export function code(syntax: string, text: string, title?: string): string {
  const fence = `\`\`\`${syntax}\n${text}\n\`\`\``;
  return title === undefined ? fence : `{% code title="${title}" %}\n${fence}\n{% endcode %}`;
}
