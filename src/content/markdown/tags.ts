// The scanner of tags, such as `{% if … %}`. It is an entry of its own because the core needs it, which never loads the parser.

export { isEscaped, MultilineTag, parseQuotedArgument, scanTag } from "./parser/tags";
