// Tests that the tree follows the rules of the architecture, and that each rule detects a breach.
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  folderCycles,
  foreignPackages,
  importCycles,
  testSupportInProduction,
  upwardImports,
} from "./testing/architecture/layers";
import {
  barrels,
  longFiles,
  namelessFolders,
  placesOutside,
  unfinishedWork,
  wrongWords,
} from "./testing/architecture/shape";
import { readTree } from "./testing/architecture/tree";
import { expectVerdicts, planted } from "./testing/architecture/verdicts";
import { environmentReads, sqlThroughPrisma, statusWrites } from "./testing/architecture/writes";

const tree = readTree(fileURLToPath(new URL("..", import.meta.url)));

it("reads the whole tree", () => {
  const paths = tree.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["package.json", "prisma/schema.prisma", "server/main.ts"]));
  expect(paths.filter((path) => /node_modules|\.next\/|\/generated\//.test(path))).toEqual([]);
  expect(paths.filter((path) => path.startsWith("server/")).length).toBeGreaterThan(100);
});

describe("layers", () => {
  it("imports between layers go down only", () => expect(upwardImports(tree)).toEqual([]));

  it("an upward import is detected in every form", () => {
    expectVerdicts(
      upwardImports,
      [
        planted("server/domain/a.ts", 'import { z } from "@/server/contract/fields";'),
        planted("server/domain/a.ts", 'import { z } from "../contract/fields";'),
        planted("server/domain/a.ts", 'export * from "../contract/fields";'),
        planted("server/domain/a.ts", 'const m = await import("@/server/db/client");'),
        planted("server/domain/a.ts", 'type T = import("@/server/db/client").T;'),
        planted("server/contract/a.ts", 'import { now } from "@/server/platform/clock";'),
        planted("server/db/a.ts", 'import { gateway } from "@/server/psp/gateway";'),
        planted("server/psp/a.ts", 'import { query } from "@/server/db/client";'),
        planted("server/receivers/a.ts", 'import { query } from "@/server/db/client";'),
        planted("server/receivers/a.ts", 'import { gateway } from "@/server/psp/gateway";'),
        planted("server/worker/a.ts", 'import { postToReceiver } from "@/server/receivers/post";'),
        planted("server/services/payouts/a.ts", 'import { z } from "@/server/contract/fields";'),
        planted("server/services/a.ts", 'import type { Peer } from "@/server/http/peer";'),
        planted("server/http/a.ts", 'import { query } from "@/server/db/client";'),
        planted("server/trpc/a.ts", 'import { gateway } from "@/server/psp/gateway";'),
        planted("server/worker/a.ts", 'import { query } from "../db/client";'),
        planted("server/cli/a.ts", 'import { query } from "../db/client";'),
        planted("server/http/a.ts", 'import { PROJECT_ROOT } from "@/server/build/build";'),
        planted("components/a.tsx", 'import { router } from "@/server/trpc/router";'),
        planted("components/a.tsx", 'import { env } from "@/server/platform/env";'),
        planted("app/page.tsx", 'import { list } from "@/server/services/payouts/list";'),
        planted("client/src/a.ts", 'import type { Payment } from "@/server/contract/payment-intents";'),
        planted("server/services/a.ts", 'import { Sluice } from "@/client/src/main";'),
        planted("e2e/rest/a.spec.ts", 'import { env } from "@/server/platform/env";'),
        planted("e2e/model/world/a.ts", 'import { nextPollAt } from "@/server/domain/polling";'),
        planted("e2e/model/oracle/a.ts", 'import { nextPollAt } from "@/server/domain/polling";'),
        planted("e2e/model/oracle/a.test.ts", 'import { nextPollAt } from "@/server/domain/polling";'),
        planted("e2e/model/domain-driver/a.ts", 'import { query } from "@/server/db/client";'),
      ],
      [
        planted("server/services/a.ts", 'import { query } from "@/server/db/client";'),
        planted("server/trpc/a.ts", 'import { session } from "@/server/auth/session";'),
        planted("server/domain/a.test.ts", 'import { z } from "@/server/contract/fields";'),
        planted("server/main.ts", 'import { migrate } from "@/server/db/migrate";'),
        planted("components/a.tsx", 'import type { Router } from "@/server/trpc/router";'),
        planted("components/a.tsx", 'import { type Router } from "@/server/trpc/router";'),
        planted("e2e/rest/a.spec.ts", 'import { ERRORS } from "@/server/contract/errors";'),
        planted("e2e/rest/a.spec.ts", 'import { Sluice } from "@/client/src/main";'),
        planted("e2e/model/domain-driver/a.ts", 'import { nextPollAt } from "@/server/domain/polling";'),
        planted("e2e/model/oracle/a.ts", 'import type { Report } from "../world/reports";'),
        planted("server/domain/a.ts", '// import { z } from "@/server/contract/fields";'),
      ],
    );
  });

  it("the domain and the client import no package, the contract none but zod", () =>
    expect(foreignPackages(tree)).toEqual([]));

  it("a package in a pure layer is detected", () => {
    expectVerdicts(
      foreignPackages,
      [
        planted("server/domain/a.ts", 'import { randomUUID } from "node:crypto";'),
        planted("server/domain/a.ts", 'import { z } from "zod";'),
        planted("server/contract/a.ts", 'import pg from "pg";'),
        planted("client/src/a.ts", 'import { z } from "zod";'),
      ],
      [planted("server/contract/a.ts", 'import { z } from "zod";'), planted("server/db/a.ts", 'import pg from "pg";')],
    );
  });

  it("nothing that runs in production imports test support", () => {
    expect(testSupportInProduction(tree)).toEqual([]);
    expectVerdicts(
      testSupportInProduction,
      [planted("server/psp/a.ts", 'import { sample } from "./testing/requests";')],
      [planted("server/psp/a.test.ts", 'import { sample } from "./testing/requests";')],
    );
  });

  it("no imports form a cycle, not even of types", () => expect(importCycles(tree)).toEqual([]));

  it("a cycle of any length is detected", () => {
    const [a, b, c] = [
      planted("server/db/a.ts", 'import { b } from "./b";'),
      planted("server/db/b.ts", 'import { type C, c } from "@/server/db/c";'),
      planted("server/db/c.ts", 'export const load = () => import("./a");'),
    ];
    expect(importCycles([a, b, c])).toHaveLength(1);
    expect(importCycles([a, b])).toEqual([]);
    expect(importCycles([a, planted(b.path, 'import type { A } from "./a";')])).toHaveLength(1);
  });

  it("no sibling folders import each other in a cycle", () => expect(folderCycles(tree)).toEqual([]));

  it("a cycle of folders is detected even if no file is in one", () => {
    const there = planted("server/services/payments/a.ts", 'import { b } from "../intents/b";');
    const back = planted("server/services/intents/c.ts", 'import type { D } from "../payments/d";');
    const [b, d] = [planted("server/services/intents/b.ts", ""), planted("server/services/payments/d.ts", "")];
    expect(importCycles([there, back, b, d])).toEqual([]);
    expect(folderCycles([there, back, b, d])).toHaveLength(1);
    expect(folderCycles([there, b, d])).toEqual([]);
    expect(folderCycles([there, planted("server/services/intents/c.test.ts", back.text), b, d])).toEqual([]);
  });
});

