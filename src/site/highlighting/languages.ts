// The languages that are highlighted: their comments, strings, keywords and other tokens. Each is one regular expression that reads
// a text once. It backtracks only within bounds, so it runs in linear time.

/**
 * The kind of a token: a keyword, a string, a number, a comment, a name, or none of them. `w` is a word that is looked up, and `x`
 * is a word that is a name unless it is a keyword.
 */
export type TokenKind = "k" | "s" | "n" | "c" | "f" | "w" | "x" | "-";

/** A token that is recognized before words and numbers. */
type TokenRule = readonly [kind: TokenKind, pattern: string];

export interface HighlightedLanguage {
  /** Matches one token. The group that matched is the index of its rule. */
  readonly tokens: RegExp;
  readonly kinds: readonly TokenKind[];
  readonly keywords: ReadonlySet<string>;
  readonly literals: ReadonlySet<string>;
  readonly ignoresCase: boolean;
  /** True if a word that begins with a capital letter, or stands before a parenthesis, is a name. */
  readonly hasNames: boolean;
}

interface LanguageDefinition {
  readonly rules: readonly TokenRule[];
  readonly keywords?: string;
  readonly literals?: string;
  readonly ignoresCase?: boolean;
  readonly hasNames?: boolean;
  /** The pattern of a word. */
  readonly word?: string;
}

/** The end of the text. A token that is not closed ends there, and is not tried again from its next character. */
const END = "(?![^])";

const hash: TokenRule = ["c", "(?<!\\S)#.*"];
const slashes: TokenRule = ["c", "\\/\\/.*"];
const stars: TokenRule = ["c", `\\/\\*[^]*?(?:\\*\\/|${END})`];
const dashes: TokenRule = ["c", "--.*"];
const double: TokenRule = ["s", '"(?:[^"\\\\\\n]|\\\\[^])*"?'];
const single: TokenRule = ["s", "'(?:[^'\\\\\\n]|\\\\[^])*'?"];
const back: TokenRule = ["s", "`(?:[^`\\\\]|\\\\[^])*`?"];
const triple: TokenRule = ["s", `"""[^]*?(?:"""|${END})`];
const triples: TokenRule = ["s", `'''[^]*?(?:'''|${END})`];
const letter: TokenRule = ["s", "'(?:[^'\\\\\\n]|\\\\[^\\n]{1,9}?)'"];
const annotation: TokenRule = ["f", "@[\\w.]+"];
const directive: TokenRule = ["k", "^[ \\t]{0,40}#[ \\t]{0,9}\\w+"];
const quotes = [double, single];
const literals = "true false null";

const C =
  "auto break case const continue default do else enum extern for goto if inline register restrict " +
  "return sizeof static struct switch typedef union volatile while int char float double void long " +
  "short signed unsigned bool";
const CPP =
  `${C} alignas alignof catch class concept constexpr consteval const_cast co_await co_return co_yield ` +
  "decltype delete dynamic_cast explicit export final friend mutable namespace new noexcept operator " +
  "override private protected public reinterpret_cast requires static_assert static_cast template this " +
  "throw try typeid typename using virtual";
const JS =
  "async await break case catch class const continue debugger default delete do else export extends " +
  "finally for from function get if import in instanceof let new of return set static super switch this " +
  "throw try typeof using var void while with yield";
const TS =
  `${JS} abstract any as asserts bigint boolean declare enum implements infer interface is keyof module ` +
  "namespace never number object override private protected public readonly satisfies string symbol " +
  "type unique unknown";
const JAVA =
  "abstract assert break case catch class continue default do else enum extends final finally for if " +
  "implements import instanceof interface native new package permits private protected public record " +
  "return sealed static super switch synchronized this throw throws transient try var void volatile " +
  "while yield boolean byte char double float int long short";
const SQL =
  "add all alter analyze and any as asc begin between by cascade case cast check column commit " +
  "constraint create cross current_timestamp database declare default delete desc distinct do drop else " +
  "end except exec execute exists explain fetch first following for foreign from full function grant " +
  "group having if in index inner insert intersect into is join key lateral left like limit " +
  "materialized merge natural not of offset on or order outer over partition preceding primary " +
  "procedure range recursive references rename replace returning returns revoke right rollback row rows " +
  "schema select sequence set table temporary then to transaction trigger truncate union unique update " +
  "using values view when where window with without bigint boolean bytea char date decimal double float " +
  "int integer interval json jsonb numeric real serial smallint text time timestamp timestamptz uuid " +
  "varchar";

