// Every block in the forms that authors write it in, with attributes that a document has and others that it does not
// have. "word" stands for a word that a document shows.

/** Blocks that stand by themselves. */
export const FORMS: readonly string[] = [
  "word _word_ *word* __word__ **word**\nword ~~word~~ ***word*** _**word** word_",
  "word word  \nword\\\nword<br/>word",
  "  word `word` ``word ` x``\n   word",
  'word [word](<a b.md> "title") [word](x.md) and\n[word _word_][ref], <https://a.bc/x>, https://a.bc/y',
  "word &mdash; &copy; \\_word\\_ \\# word &#33; 1\\. word",
  'word <a target="_blank" href="x.md" class="button secondary" data-icon="star" data-x="1">word</a> word',
  '<kbd class="k">word</kbd> <mark title="t" style="color:red;">word</mark> <sub>word</sub> <b id="b">word</b>',
  'word <img data-size="line" class="c" alt="word" src="a b.png" loading="lazy"> word <a class="c" href="y.md">word</a>',
  'word <picture><source media="(prefers-color-scheme: dark)" srcset="../x_dark (1).svg" type="t"><img src="x.svg" alt="word" data-size="original" width="5"></picture> word',
  ':smile: word $$word$$ <code class="expression">word</code> <a class="m" data-mention href="x.md">x</a> <i class="fa-star">:star:</i> word',
  "## word _word_ ##",
  "word word\n---",
  '#### word <a href="#x" id="x"></a>',
  '<h3 class="c" align="center" id="i">word <b>word</b></h3>',
  '<p style="x" align="right">word <b class="b">word</b></p>',
  "- word\n  word\n- word\n    - word\n- __word__",
  "+ word\n\n  word\n\n\n+ word",
  "1) word\n2) word\n   * word\n3) word",
  "7. word\n7. word",
  "*   [ ] word\n*   [X] word\n    word",
  "-   word\n\n    ~~~\n    word\n      word\n    ~~~\n\n    word",
  "> word\n> word _word_\nword\n>\n> 1. word",
  "~~~~ js title=x\nword\n\n  word word\n~~~~",
  "    word\n\n      word",
  '{% code lineNumbers="true" title="word" overflow="wrap" expandable="true" data-x=\'y\' %}\n```js {1}\nword\n  word <a b="c" d="e">\n```\n{% endcode %}',
  "$$$\nword\n$$$",
  "> [!NOTE]\n> word _word_\n>\n> - word",
  'word (<abbr class="a" title="word">word</abbr>) <abbr title="word">word word</abbr>',
  "<table><tr><td><pre>word\n\n  word</pre></td>\n\n    <td>word\n\nword</td></tr></table>",
  "word | word\n:---|--:\nword | word _word_\nword",
  '| word   | word |\n|--------|:----:|\n| word   | [word](x.md "t") \\| `word` |',
  '<table data-x="y" data-view="cards" class="z" data-full-width="true">\n<thead><tr><th data-x width="100">word</th><th data-hidden data-card-cover data-card-cover-dark data-type="files"></th></tr></thead>\n  <tbody>\n    <tr class="r"><td valign="top" data-y="1">word <strong class="s">word</strong></td><td><a title="t" href="a.png">a.png</a></td></tr>\n  </tbody>\n</table>',
  '<table><thead><tr><th valign="top" align="center">word</th><th data-type="number">word</th></tr></thead><tbody><tr><td>word</td><td>5</td></tr></tbody></table>',
  '<table><caption class="c">word <b class="b">word</b></caption><tr><th>word</th></tr><tr><td>word</td></tr></table>',
  '<figure class="f"><picture><source srcset="../x, dark (1).svg 2x" media="(prefers-color-scheme: dark)"><img width="375" src="x.svg" alt="word" data-x="1"></picture><figcaption class="c"><p>word <em>word</em></p></figcaption></figure>',
  '<div data-with-frame="true" align="center" class="d"><figure><img alt="word" src="x.png" border="0"><figcaption><p>word</p></figcaption></figure></div>',
  '<img alt="word" src="x.png" class="center" />',
  '![word](x.png "word")',
  '<details class="c" open>\n\n<summary id="s"><b class="x">word</b> word</summary>\n\nword\n\n* word\n\n</details>',
  "<details><summary>word</summary>word\nword</details>",
  '{% hint icon="x" style="warning" data-x="y" expandable="true" %}\nword\n\n- word\n{% endhint %}',
  '{% tabs fullWidth="true" sync="s" %}\n{% tab icon="i" title="word" %}\nword\n{% endtab %}\n\n{% tab title=\'word\' %}\n_word_\n{% endtab %}\n{% endtabs %}',
  '{% stepper numbered="no" %}\n{% step id="a" %}\n### word\n\nword\n{% endstep %}\n{% endstepper %}',
  '{% columns gap="2" %}\n{% column valign="middle" width="50%" class="c" %}\nword\n{% endcolumn %}\n{% column %}\nword\n{% endcolumn %}\n{% endcolumns %}',
  '{% updates filter="x" format="full" %}\n{% update tags="word,b" date="2025-01-01" author="a" %}\nword\n{% endupdate %}\n{% endupdates %}',
  "{% if visitor.word %}\nword\n{% endif %}",
  "{% raw %}\n\nword {{ word }}\n\n- word\n\n{% endraw %}",
  "word {% raw %}`word`{% endraw %} word",
  '{% prompt icon="x" %}\nword\n\n~~~\nword\n~~~\n{% endprompt %}',
  '{% file data-x="y" src="a (1).pdf" %}\nword _word_\n{% endfile %}',
  '{% embed fullWidth="true" data-x="y" url="https://a.bc/x" %}\nword\n{% endembed %}',
  '{% content-ref data-x="y" url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}\n\nword',
  "{% @acme/card other='x'\n  title=\"word\" %}",
  '{% openapi-operation expanded="true" method="get" path="/word" spec="s" %}\n[x](y)\n{% endopenapi-operation %}',
  "***\n\nword[^note] word\n\n[^note]: word\n    __word__\n\n    - word",
  "<video controls>word</video>",
];