describe("access", () => {
  it("only server/platform/env.ts reads the environment", () => expect(environmentReads(tree)).toEqual([]));

  it("another reader of the environment is detected", () => {
    expectVerdicts(
      environmentReads,
      [
        planted("server/http/a.ts", "const port = process.env.PORT;"),
        planted("server/http/a.ts", 'const port = process["env"].PORT;'),
        planted("server/http/a.ts", "const { env } = process;"),
        planted("app/page.tsx", 'import { env } from "node:process";'),
      ],
      [
        planted("server/http/a.ts", "// process.env is read elsewhere"),
        planted("server/http/a.test.ts", "process.env.PORT = '1';"),
        planted("server/platform/env.ts", "process.env.PORT"),
      ],
    );
  });

  it("only the commit module creates intents and writes their status", () => expect(statusWrites(tree)).toEqual([]));

  it("another writer of intents is detected", () => {
    const update = (set: string) => `const SQL = \`UPDATE payout_intent SET ${set} WHERE id = $1\`;`;
    expectVerdicts(
      statusWrites,
      [
        planted("server/db/a.ts", update("status = 'succeeded'")),
        planted("server/db/a.ts", update("due_at = NULL, status = $2")),
        planted("server/db/a.ts", 'query("update payment_intent p set status=$1");'),
        planted("server/db/a.ts", "query(`UPDATE ${mapping.table} t\n SET lease = 1,\n status = 'failed'\n`);"),
        planted("server/db/a.ts", "query(`UPDATE topup_intent SET ${columns.join()} WHERE id = $1`);"),
        planted("server/services/a.ts", 'prisma().payoutIntent.update({ data: { status: "failed" } });'),
        planted("server/services/a.ts", "prisma().paymentIntent.createMany({ data });"),
        planted("server/db/a.ts", 'query("INSERT INTO topup_intent (id) VALUES ($1)");'),
      ],
      [
        planted("server/db/a.ts", update("due_at = $2").replace("id = $1", "status = 'processing'")),
        planted("server/db/a.ts", "query(`SELECT * FROM payout_intent WHERE status = $1`);"),
        planted("server/db/a.ts", 'query("UPDATE ledger_account SET balance = 0"); const status = 1;'),
        planted("server/db/commit/a.ts", update("status = 'succeeded'")),
        planted("server/db/a.test.ts", update("status = 'succeeded'")),
      ],
    );
  });
});