const regex: TokenRule = [
  "s",
  "(?<=[(,=:[!&|?{};>][ \\t]{0,3})\\/(?![*/])(?:[^\\\\/\\n[]|\\\\.|\\[(?:[^\\]\\\\\\n]|\\\\.){0,100}\\]){1,100}\\/[dgimsuvy]{0,8}",
];
const element: TokenRule = ["k", "(?<![\\w$)])<\\/?[A-Za-z][\\w.:-]*(?=[\\s/>])"];
const script = [slashes, stars, regex, double, single, back, element, annotation];
const c = [slashes, stars, directive, double, single];
const shell: LanguageDefinition = {
  rules: [
    hash,
    double,
    ["s", "'[^']*'?"],
    ["f", "\\$(?:\\w+|\\{[^}\\n]{0,200}\\}?|[@#?*!$-])"],
    ["n", "(?<=\\s)--?[A-Za-z][\\w-]*"],
    ["x", "(?<=^[ \\t]{0,8}(?:[$>%] )?)[A-Za-z_./][\\w./-]*(?![\\w=+])"],
  ],
  keywords:
    "if then else elif fi for while until do done case esac in function select return exit export local " +
    "readonly declare set unset source alias sudo",
  literals: "true false",
  word: "[A-Za-z_][\\w./-]*",
  hasNames: false,
};
const markup: LanguageDefinition = {
  rules: [
    ["c", `<!--[^]*?(?:-->|${END})`],
    ["c", "<[!?][^>]*>?"],
    ["k", "<\\/?[A-Za-z][\\w:.-]*|\\/?>"],
    ["s", "(?<==[ \\t]{0,3})(?:\"[^\"]*\"?|'[^']*'?)"],
    ["f", "[@:#\\w][\\w:@.-]*(?==)"],
    ["n", "&#?\\w{1,30};"],
  ],
  word: "[@:#\\w][\\w:@.-]*",
};
const css: LanguageDefinition = {
  rules: [
    stars,
    ...quotes,
    ["k", "@[\\w-]+"],
    ["n", "#(?:[\\da-fA-F]{3,4}){1,2}(?![\\w-])"],
    ["f", "(?:--)?[A-Za-z_][\\w-]*(?=[ \\t]{0,9}:[ \\t])"],
    ["n", "-?(?:\\d+\\.?\\d*|\\.\\d+)(?:[a-z]+|%)?"],
    ["f", "[$.#][A-Za-z_][\\w-]*"],
    ["k", "![a-z]+"],
  ],
  keywords: "and or not only from to",
  hasNames: false,
  word: "-{0,2}[A-Za-z_][\\w-]*",
};