/** Forms of older texts whose parts are no blocks of their own: a change of their blocks writes them in our form. */
export const FORMER: readonly string[] = [
  '{% api-method method="get" host="https://x.example" path="/a" %}\n{% api-method-summary %}\nword\n{% endapi-method-summary %}\n\n{% api-method-description %}\nword _word_\n{% endapi-method-description %}\n\n{% api-method-spec %}\n{% api-method-request %}\n{% api-method-path-parameters %}\n{% api-method-parameter name="id" required=true %}\nword\n{% endapi-method-parameter %}\n{% endapi-method-path-parameters %}\n{% endapi-method-request %}\n{% endapi-method-spec %}\n{% endapi-method %}',
  '{% swagger method="post" path="/b" summary="word" data-x="y" %}\n{% swagger-description %}\nword\n{% endswagger-description %}\n\n{% swagger-parameter in="body" name="a" %}\n__word__\n{% endswagger-parameter %}\n{% swagger-response status="200: OK" description="word" %}\n~~~\nword\n~~~\n{% endswagger-response %}\n{% endswagger %}',
];

/** What blocks may stand in. */
export const WRAPPERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/^(?=.)/gm, "> ").replace(/^$/gm, ">"),
  (text) => `-   ${indented(text, 4)}\n-   word`,
  (text) => `9. word\n\n   ${indented(text, 3)}`,
  (text) => `{% hint icon="x" style="info" %}\n${text}\n{% endhint %}`,
  (text) => `{% tabs %}\n{% tab icon="y" title="word" %}\n${text}\n{% endtab %}\n{% endtabs %}`,
  (text) => `<details open>\n\n<summary>word</summary>\n\n${text}\n\n</details>`,
  (text) => `{% foo bar="word" %}\n\n${text}\n\n{% endfoo %}`,
];

function indented(text: string, width: number): string {
  return text.replace(/\n(?=[^\n])/g, `\n${" ".repeat(width)}`);
}

/** What a page ends with: definitions that its links use. */
export const END = "\n\n[ref]: <z.md> 'word'\n";