describe("Postgres", () => {
  it("no SQL and no transaction goes through Prisma", () => expect(sqlThroughPrisma(tree)).toEqual([]));

  it("SQL through Prisma is detected, also in tests", () => {
    expectVerdicts(
      sqlThroughPrisma,
      [
        planted("server/db/a.ts", "await prisma().$queryRawUnsafe<Row[]>(SQL, id);"),
        planted("server/db/a.ts", "await prisma().$executeRaw`DELETE FROM member`;"),
        planted("server/db/a.ts", "await prisma()\n  .$transaction(async (transaction) => work(transaction));"),
        planted("server/db/a.db.test.ts", "await prisma().$queryRaw`SELECT 1`;"),
      ],
      [
        planted("server/db/a.ts", "await inTransaction((transaction) => transaction.query(SQL, id));"),
        planted("server/db/a.ts", "await prisma().member.findMany({ where: { email } });"),
        planted("bench/typical/a.ts", "await prisma.$transaction(work);"),
      ],
    );
  });
});

describe("files", () => {
  it("there is no barrel", () => {
    expect(barrels(tree)).toEqual([]);
    expectVerdicts(barrels, [planted("server/db/index.ts", "")], [planted("server/db/index-names.ts", "")]);
  });

  it("every folder is named after a subject", () => {
    expect(namelessFolders(tree)).toEqual([]);
    const broken = ["server/utils/a.ts", "components/helpers/a.tsx", "app/lib/a.ts", "server/db/common/a.ts"];
    expectVerdicts(
      namelessFolders,
      broken.map((path) => planted(path, "")),
      [planted("server/library.ts", "")],
    );
  });

  it("no source is longer than 300 lines", () => {
    expect(longFiles(tree)).toEqual([]);
    expectVerdicts(
      longFiles,
      [planted("server/a.ts", "x;\n".repeat(300))],
      [planted("server/a.ts", "x;\n".repeat(299)), planted("server/a.test.ts", "x;\n".repeat(900))],
    );
  });

  it("no file mentions a path outside the repository", () => {
    expect(placesOutside(tree)).toEqual([]);
    const outside = [["", "home", "someone/x"].join("/"), `see ${["..", "shared", "a.md"].join("/")}`];
    expectVerdicts(
      placesOutside,
      outside.map((text) => planted("docs/a.md", text)),
      [planted("docs/a.md", "the network/home page, ../docs/sharing.md, a library")],
    );
  });

  it("no source contains a marker of unfinished work", () => {
    expect(unfinishedWork(tree)).toEqual([]);
    const marks = ["TO" + "DO: later", "FIX" + "ME"];
    expectVerdicts(
      unfinishedWork,
      marks.map((mark) => planted("server/a.ts", `// ${mark}`)),
      [planted("server/a.ts", "const todoList = 1;")],
    );
  });

  it("the code uses the words merchant, topup and cancelled", () => {
    expect(wrongWords(tree)).toEqual([]);
    const wrong = [
      ["top", "UpIntent"],
      ["Top", "Up"],
      ["cancel", "ed"],
      ["ten", "ant"],
      ["merchant", "_ref"],
    ];
    expectVerdicts(
      wrongWords,
      wrong.map((parts) => planted("server/a.ts", `const x = "${parts.join("")}";`)),
      [planted("server/a.ts", "const topupIntent = cancelledAt(merchantReference);")],
    );
  });
});
