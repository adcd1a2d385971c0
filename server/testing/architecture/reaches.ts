// The rules about merchants: which code may reach the rows of several.
import { codeOf } from "./syntax";
import { isCode, isTestOnly, type Rule } from "./tree";

const REACHES_EVERYONE =
  /\b(acrossMerchants|queryAcrossMerchants|withinMerchantOrAll|withNobodysRows|reachEveryMerchant)\s*[(<]/;
/** The operator's commands, and the demonstration data of a first start. */
const OPERATORS = ["server/services/command-session.ts", "server/processes/demo.ts", "server/platform/reach.ts"];

/** Work that reaches every merchant's rows outside the tables' own functions, whose names say so. */
export const wideReaches: Rule = (files) =>
  files
    .filter(({ path }) => isCode(path) && /^(server|app|components)\//.test(path) && !isTestOnly(path))
    .filter(({ path }) => !path.startsWith("server/db/") && !OPERATORS.includes(path))
    .filter((file) => REACHES_EVERYONE.test(codeOf(file)))
    .map(({ path }) => `${path} reaches every merchant`);

/** Prisma joins the findUnique calls of one tick into one statement, also those of different merchants' work. */
export const joinedReads: Rule = (files) =>
  files
    .filter(({ path }) => isCode(path) && /^(server|app|components)\//.test(path) && !isTestOnly(path))
    .filter((file) => /\.findUnique(OrThrow)?\s*\(/.test(codeOf(file)))
    .map(({ path }) => `${path} uses findUnique`);

const WIDE_FUNCTION = /^export (?:async )?function (?<name>\w+AcrossMerchants)\b(?<body>[\s\S]*?)^\}$/gm;

/** Functions of tables that say they reach several merchants, and send their statements with the reach of their caller. */
export const narrowReaches: Rule = (files) =>
  files
    .filter(({ path }) => path.startsWith("server/db/") && isCode(path) && !isTestOnly(path))
    .flatMap((file) =>
      [...codeOf(file).matchAll(WIDE_FUNCTION)]
        .filter(({ groups }) => !/([aA]crossMerchants|withinMerchantOrAll)\s*[(<]/.test(groups?.body ?? ""))
        .map(({ groups }) => `${file.path}: ${groups?.name} reaches only its caller's merchants`),
    );
