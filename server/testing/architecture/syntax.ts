// Parses one file for the rules: what it imports and how, and its text without comments.
import { posix } from "node:path";
import ts from "typescript";
import { isCode, type SourceFile } from "./tree";

export interface Import {
  /** For files of the repository, the path from the root without extension; else the package or built-in module. */
  readonly target: string;
  readonly isLocal: boolean;
  /** Gone after compilation. */
  readonly isTypeOnly: boolean;
}

const parsed = new WeakMap<SourceFile, ts.SourceFile>();

function parse(file: SourceFile): ts.SourceFile {
  let source = parsed.get(file);
  if (!source) {
    source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, false);
    parsed.set(file, source);
  }
  return source;
}

function bindsOnlyTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = clause.namedBindings;
  if (clause.name || !bindings || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

/** The module that a node names, in any of TypeScript's forms. */
function specifierOf(node: ts.Node): { specifier: ts.Node; isTypeOnly: boolean } | null {
  if (ts.isImportDeclaration(node))
    return { specifier: node.moduleSpecifier, isTypeOnly: bindsOnlyTypes(node.importClause) };
  if (ts.isExportDeclaration(node) && node.moduleSpecifier)
    return { specifier: node.moduleSpecifier, isTypeOnly: node.isTypeOnly };
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
    return { specifier: node.argument.literal, isTypeOnly: true };
  if (ts.isExternalModuleReference(node)) return { specifier: node.expression, isTypeOnly: false };
  if (!ts.isCallExpression(node) || !node.arguments[0]) return null;
  const { expression } = node;
  const loads =
    expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && expression.text === "require");
  return loads ? { specifier: node.arguments[0], isTypeOnly: false } : null;
}

function resolve(from: string, specifier: string): Pick<Import, "target" | "isLocal"> {
  const isAlias = specifier.startsWith("@/");
  if (!isAlias && !/^\.\.?(\/|$)/.test(specifier)) return { target: specifier, isLocal: false };
  const path = isAlias ? posix.normalize(specifier.slice(2)) : posix.join(posix.dirname(from), specifier);
  return { target: path.replace(/\.[cm]?[jt]sx?$/, ""), isLocal: true };
}

/** All imports of a file: static, dynamic, of types, by alias or relative, and re-exports. */
export function importsOf(file: SourceFile): Import[] {
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    const named = specifierOf(node);
    if (named && ts.isStringLiteralLike(named.specifier))
      imports.push({ ...resolve(file.path, named.specifier.text), isTypeOnly: named.isTypeOnly });
    ts.forEachChild(node, visit);
  };
  if (isCode(file.path)) visit(parse(file));
  return imports;
}

/** The text with every comment blanked out, so that rules about code ignore prose. */
export function codeOf(file: SourceFile): string {
  if (!isCode(file.path)) return file.text;
  const source = parse(file);
  const comments: ts.CommentRange[] = [];
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) return;
    comments.push(...(ts.getLeadingCommentRanges(file.text, node.pos) ?? []));
    comments.push(...(ts.getTrailingCommentRanges(file.text, node.end) ?? []));
    ts.forEachChild(node, visit);
  };
  visit(source);
  let text = file.text;
  for (const { pos, end } of comments)
    text = text.slice(0, pos) + text.slice(pos, end).replaceAll(/[^\n]/g, " ") + text.slice(end);
  return text;
}
