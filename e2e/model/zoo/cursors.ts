// Planted bugs in how lists go on behind a cursor.
import type { Patch } from "./patch";

const INTENTS = { project: "db", tests: ["server/services/intents/list.db.test.ts"] } as const;
const OTHERS = { project: "db", tests: ["server/services/page.db.test.ts"] } as const;

export const CURSOR_PATCHES: readonly Patch[] = [
  {
    name: "cursors: the last row of a page comes again, downwards",
    file: "server/db/intents/conditions.ts",
    within: "ORDERS",
    find: 'comesAfter: "<"',
    replace: 'comesAfter: "<="',
    caughtBy: INTENTS,
  },
  {
    name: "cursors: the last row of a page comes again, upwards",
    file: "server/db/intents/conditions.ts",
    within: "ORDERS",
    find: 'comesAfter: ">"',
    replace: 'comesAfter: ">="',
    caughtBy: INTENTS,
  },
  {
    name: "cursors: rows of the cursor's millisecond are left out",
    file: "server/db/intents/conditions.ts",
    within: "pageClauses",
    find: "AND (created_at, id) ${comesAfter} (${parameter(after.createdAt)}::timestamptz, ${parameter(after.id)})",
    replace: "AND created_at ${comesAfter} ${parameter(after.createdAt)}::timestamptz",
    caughtBy: INTENTS,
  },
  {
    name: "cursors: the last event of a page comes again",
    file: "server/db/webhooks/events.ts",
    within: "listEvents",
    find: "(created_at, id) < (",
    replace: "(created_at, id) <= (",
    caughtBy: OTHERS,
  },
  {
    name: "cursors: the last audit entry of a page comes again",
    file: "server/db/audit/log.ts",
    within: "logStatement",
    find: "AND id < ${parameter(after.id)}",
    replace: "AND id <= ${parameter(after.id)}",
    caughtBy: OTHERS,
  },
  {
    name: "cursors: the last request of a page comes again",
    file: "server/db/api-logs.ts",
    within: "partsOf",
    find: "id < ${parameter(after.id)}",
    replace: "id <= ${parameter(after.id)}",
    caughtBy: { project: "db", tests: ["server/services/api-logs/api-logs.db.test.ts"] },
  },
];
