// Our additions to Stryker: texts that it leaves unchanged, and a line for each mutant that no test notices.
import { relative } from "node:path";

const DEVELOPERS_ERRORS = ["Error", "RangeError", "TypeError"];

const isText = (path) => path.isStringLiteral() || path.isTemplateLiteral();

/** `throw new RangeError("…")`: a mistake in our own code. */
function isDevelopersError({ parentPath }) {
  return parentPath.isNewExpression() && DEVELOPERS_ERRORS.includes(parentPath.node.callee.name);
}

/** An expression as it was before Stryker placed its mutants around it. */
function original(node) {
  if (node?.type === "ConditionalExpression") return original(node.alternate);
  return node?.type === "SequenceExpression" ? original(node.expressions.at(-1)) : node;
}

/** `{ kind: "ignored", reason: "…" }`, or the same by the function `ignored`: why a report changes nothing, for the log. */
function isIgnoredReason({ parentPath }) {
  if (parentPath.isCallExpression()) return parentPath.node.callee.name === "ignored";
  if (!parentPath.isObjectProperty() || parentPath.node.key.name !== "reason") return false;
  return parentPath.parent.properties?.some(
    ({ key, value }) => key?.name === "kind" && original(value)?.value === "ignored",
  );
}

/** `log().info({ … }, "…")`. */
function isLogText({ parentPath }) {
  const object = parentPath.isCallExpression() ? parentPath.node.callee.object : undefined;
  return object?.type === "CallExpression" && object.callee.name === "log";
}

/** No test should fix the words that only a log or a developer reads. */
const logTexts = {
  shouldIgnore: (path) =>
    isText(path) && [isDevelopersError, isIgnoredReason, isLogText].some((isOne) => isOne(path))
      ? "only a log shows this text"
      : undefined,
};

class SurvivorReporter {
  onMutantTested({ status, fileName, location, mutatorName, replacement }) {
    if (status !== "Survived" && status !== "NoCoverage") return;
    const { line, column } = location.start;
    const place = `${relative(process.cwd(), fileName)}:${line}:${column}`;
    process.stdout.write(`✗ ${place} ${mutatorName}, ${status}: ${replacement.replaceAll(/\s+/g, " ")}\n`);
  }
}

export const strykerPlugins = [
  { kind: "Ignore", name: "log-texts", value: logTexts },
  { kind: "Reporter", name: "survivors", injectableClass: SurvivorReporter },
];