/** The languages, by all their names in Markdown. */
const definitions: Readonly<Record<string, LanguageDefinition>> = {
  "javascript js jsx mjs cjs node": { rules: script, keywords: JS, literals: `${literals} undefined NaN Infinity` },
  "typescript ts tsx mts cts": { rules: script, keywords: TS, literals: `${literals} undefined NaN Infinity` },
  "json json5 jsonc jsonl geojson webmanifest": {
    rules: [slashes, stars, ["f", '"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s{0,20}:)'], double, single],
    literals,
  },
  "python py python3 pycon": {
    rules: [
      hash,
      ["s", `(?:\\b[bBfFrRuU]{1,2})?"""[^]*?(?:"""|${END})`],
      ["s", `(?:\\b[bBfFrRuU]{1,2})?'''[^]*?(?:'''|${END})`],
      ...quotes,
      annotation,
      ["c", "^>>>|^\\.\\.\\."],
    ],
    keywords:
      "and as assert async await break case class continue def del elif else except finally for from global " +
      "if import in is lambda match nonlocal not or pass raise return try while with yield",
    literals: "True False None self cls",
  },
  "shell sh bash zsh console shellscript shell-session fish terminal": shell,
  "rust rs": {
    rules: [
      slashes,
      stars,
      ["s", `\\bb?r#{1,3}"[^]*?(?:"#{1,3}|${END})`],
      ["s", '\\bb?"(?:[^"\\\\]|\\\\[^])*"?'],
      ["s", '"(?:[^"\\\\]|\\\\[^])*"?'],
      letter,
      ["f", "'[a-z_]\\w*"],
      ["f", "#!?\\[[^\\]\\n]{0,200}\\]?"],
      ["f", "[a-z_]\\w*!(?!=)"],
    ],
    keywords:
      "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod " +
      "move mut pub ref return static struct super trait type union unsafe use where while bool char f32 " +
      "f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize",
    literals: "true false self Self None Some Ok Err",
  },
  "go golang": {
    rules: [slashes, stars, ...quotes, ["s", "`[^`]*`?"]],
    keywords:
      "break case chan const continue default defer else fallthrough for func go goto if import interface " +
      "map package range return select struct switch type var any bool byte error float32 float64 int int8 " +
      "int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr",
    literals: "true false nil iota",
  },
  "c h": { rules: c, keywords: C, literals: "true false NULL" },
  "cpp c++ cc cxx hpp arduino": { rules: c, keywords: CPP, literals: "true false nullptr NULL" },
  "objectivec objective-c objc": {
    rules: [...c, ["k", "@[a-z]+"]],
    keywords: `${C} id self super`,
    literals: "YES NO nil NULL",
  },
  "csharp cs c# dotnet": {
    rules: [slashes, stars, directive, ["s", '[@$]{1,2}"(?:[^"]|"")*"?'], ...quotes],
    keywords:
      `${JAVA} as async await base bool checked decimal delegate event explicit fixed foreach get implicit ` +
      "in internal is lock namespace nameof object operator out override params partial readonly ref " +
      "required sbyte set sizeof stackalloc string struct typeof uint ulong unchecked unsafe using virtual " +
      "when where with",
    literals,
  },
  "java jsp": { rules: [slashes, stars, triple, ...quotes, annotation], keywords: JAVA, literals },
  "kotlin kt kts": {
    rules: [slashes, stars, triple, ...quotes, annotation],
    keywords:
      "abstract actual as break by catch class companion const constructor continue crossinline data do " +
      "else enum expect external final finally for fun if import in infix init inline inner interface " +
      "internal is lateinit object open operator out override package private protected public reified " +
      "return sealed super suspend tailrec this throw try typealias val var vararg when where while",
    literals,
  },
  scala: {
    rules: [slashes, stars, triple, double, letter, annotation],
    keywords:
      "abstract case catch class def do else enum extends extension final finally for given if implicit " +
      "import lazy match new object opaque override package private protected return sealed super then this " +
      "throw trait try type using val var while with yield",
    literals,
  },
  dart: {
    rules: [slashes, stars, triple, triples, ...quotes, annotation],
    keywords:
      `${JS} abstract as assert bool covariant double dynamic enum extension external factory final ` +
      "implements int interface is late library mixin num on operator part required rethrow sealed show " +
      "String typedef",
    literals,
  },
  "groovy gradle jenkinsfile": {
    rules: [slashes, stars, triple, triples, ...quotes, annotation],
    keywords: `${JAVA} as def in trait`,
    literals,
  },
  "php php5 php8": {
    rules: [
      slashes,
      stars,
      ["f", "#\\[[^\\]\\n]{0,200}\\]?"],
      hash,
      ["k", "<\\?(?:php|=)?|\\?>"],
      ["s", '"(?:[^"\\\\]|\\\\[^])*"?'],
      ["s", "'(?:[^'\\\\]|\\\\[^])*'?"],
      ["f", "\\$\\w+"],
    ],
    keywords:
      "abstract and array as bool break callable case catch class clone const continue declare default do " +
      "echo else elseif empty enum exit extends final finally float fn for foreach function global goto if " +
      "implements include include_once instanceof insteadof int interface isset iterable list match mixed " +
      "namespace never new object or print private protected public readonly require require_once return " +
      "static string switch throw trait try unset use var void while xor yield",
    literals: `${literals} self parent`,
  },
  "ruby rb gemfile": {
    rules: [hash, ...quotes, ["n", "(?<![:\\w]):[A-Za-z_]\\w*[?!]?"], ["f", "@{1,2}\\w+|\\$\\w+"]],
    keywords:
      "alias and begin break case class def defined? do else elsif end ensure extend for if in include " +
      "module next not or private protected public raise redo require require_relative rescue retry return " +
      "super then undef unless until when while yield attr_accessor attr_reader attr_writer",
    literals: "true false nil self",
    word: "[A-Za-z_]\\w*[?!]?",
  },
  swift: {
    rules: [slashes, stars, triple, double, annotation, ["k", "#[a-z]\\w+"]],
    keywords:
      "actor any as associatedtype async await break case catch class continue convenience default defer " +
      "deinit do else enum extension fallthrough fileprivate final for func get guard if import in indirect " +
      "infix init inout internal is lazy let mutating nonisolated open operator optional override " +
      "precedencegroup private protocol public repeat required rethrows return set some static struct " +
      "subscript super switch throw throws try typealias unowned var weak where while",
    literals: "true false nil self Self",
  },
  "html htm vue svelte handlebars hbs astro": markup,
  "xml svg xhtml plist wsdl xsd xsl rss": markup,
  "css postcss": css,
  "scss less sass": { ...css, rules: [slashes, ...css.rules] },
  "yaml yml": {
    rules: [
      hash,
      ["k", "^(?:---|\\.\\.\\.)"],
      [
        "f",
        "(?<=^[ \\t]{0,60}(?:- {1,9}){0,5}|[{,][ \\t]{0,3})(?:\"[^\"\\n]{0,100}\"|'[^'\\n]{0,100}'|[\\w.$/<][\\w.$/<> -]{0,100}?)(?=[ \\t]{0,3}:(?:\\s|$))",
      ],
      double,
      ["s", "'[^'\\n]*'?"],
      ["k", "[&*!][\\w.!/-]+"],
    ],
    literals: `${literals} yes no on off True False`,
    word: "[A-Za-z_][\\w./-]*",
  },
  toml: {
    rules: [
      hash,
      triple,
      triples,
      ["k", "^[ \\t]{0,20}\\[[^\\n]*"],
      ["f", "^[ \\t]{0,20}[\\w.\"'-]+(?=[ \\t]{0,20}=)"],
      ...quotes,
      ["n", "\\d{4}-\\d\\d-\\d\\d[\\dT:.Z+-]*"],
    ],
    literals: "true false",
    word: "[A-Za-z_][\\w-]*",
  },
  "ini properties conf cfg dotenv env editorconfig gitconfig": {
    rules: [
      ["c", "^[ \\t]{0,20}[#;!].*"],
      ["k", "^[ \\t]{0,20}\\[[^\\n]*"],
      ["f", "^[ \\t]{0,20}[\\w.\"'-]+(?=[ \\t]{0,20}[=:])"],
      double,
    ],
    literals: "true false",
    word: "[A-Za-z_][\\w.-]*",
  },
  "sql mysql sqlite tsql plsql mariadb postgresql postgres pgsql psql": {
    rules: [dashes, stars, ["s", "'(?:[^'\\\\]|''|\\\\[^])*'?"], ["f", '"[^"\\n]*"?|`[^`\\n]*`?']],
    keywords: SQL,
    literals,
    ignoresCase: true,
  },
  "dockerfile docker containerfile": {
    ...shell,
    rules: [
      hash,
      [
        "k",
        "^[ \\t]{0,20}(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)\\b",
      ],
      ["k", "\\bAS\\b"],
      double,
      ...shell.rules.slice(2, 5),
    ],
  },
  "diff patch": {
    rules: [
      ["c", "^(?:diff|index|---|\\+\\+\\+|Index:|new file|deleted file|similarity|rename) ?.*"],
      ["f", "^@@.*"],
      ["s", "^\\+.*"],
      ["k", "^-.*"],
      ["-", "^ .*"],
    ],
  },
  "http rest": {
    rules: [
      ["k", "^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|QUERY|TRACE|CONNECT)\\b"],
      ["k", "\\bHTTP\\/\\d(?:\\.\\d)?"],
      ["f", "^[\\w-]+(?=:)"],
      ["f", '"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s{0,20}:)'],
      double,
    ],
    literals,
  },
  nginx: { rules: [hash, ...quotes, ["f", "\\$\\w+"], ["k", "(?<=^[ \\t]{0,40})[a-z_]+"]], literals: "on off" },
  lua: {
    rules: [["c", `--\\[\\[[^]*?(?:\\]\\]|${END})`], dashes, ["s", `\\[\\[[^]*?(?:\\]\\]|${END})`], ...quotes],
    keywords: "and break do else elseif end for function goto if in local not or repeat return then until while",
    literals: "true false nil self",
  },
  "perl pl": {
    rules: [hash, ...quotes, ["f", "[$@%][\\w:]+"]],
    keywords:
      "and cmp die do else elsif eq for foreach ge given gt if last le local lt my ne next no not or our " +
      "package print redo require return say sub undef unless until use when while xor",
    literals: "",
  },
  r: {
    rules: [hash, ...quotes, ["k", "<-|->|%[^%\\n]{0,20}%"]],
    keywords: "break else for function if in library next repeat require return while",
    literals: "TRUE FALSE NULL NA NaN Inf",
    word: "[A-Za-z.][\\w.]*",
  },
  "powershell ps1 pwsh ps": {
    rules: [
      ["c", `<#[^]*?(?:#>|${END})`],
      hash,
      ["s", '"(?:[^"`]|`[^])*"?'],
      ["s", "'[^']*'?"],
      ["f", "\\$[\\w:]+"],
      ["n", "(?<=\\s)-[A-Za-z]\\w*"],
      ["f", "[A-Z]\\w*-[A-Z]\\w*"],
    ],
    keywords:
      "begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for " +
      "foreach from function if in param process return switch throw trap try until using while",
    ignoresCase: true,
    word: "[A-Za-z_][\\w-]*",
  },
  "batch bat cmd": {
    rules: [["c", "^[ \\t]{0,20}(?:(?:rem|REM)\\b|::).*"], double, ["f", "%[\\w~*]+%?"], ["n", "(?<=\\s)\\/\\w+"]],
    keywords:
      "call cd copy del dir do echo else endlocal exit for goto if in md mkdir move not off on pause rd ren " +
      "rmdir set setlocal shift start type",
    ignoresCase: true,
  },
  "haskell hs": {
    rules: [dashes, ["c", `\\{-[^]*?(?:-\\}|${END})`], double, letter],
    keywords:
      "case class data deriving do else family forall foreign if import in infix infixl infixr instance let " +
      "module newtype of qualified then type where",
    literals: "True False Nothing Just",
    word: "[A-Za-z_][\\w']*",
  },
  elm: {
    rules: [dashes, ["c", `\\{-[^]*?(?:-\\}|${END})`], triple, double, letter],
    keywords: "alias as case else exposing if import in let module of port then type",
    literals: "True False Nothing Just",
  },
  "ocaml ml": {
    rules: [["c", `\\(\\*[^]*?(?:\\*\\)|${END})`], double, letter],
    keywords:
      "and as assert begin class constraint do done downto else end exception external for fun function " +
      "functor if in include inherit initializer lazy let match method module mutable new nonrec object of " +
      "open or private rec sig struct then to try type val virtual when while with",
    literals: "true false None Some",
    word: "[A-Za-z_][\\w']*",
  },
  "fsharp fs f#": {
    rules: [slashes, ["c", `\\(\\*[^]*?(?:\\*\\)|${END})`], triple, double, letter],
    keywords:
      "abstract and as async begin class default do done elif else end exception extern finally for fun " +
      "function if in inherit inline interface internal let match member module mutable namespace new of " +
      "open or override private public rec return static struct then to try type use val when while with " +
      "yield",
    literals: "true false null None Some",
  },
  "clojure clj cljs edn lisp scheme racket elisp": {
    rules: [
      ["c", ";.*"],
      ["s", '"(?:[^"\\\\]|\\\\[^])*"?'],
      ["n", ":[\\w.*+!?/-]+"],
    ],
    keywords:
      "def defn defmacro defmulti defmethod defprotocol defrecord deftype define do doseq fn for if if-let " +
      "import lambda let letfn loop ns quote recur require set! throw try var when when-let cond case and " +
      "or not",
    literals: "true false nil",
    word: "[A-Za-z_*+!?<>=-][\\w.*+!?<>=/-]*",
  },
  "julia jl": {
    rules: [["c", `#=[^]*?(?:=#|${END})`], hash, triple, double, letter, annotation],
    keywords:
      "abstract baremodule begin break catch const continue do else elseif end export finally for function " +
      "global if import in let local macro module mutable primitive quote return struct try type using " +
      "where while",
    literals: "true false nothing missing",
  },
  "protobuf proto": {
    rules: [slashes, stars, ...quotes],
    keywords:
      "enum extend extensions import map message oneof option optional package public repeated required " +
      "reserved returns rpc service stream syntax to bool bytes double fixed32 fixed64 float int32 int64 " +
      "sint32 sint64 string uint32 uint64",
    literals: "true false",
  },
  "graphql gql": {
    rules: [hash, triple, double, ["f", "[$@]\\w+"]],
    keywords:
      "query mutation subscription fragment on type interface union enum input scalar directive extend " +
      "implements schema repeatable",
    literals,
  },
  "hcl terraform tf tfvars": {
    rules: [hash, slashes, stars, double, ["f", "[A-Za-z_][\\w-]*(?=[ \\t]{0,40}=(?!=))"]],
    keywords:
      "resource data variable output module provider locals terraform backend for in if else dynamic moved " +
      "import check",
    literals,
    word: "[A-Za-z_][\\w-]*",
  },
  "makefile make mk": {
    rules: [
      hash,
      ["f", "\\$(?:[({][^)}\\n]{0,100}[)}]?|.)"],
      ["f", "^[\\w.%/-]+(?=[ \\t]{0,20}:(?!=))"],
      ["f", "^[\\w.]+(?=[ \\t]{0,20}[:?+!]?=)"],
      ["k", "^-?(?:ifeq|ifneq|ifdef|ifndef|else|endif|include|define|endef|export|override)\\b"],
      double,
    ],
    word: "[A-Za-z_.][\\w.-]*",
  },
  "cmake cmakelists.txt": {
    rules: [hash, double, ["f", "\\$\\{[^}\\n]{0,100}\\}?"]],
    keywords:
      "if else elseif endif foreach endforeach while endwhile function endfunction macro endmacro set include return",
    literals: "ON OFF TRUE FALSE",
    ignoresCase: true,
  },
  "elixir ex exs": {
    rules: [
      hash,
      triple,
      ["s", '"(?:[^"\\\\]|\\\\[^])*"?'],
      annotation,
      ["n", "(?<![:\\w]):[A-Za-z_]\\w*[?!]?"],
      ["n", "[a-z_]\\w*[?!]?:(?= )"],
    ],
    keywords:
      "after alias and case catch cond def defdelegate defexception defguard defimpl defmacro defmacrop " +
      "defmodule defp defprotocol defstruct do else end fn for if import in not or quote raise receive " +
      "require rescue super throw try unless unquote use when with",
    literals: "true false nil",
    word: "[A-Za-z_]\\w*[?!]?",
  },
  "erlang erl": {
    rules: [["c", "%.*"], double, ["s", "'[^'\\n]*'?"], ["f", "^-[a-z]\\w*"], ["f", "\\?\\w+"]],
    keywords: "after and andalso begin case catch div end fun if not of or orelse receive rem try when xor",
    literals: "true false undefined",
  },
  zig: {
    rules: [slashes, ["s", "\\\\\\\\.*"], double, letter, ["f", "@\\w+"]],
    keywords:
      "align and anyerror anytype asm async await break catch comptime const continue defer else enum " +
      "errdefer error export extern fn for if inline noalias noreturn opaque or orelse packed pub resume " +
      "return struct suspend switch test threadlocal try type union unreachable usingnamespace var void " +
      "volatile while bool f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize",
    literals: "true false null undefined",
  },
  "solidity sol": {
    rules: [slashes, stars, ...quotes],
    keywords:
      `${JS} abstract address bool bytes constant constructor contract emit enum error event external ` +
      "fallback immutable indexed int int256 interface internal is library mapping memory modifier override " +
      "payable pragma private public pure receive require returns revert solidity storage string struct " +
      "uint uint256 uint8 unchecked using view virtual",
    literals: "true false",
  },
  "vb vbnet visualbasic": {
    rules: [
      ["c", "'.*"],
      ["s", '"[^"\\n]*"?'],
    ],
    keywords:
      "and as boolean byref byval call case catch class const dim do each else elseif end enum exit finally " +
      "for friend function get handles if implements imports in inherits integer interface is let loop me " +
      "mod module mybase namespace new next not object of on option or overridable overrides private " +
      "property protected public raiseevent readonly return select set shared static string structure sub " +
      "then throw to try until using wend when while with",
    literals: "true false nothing",
    ignoresCase: true,
  },
  "latex tex": {
    rules: [
      ["c", "(?<!\\\\)%.*"],
      ["k", "\\\\(?:[A-Za-z]+\\*?|.)"],
      ["s", "\\$[^$\\n]*\\$?"],
    ],
  },
  "glsl hlsl wgsl metal": {
    rules: c,
    keywords:
      `${C} attribute discard fn half in inout layout let mat2 mat3 mat4 out precision highp lowp mediump ` +
      "sampler2D texture uniform var varying vec2 vec3 vec4",
    literals: "true false",
  },
  "markdown md mdx": {
    rules: [
      ["s", `^(?:\`\`\`|~~~)[^]*?(?:^(?:\`\`\`|~~~)[ \\t]*$|${END})`],
      ["k", "^#{1,6} .*"],
      ["c", "^>.*"],
      ["k", "^[ \\t]{0,20}(?:[-*+]|\\d{1,9}[.)]) "],
      ["s", "`[^`\\n]*`?"],
      ["f", "\\{%[^{}\\n]{0,200}%\\}|<\\/?[A-Za-z][^<>\\n]{0,200}>"],
      ["f", "!?\\[[^[\\]\\n]{0,200}\\]\\([^)\\n]{0,200}\\)"],
      ["n", "\\*\\*[^*\\n]{1,200}\\*\\*"],
    ],
    word: "[^\\s`*![{<]+",
  },
  "bnf ebnf abnf": { rules: [["c", ";.*"], ...quotes, ["f", "<[\\w -]{1,60}>"], ["k", "::?="]] },
  "asm nasm s assembly": {
    rules: [
      ["c", ";.*"],
      hash,
      double,
      ["f", "^[\\w.$]+(?=:)"],
      ["k", "(?<=^[ \\t]{1,20})[a-z.][\\w.]*"],
      ["f", "%\\w+"],
    ],
  },
  "vim viml": {
    rules: [["c", '^[ \\t]{0,20}".*'], single],
    keywords:
      "let set if else elseif endif for endfor while endwhile function endfunction return call execute " +
      "autocmd augroup command map nmap imap noremap nnoremap inoremap syntax source",
  },
  nix: {
    rules: [hash, stars, ["s", `''[^]*?(?:''|${END})`], ["s", '"(?:[^"\\\\]|\\\\[^])*"?']],
    keywords: "assert else if in inherit let or rec then with import",
    literals,
    word: "[A-Za-z_][\\w'-]*",
  },
};

