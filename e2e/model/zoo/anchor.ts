// Applies a planted bug to a source: finds a declaration by its name and replaces one expression inside it.
import ts from "typescript";
import type { Patch } from "./patch";
import { applySqlPatch } from "./sql-anchor";

const bare = (text: string) => text.replace(/\s+/g, "");

function isNamed(statement: ts.Statement, name: string): boolean {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.some((one) => ts.isIdentifier(one.name) && one.name.text === name);
  }
  return (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name?.text === name;
}

/** The outermost nodes whose text is `find`; a template that contains it counts as one. */
function matches(node: ts.Node, source: ts.SourceFile, find: string): ts.Node[] {
  const text = bare(node.getText(source));
  if (text === find) return [node];
  if (ts.isTemplateLiteralToken(node) || ts.isStringLiteral(node)) return text.includes(find) ? [node] : [];
  if (!text.includes(find)) return [];
  const found: ts.Node[] = [];
  node.forEachChild((child) => {
    found.push(...matches(child, source, find));
  });
  return found.length === 0 && ts.isTemplateExpression(node) ? [node] : found;
}

function replaced(text: string, patch: Patch): string {
  if (bare(text) === bare(patch.find)) return patch.replace;
  const pattern = patch.find
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.replace(new RegExp(pattern.join("\\s+")), () => patch.replace);
}

/** Returns the source with the bug. Throws if the anchor does not match exactly one place, or changes nothing. */
export function applyPatch(text: string, patch: Patch): string {
  if (patch.file.endsWith(".sql")) return applySqlPatch(text, patch);
  const source = ts.createSourceFile(patch.file, text, ts.ScriptTarget.Latest, true);
  const declaration = source.statements.find((statement) => isNamed(statement, patch.within));
  if (!declaration) throw new Error(`${patch.name}: ${patch.file} declares no ${patch.within}`);
  const found = matches(declaration, source, bare(patch.find));
  const [node] = found;
  if (!node || found.length > 1) {
    throw new Error(`${patch.name}: ${patch.within} of ${patch.file} has ${found.length} times: ${patch.find}`);
  }
  const result =
    text.slice(0, node.getStart(source)) + replaced(node.getText(source), patch) + text.slice(node.getEnd());
  if (result === text) throw new Error(`${patch.name}: the patch changes nothing`);
  return result;
}
