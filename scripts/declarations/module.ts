// The declarations of one source file, in pieces that can be kept or left out one by one. They come from the text of that
// file alone, which takes milliseconds: whatever is public must say its type in full.

import ts from "typescript";

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  strict: true,
  declaration: true,
  isolatedDeclarations: true,
  verbatimModuleSyntax: true,
};

/** A declaration, or one name of an import or export. */
export interface Piece {
  readonly statement: ts.Statement;
  /** The name in an import or export; undefined where the statement is one piece. */
  readonly specifier?: ts.ImportSpecifier | ts.ExportSpecifier;
  /** What it is called inside of the file. */
  readonly inside?: string | undefined;
  /** What it is called by other files; `*` gives away all that another file exports. */
  readonly outside?: string | undefined;
  /** The names of the file that it mentions. */
  readonly mentions: readonly string[];
  /** What it takes of other files; the name `*` is all of it. */
  readonly takes: readonly Taken[];
}

export interface Taken {
  readonly from: string;
  readonly name: string;
}

export interface Module {
  readonly pieces: readonly Piece[];
  /** What TypeScript says where it would have to infer a type, by the name of what is declared. */
  readonly untyped: ReadonlyMap<string, string>;
}

/** The declarations of a source. */
export function readModule(file: string, source: string): Module {
  const parsed = parse(file, source);
  // A file that holds nothing but types is its own declaration, laid out as it was written.
  if (parsed.statements.every(isOfTypes)) return { pieces: parsed.statements.flatMap(piecesOf), untyped: new Map() };
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(source, {
    fileName: file,
    compilerOptions,
    reportDiagnostics: true,
  });
  const untyped = diagnostics.flatMap(({ start = 0, messageText }) => {
    const at = parsed.statements.find(({ pos, end }) => pos <= start && start < end);
    return (at ? namesOf(at) : []).map((name) => [name, ts.flattenDiagnosticMessageText(messageText, " ")] as const);
  });
  // TypeScript indents by four spaces, we by two.
  const text = outputText.replaceAll(/^(?: {4})+/gm, (indent) => " ".repeat(indent.length / 2));
  return { pieces: parse(file, text).statements.flatMap(piecesOf), untyped: new Map(untyped) };
}

function isOfTypes(statement: ts.Statement): boolean {
  if (ts.isImportDeclaration(statement)) return statement.importClause?.isTypeOnly === true;
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
}

/** The text of what is kept of a module; `locate` says where another file is found from here. Indented by tabs, which makes
 * a tenth less to read for every compiler. */
export function printModule({ pieces }: Module, kept: ReadonlySet<Piece>, locate: (from: string) => string): string {
  const statements = new Set(pieces.filter((piece) => kept.has(piece)).map(({ statement }) => statement));
  const lines = [...statements].map((statement) => {
    const names = pieces.flatMap((piece) =>
      piece.statement === statement && piece.specifier && kept.has(piece) ? [piece.specifier.getText()] : [],
    );
    return located(names.length > 0 ? withNames(statement, names) : textOf(statement), statement, locate);
  });
  const hasOwn = pieces.some((piece) => kept.has(piece) && piece.outside === undefined && !piece.specifier);
  // Without the last line everything in a file of declarations would be exported.
  const text = `${[...lines, ...(hasOwn ? ["export {};"] : [])].join("\n")}\n`;
  return text.replaceAll(/^(?: {2})+/gm, (indent) => "\t".repeat(indent.length / 2));
}

/** A statement with what is said of it, and without what is said of the file. */
function textOf(statement: ts.Statement): string {
  return statement
    .getFullText()
    .replace(/^(?:\s*\/\/.*\n)+/, "")
    .trim();
}

function withNames(statement: ts.Statement, names: readonly string[]): string {
  const [word, clause] = ts.isImportDeclaration(statement)
    ? ["import", statement.importClause]
    : ["export", statement as ts.ExportDeclaration];
  const type = clause?.isTypeOnly ? " type" : "";
  const from = fromOf(statement);
  return `${word}${type} { ${names.join(", ")} }${from === undefined ? "" : ` from "${from}"`};`;
}

