// The rule about sessions: what acts for a signed-in person runs in the cell of the session.
import { codeOf } from "./syntax";
import { isCode, isTestOnly, type Rule } from "./tree";

const ACTS_FOR_PEOPLE = /^(server\/(auth|trpc)|app|components)\//;
const NAMES_ITS_OWN_SCOPE = /\b(withinMerchants?|inSharedCell|inEachCell)\s*[(<]/;

/**
 * Code behind a session that names a merchant without the session's cell. `withinSession` names both; a statement outside of
 * any cell throws.
 */
export const scopesBesideSessions: Rule = (files) =>
  files
    .filter(({ path }) => isCode(path) && ACTS_FOR_PEOPLE.test(path) && !isTestOnly(path))
    .filter((file) => NAMES_ITS_OWN_SCOPE.test(codeOf(file)))
    .map(({ path }) => `${path} names a scope without its session`);

/** Code that may leave the cell of its work: what all cells share in the first one. */
const SHARES = ["server/platform/cell.ts", "server/services/sign-in/"];

export const leavesItsCell: Rule = (files) =>
  files
    .filter(({ path }) => isCode(path) && /^(server|app|components)\//.test(path) && !isTestOnly(path))
    .filter(({ path }) => !SHARES.some((start) => path.startsWith(start)))
    .filter((file) => /\binSharedCell\s*[(<]/.test(codeOf(file)))
    .map(({ path }) => `${path} leaves its cell`);