const NUMBER = "(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d[\\d_]*)?(?:[eE][+-]?\\d+)?)\\w*";

const compiledLanguages = new Map<string, HighlightedLanguage>();
const definitionsByName = new Map(
  Object.entries(definitions).flatMap(([names, definition]) => names.split(" ").map((name) => [name, definition])),
);

export const languageNames: readonly string[] = [...definitionsByName.keys()];

export function findHighlightLanguage(syntax: string): HighlightedLanguage | undefined {
  const name = syntax.toLowerCase();
  const compiled = compiledLanguages.get(name);
  const definition = definitionsByName.get(name);
  if (compiled || !definition) return compiled;
  const { rules, keywords = "", literals = "", ignoresCase = false, hasNames = keywords !== "" } = definition;
  const { word = "[A-Za-z_$\\u00c0-\\uffff][\\w$\\u00c0-\\uffff]*" } = definition;
  const allRules: readonly TokenRule[] = [...rules, ["w", word], ["n", NUMBER]];
  const splitWords = (text: string) => new Set((ignoresCase ? text.toLowerCase() : text).split(" "));
  const language: HighlightedLanguage = {
    tokens: new RegExp(allRules.map(([, pattern]) => `(${pattern})`).join("|"), "gm"),
    kinds: allRules.map(([kind]) => kind),
    keywords: splitWords(keywords),
    literals: splitWords(literals),
    ignoresCase,
    hasNames,
  };
  compiledLanguages.set(name, language);
  return language;
}
