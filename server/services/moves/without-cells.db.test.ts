// A process without CELLS, or with CELLS from before a cell was added, in an installation whose merchants have moved to that cell: it
// says that it cannot tell, and never that something is unknown or done.
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { commandsOfNoun } from "@/server/cli/commands";
import { parseWords } from "@/server/cli/parse";
import { runCommand } from "@/server/cli/testing/run-command";
import { claimCell } from "@/server/db/cell-identity";
import { disconnect, whilePreparing } from "@/server/db/client";
import { configureCells, SECOND_CELL } from "@/server/db/testing/second-cell";
import { inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { createApiKey } from "../api-keys/create";
import { linkAuditEntries } from "../audit/link-entries";
import { withoutIdempotency } from "../idempotency/completion";
import { addMember, inviteMember } from "../members/manage";
import { showLink } from "../members/one-time-links";
import { operatorContext } from "../merchants/operator";
import { getPayerView } from "../payer/get-payer-view";
import { createPaymentIntent } from "../payments/create";
import { simulate } from "../sandbox/simulate";
import { signIn } from "../sign-in/sign-in";
import { settleAbandonedMoves } from "./abandoned";
import { call } from "./testing/api-call";
import { fenceIn } from "./testing/rows";
import { eu3, killedAt, main, makeOne, move, sql, threeCells } from "./testing/three-cells";

const cells = threeCells();
afterEach(() => cells.pointTo());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    (value) => (value === null ? "unknown" : "found"),
    (error: { code?: string }) => error.code ?? "an error without a code",
  );

/** The exit status of a command. */
async function statusOf(...words: string[]): Promise<number> {
  const parsed = parseWords(words, await commandsOfNoun(words));
  if (parsed.kind !== "run") throw new TypeError("these words run nothing");
  const { command, values } = parsed;
  return command.run(values).then(
    (document) => (command.succeeded?.(document) === false ? 1 : 0),
    () => 1,
  );
}

describe.each([
  ["lack its cell", () => configureCells([{ ...SECOND_CELL, url: cells.own[1] }])],
  ["are not set", () => configureCells(null)],
])("if CELLS %s", (_what, forget) => {
  /** Goes on as a process does that starts with those CELLS. */
  async function startAnew() {
    await disconnect();
    forget();
    await inCell(main(), () => whilePreparing(() => claimCell(null)));
  }

  it("a moved merchant's key, payer page, link and member get 503", async () => {
    const { merchantId, context } = await inCell(main(), () => makeMerchant());
    const operator = operatorContext(merchantId, "test");
    const email = `x@${merchantId.replace("_", "-")}.example`;
    const password = "seven green lamps here";
    const made = await inCell(main(), async () => {
      const key = await createApiKey(context, "Shop");
      const { intent } = await createPaymentIntent(context, payment(), withoutIdempotency());
      await addMember(operator, { email, roles: ["owner"] }, password);
      const { link } = await inviteMember(operator, { email: `y${email}`, roles: ["finance"] });
      return { key, id: intent.id, token: link.slice(-43) };
    });
    expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
    await startAnew();
    expect((await call(made.key, { method: "GET", path: "/wallets" })).status).toBe(503);
    expect(await codeOf(getPayerView(made.id))).toBe("service_unavailable");
    expect(await codeOf(showLink(made.token))).toBe("service_unavailable");
    expect(await codeOf(signIn({ email, password, address: "203.0.113.9" }))).toBe("service_unavailable");
  });

  it("a worker opens a merchant again whose move was killed in its pause", async () => {
    const merchantId = await makeOne();
    await killedAt(/^UPDATE merchant_fence SET state = 'ready'/, merchantId, eu3());
    expect(await fenceIn(main(), merchantId)).toBe("leaving eu3");
    await startAnew();
    await vi.waitFor(async () => {
      await inCell(main(), settleAbandonedMoves);
      expect(await fenceIn(main(), merchantId)).toBeNull();
    }, 10_000);
  });

  it("a payer is not erased while a killed move has left rows in the other cell", async () => {
    const old = eu3();
    const { merchantId, context } = await inCell(old, () => makeMerchant());
    await inCell(old, async () => {
      const customer = { name: "Ana Souza", email: "ana@payer.example", reference: "payer-1" };
      const { intent } = await createPaymentIntent(context, payment({ customer }), withoutIdempotency());
      await simulate(context, intent.id, "succeeded");
    });
    await killedAt(/UPDATE merchant_move SET paused_ms/, merchantId, main());
    await startAnew();
    expect(await runCommand("payers", "erase", "--merchant", merchantId, "--reference", "payer-1")).toMatchObject({
      code: "validation_failed",
    });
  });

  it("a command over all merchants has not succeeded", async () => {
    const merchantId = await makeOne();
    expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
    await startAnew();
    expect(await statusOf("dispatch", "pause", "--reason", "The provider was hacked.")).toBe(1);
    await cells.pointTo();
    expect(await statusOf("dispatch", "resume", "--reason", "Over.")).toBe(0);
  });

  it("the chain that an anchor is of does not count as verified", async () => {
    const merchantId = await makeOne();
    await inCell(main(), async () => {
      while ((await linkAuditEntries()).isBehind);
    });
    const anchors = await runCommand("audit", "verify");
    expect(JSON.stringify(anchors)).toContain(merchantId);
    const file = join(tmpdir(), `anchors-${merchantId}.json`);
    await writeFile(file, JSON.stringify(anchors));
    expect(await move(merchantId, eu3())).toMatchObject({ phase: "done" });
    await sql(
      eu3(),
      `BEGIN; SET LOCAL session_replication_role = replica;
       DELETE FROM audit_link WHERE merchant_id = '${merchantId}'; DELETE FROM audit_entry WHERE merchant_id = '${merchantId}';
       DELETE FROM audit_pending WHERE merchant_id = '${merchantId}'; DELETE FROM audit_chain WHERE merchant_id = '${merchantId}';
       COMMIT`,
    );
    await startAnew();
    expect(await statusOf("audit", "verify", "--anchors", file)).toBe(1);
  });
});
