// Applies a planted bug to a migration: finds a statement by its first words and replaces one text inside it.
import type { Patch } from "./patch";

interface Statement {
  readonly start: number;
  readonly end: number;
}

const bare = (text: string) => text.replace(/\s+/g, "");

/** What may contain a semicolon that ends nothing: a comment, a text, a body between dollars. */
const OPAQUE = /--[^\n]*|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|;/g;
const BEFORE_STATEMENT = /(?:\s|--[^\n]*\n)*/y;

/** Returns the statements of a migration, without the comments before each. */
function statementsOf(text: string): Statement[] {
  const statements: Statement[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(OPAQUE)) {
    if (found !== ";") continue;
    BEFORE_STATEMENT.lastIndex = from;
    statements.push({ start: from + (BEFORE_STATEMENT.exec(text)?.[0].length ?? 0), end: index });
    from = index + 1;
  }
  return statements;
}

/** Matches the text, with any white space where it has some. */
function patternOf(find: string): RegExp {
  const words = find.trim().split(/\s+/);
  return new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+"), "g");
}

/**
 * Returns the migration with the bug. Throws if not exactly one statement begins with `within`, if `find` is not exactly once in
 * it, and if nothing changes.
 */
export function applySqlPatch(text: string, patch: Patch): string {
  const named = statementsOf(text).filter(({ start, end }) =>
    bare(text.slice(start, end)).startsWith(bare(patch.within)),
  );
  const [statement] = named;
  if (!statement || named.length > 1) {
    throw new Error(`${patch.name}: ${named.length} statements of ${patch.file} begin with ${patch.within}`);
  }
  const sound = text.slice(statement.start, statement.end);
  const found = sound.match(patternOf(patch.find)) ?? [];
  if (found.length !== 1) {
    throw new Error(`${patch.name}: ${patch.within} of ${patch.file} has ${found.length} times: ${patch.find}`);
  }
  const broken = sound.replace(patternOf(patch.find), () => patch.replace);
  if (broken === sound) throw new Error(`${patch.name}: the patch changes nothing`);
  return text.slice(0, statement.start) + broken + text.slice(statement.end);
}
