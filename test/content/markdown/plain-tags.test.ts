// Tags as plain Markdown, for programs that don't know them.

import { expect, test } from "vitest";
import { replaceTagsInSteps } from "../../../src/content/markdown/plain-tags";
import { runStepsSync } from "../../../src/utils/concurrency/steps";

const plain = (...lines: string[]) => runStepsSync(replaceTagsInSteps(lines.join("\n"))).split("\n");

test("a hint starts with its kind, in quotes and items too", () => {
  expect(plain('{% hint style="warning" %}', "Hot.", "{% endhint %}", "", "After.")).toEqual([
    "**Warning**",
    "",
    "Hot.",
    "",
    "",
    "After.",
  ]);
  expect(plain("> {% hint %}", "> Read.", "> {% endhint %}")).toEqual(["> **Note**", ">", "> Read.", "> "]);
  expect(plain("- {% hint %}", "  Read.", "  {% endhint %}")[0]).toBe("- **Note**");
});

test("tabs, steps and updates keep their titles and contents", () => {
  const text = plain(
    "{% tabs %}",
    '{% tab title="A *b*" %}',
    "One.",
    "{% endtab %}",
    "{% endtabs %}",
    "{% stepper %}",
    "{% step %}",
    "## Two",
    "{% endstep %}",
    "{% endstepper %}",
  );
  expect(text.filter(Boolean)).toEqual(["**A \\*b\\***", "One.", "## Two"]);
});

test("embedded content becomes a link, and a paired tag keeps its contents", () => {
  expect(plain('{% embed url="https://example.org/v?a=1" %}')[0]).toBe("<https://example.org/v?a=1>");
  expect(plain('{% openapi-operation spec="pets" path="/pets" method="get" %}')[0]).toBe("`GET /pets`");
  const pair = ['{% content-ref url="https://example.org/a" %}', "[A](https://example.org/a)", "{% endcontent-ref %}"];
  expect(plain(...pair).filter(Boolean)).toEqual(["[A](https://example.org/a)"]);
});

test("unknown tags and tags in code stay", () => {
  const code = ["```jinja", '{% hint style="info" %}', "{% endhint %}", "```"];
  expect(plain(...code)).toEqual(code);
  expect(plain("`{% hint %}` and {% for x in y %}")).toEqual(["`{% hint %}` and {% for x in y %}"]);
  expect(plain("{% assign x %}")).toEqual(["{% assign x %}"]);
});
