// Finds in the sources every text with which a call can be rejected, as templates: "must have at most {} characters".
import ts from "typescript";
import { importsOf } from "../architecture/syntax";
import { isCode, isTestOnly, type SourceFile } from "../architecture/tree";

export interface Thrown {
  readonly file: string;
  /** Values are `{}`; a complaint about a field has `field ` before it. */
  readonly template: string;
}

/** Stands for the value of a template, or for a text that comes from elsewhere. */
const HOLE = "{}";

/** Deeper chains of constants are followed no further. */
const DEEPEST = 6;

const ERRORS = /^(?:Forbidden|CodeRequired|PasskeyRequired|FreshSignInRequired|PasswordRequired)$/;
const CHECKS = /^(?:regex|min|max|refine|length)$/;
const MEMBERS = /^(?:error|message|refusal|complaint)$/;

/** The files that the roots import, with them. */
function reachable(files: readonly SourceFile[], roots: readonly string[]): SourceFile[] {
  const own = files.filter(({ path }) => path.startsWith("server/") && isCode(path) && !isTestOnly(path));
  const byPath = new Map(own.map((file) => [file.path.replace(/\.tsx?$/, ""), file]));
  const seen = new Set<SourceFile>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (!file || seen.has(file)) return;
    seen.add(file);
    for (const { target, isLocal, isTypeOnly } of importsOf(file)) if (isLocal && !isTypeOnly) visit(target);
  };
  for (const root of roots) visit(root);
  return [...seen];
}

/** What a node may be as text, each with `{}` for what only a running service knows. */
class Templates {
  private readonly constants = new Map<string, ts.Expression[]>();

  constructor(sources: readonly ts.SourceFile[]) {
    const visit = (node: ts.Node): void => {
      if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
        this.constants.set(node.name.text, [...(this.constants.get(node.name.text) ?? []), node.initializer]);
      ts.forEachChild(node, visit);
    };
    for (const source of sources) visit(source);
  }

  of(node: ts.Expression, depth = 0): string[] {
    if (depth > DEEPEST) return [HOLE];
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return this.of(node.expression, depth);
    if (ts.isConditionalExpression(node)) return [...this.of(node.whenTrue, depth), ...this.of(node.whenFalse, depth)];
    if (ts.isTemplateExpression(node)) return this.ofTemplate(node, depth);
    if (ts.isBinaryExpression(node)) return this.ofBinary(node, depth);
    // Constants of the form NAME are texts of one meaning wherever they are; other names are not.
    if (ts.isIdentifier(node) && /^[A-Z][A-Z_0-9]*$/.test(node.text) && this.constants.has(node.text))
      return (this.constants.get(node.text) ?? []).flatMap((value) => this.of(value, depth + 1));
    return [HOLE];
  }

  private ofTemplate(node: ts.TemplateExpression, depth: number): string[] {
    return node.templateSpans.reduce(
      (begun, { expression, literal }) => {
        const inner = ts.isConditionalExpression(expression) ? this.of(expression, depth + 1) : [HOLE];
        return begun.flatMap((start) => inner.map((value) => start + value + literal.text));
      },
      [node.head.text],
    );
  }

  private ofBinary({ left, right, operatorToken }: ts.BinaryExpression, depth: number): string[] {
    if (operatorToken.kind === ts.SyntaxKind.PlusToken)
      return this.of(left, depth).flatMap((start) => this.of(right, depth).map((end) => start + end));
    if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
      return [...this.of(left, depth), ...this.of(right, depth)];
    return [HOLE];
  }
}

/** The expressions of a node that become a rejection's text, and whether a field's name comes before it. */
function textsIn(node: ts.Node): { text: ts.Expression; isComplaint: boolean }[] {
  if (ts.isPropertyAssignment(node) && MEMBERS.test(node.name.getText())) {
    const isComplaint = /^(?:error|complaint)$/.test(node.name.getText());
    return [{ text: node.initializer, isComplaint }];
  }
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return [];
  const { expression } = node;
  const given = [...(node.arguments ?? [])];
  if (ts.isPropertyAccessExpression(expression) && CHECKS.test(expression.name.text))
    return given.filter(ts.isStringLiteralLike).map((text) => ({ text, isComplaint: true }));
  if (!ts.isIdentifier(expression)) return [];
  const [first, second] = given;
  if (expression.text === "ServiceError" && second) return [{ text: second, isComplaint: false }];
  if (expression.text === "validationError" && second) return [{ text: second, isComplaint: true }];
  if (expression.text === "NeedsOperator" && second) return [{ text: second, isComplaint: false }];
  return ERRORS.test(expression.text) && first ? [{ text: first, isComplaint: false }] : [];
}

/** Every text of a rejection in the files that the roots reach. */
export function thrownTexts(files: readonly SourceFile[], roots: readonly string[]): Thrown[] {
  const sources = reachable(files, roots).map((file) =>
    ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true),
  );
  const templates = new Templates(sources);
  return sources.flatMap((source) => {
    const found: Thrown[] = [];
    const visit = (node: ts.Node): void => {
      for (const { text, isComplaint } of textsIn(node))
        for (const template of templates.of(text))
          found.push({
            file: source.fileName,
            template: isComplaint && template !== HOLE ? `field ${template}` : template,
          });
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}