/** Replaces the paths of other files, where an import stands in a type as well. */
function located(text: string, statement: ts.Statement, locate: (from: string) => string): string {
  const paths = [fromOf(statement), ...importTypesIn(statement).map(({ from }) => from)].filter(
    (it) => it !== undefined,
  );
  return paths.reduce((done, path) => done.replaceAll(`"${path}"`, `"${locate(path)}"`), text);
}

function piecesOf(statement: ts.Statement): Piece[] {
  if (ts.isImportDeclaration(statement)) return imported(statement);
  if (ts.isExportDeclaration(statement)) return exported(statement);
  const mentions = identifiersIn(statement);
  const takes = importTypesIn(statement);
  if (ts.isExportAssignment(statement)) return [{ statement, outside: "default", mentions, takes }];
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  const has = (kind: ts.SyntaxKind) => modifiers.some((modifier) => modifier.kind === kind);
  const isDefault = has(ts.SyntaxKind.DefaultKeyword);
  return namesOf(statement).map((name) => ({
    statement,
    inside: name,
    outside: isDefault ? "default" : has(ts.SyntaxKind.ExportKeyword) ? name : undefined,
    mentions,
    takes,
  }));
}

function imported(statement: ts.ImportDeclaration): Piece[] {
  const from = fromOf(statement)!;
  const { name, namedBindings } = statement.importClause ?? {};
  if (namedBindings && ts.isNamedImports(namedBindings) && !name)
    return namedBindings.elements.map((specifier) => ({
      statement,
      specifier,
      inside: specifier.name.text,
      mentions: [],
      takes: [{ from, name: (specifier.propertyName ?? specifier.name).text }],
    }));
  if (name && !namedBindings)
    return [{ statement, inside: name.text, mentions: [], takes: [{ from, name: "default" }] }];
  if (namedBindings && ts.isNamespaceImport(namedBindings) && !name)
    return [{ statement, inside: namedBindings.name.text, mentions: [], takes: [{ from, name: "*" }] }];
  throw new Error(`An import of declarations can be written in a simpler way: ${statement.getText()}`);
}

function exported(statement: ts.ExportDeclaration): Piece[] {
  const from = fromOf(statement);
  const { exportClause } = statement;
  if (exportClause && ts.isNamedExports(exportClause))
    return exportClause.elements.map((specifier) => {
      const name = (specifier.propertyName ?? specifier.name).text;
      const outside = specifier.name.text;
      return from === undefined
        ? { statement, specifier, outside, mentions: [name], takes: [] }
        : { statement, specifier, outside, mentions: [], takes: [{ from, name }] };
    });
  return [{ statement, outside: exportClause?.name.text ?? "*", mentions: [], takes: [{ from: from!, name: "*" }] }];
}

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

function fromOf(statement: ts.Statement): string | undefined {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined;
  return statement.moduleSpecifier && ts.isStringLiteral(statement.moduleSpecifier)
    ? statement.moduleSpecifier.text
    : undefined;
}

/** The names that a statement declares. */
function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text);
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier };
  return name ? [name.text] : [];
}

/** Every word that may be a name. One that only looks like it keeps too much, never too little. */
function identifiersIn(node: ts.Node): string[] {
  return nodesIn(node).flatMap((it) => (ts.isIdentifier(it) ? [it.text] : []));
}

function importTypesIn(node: ts.Node): Taken[] {
  return nodesIn(node).flatMap((it) =>
    ts.isImportTypeNode(it) && ts.isLiteralTypeNode(it.argument) && ts.isStringLiteral(it.argument.literal)
      ? [{ from: it.argument.literal.text, name: "*" }]
      : [],
  );
}

function nodesIn(node: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (it: ts.Node): void => {
    found.push(it);
    ts.forEachChild(it, visit);
  };
  ts.forEachChild(node, visit);
  return found;
}
