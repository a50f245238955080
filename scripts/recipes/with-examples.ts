// A document with the texts of examples in it: behind each comment that names one stands a block with its text.

const place = /^<!-- (examples\/\S+\.(\w+)) -->\n(?:\n```\w+\n[\s\S]*?\n```\n)?/gm;

/** The same document with every example as it is now. */
export function withExamples(document: string, example: (path: string) => string): string {
  return document.replaceAll(place, (_, path: string, kind: string) => {
    return `<!-- ${path} -->\n\n\`\`\`${kind}\n${example(path).trimEnd()}\n\`\`\`\n`;
  });
}
