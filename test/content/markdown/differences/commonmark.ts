// Examples of CommonMark 0.31 that the reader shows otherwise, by their numbers, each with its reason.

const PLACEHOLDER =
  "A tag that is none of HTML is mostly a placeholder such as `<your-name>`, so it is shown as it is written.";
const BROKEN = "A tag that never ends is shown as it is written: a browser would hide what follows.";
const ADDRESS = "An address is a link wherever it stands, as GFM has it.";

export const differences: ReadonlyMap<number, string> = new Map([
  [148, "Code in `<pre>` is as it is written over blank lines too: nothing in it is Markdown."],
  [150, "A block with a tag that is none of HTML is shown as it is written."],
  [156, BROKEN],
  [157, BROKEN],
  [158, BROKEN],
  [163, "An element `<Warning>` is a hint, as the generators that have such components show it."],
  [169, "Code does not begin with the empty line behind its opening tag."],
  [173, "A `<style>` that never ends is shown as it is written: nobody meant to hide the rest of the page."],
  [180, "An instruction of PHP is hidden up to its own end: a browser shows what stands behind the first `>`."],
  [
    191,
    "A cell of a table that is indented after a blank line is a cell: the suite calls the code that it would be unfortunate.",
  ],
  [201, PLACEHOLDER],
  [491, PLACEHOLDER],
  [524, PLACEHOLDER],
  [536, PLACEHOLDER],
  [602, ADDRESS],
  [608, ADDRESS],
  [611, ADDRESS],
  [612, ADDRESS],
  [613, PLACEHOLDER],
  [614, PLACEHOLDER],
  [615, PLACEHOLDER],
  [617, PLACEHOLDER],
  [623, PLACEHOLDER],
  [629, "A CDATA section is hidden up to its own end: a browser shows what stands behind the first `>`."],
]);
