// An export whose merchant moves to another cell meanwhile.
import { beforeAll, expect, it, vi } from "vitest";
import { sealToken, sessionSecret } from "@/server/auth/session-token";
import { declareFront } from "@/server/http/client-address";
import { inCell } from "@/server/platform/cell";
import { eu2, main, move, sql, threeCells } from "@/server/services/moves/testing/three-cells";
import { enterAs } from "@/server/services/sign-in/testing/sessions";
import { makeMember, makeMerchant } from "@/server/testing/merchant";
import { exportAnswer } from "./answer";
import * as sources from "./sources";

threeCells();
beforeAll(declareFront);

const ADDRESS = "192.0.2.1";

it("ends with an error, and the audit log says in the new cell how much was read", async () => {
  const { merchantId, cookie } = await inCell(main(), async () => {
    const merchant = await makeMerchant();
    const memberId = await makeMember(merchant.merchantId, `${merchant.merchantId}@shop.example`, "finance");
    const sid = await enterAs({ id: memberId, merchantId: merchant.merchantId }, ADDRESS);
    const token = { sub: memberId, merchantId: merchant.merchantId, sid };
    return { ...merchant, cookie: `sluice.session=${await sealToken({ token, secret: sessionSecret() })}` };
  });
  const page = async () => ({
    lines: { columns: ["id"], rows: [["word_1"]] },
    next: { createdAt: new Date(), id: "word_1" },
  });
  const payouts = vi.spyOn(sources.SOURCES, "payouts").mockReturnValue(page);
  try {
    const headers = { cookie, "x-forwarded-for": ADDRESS };
    const answer = await exportAnswer(
      new Request("http://localhost/api/export/test/payouts", { headers }),
      "test",
      "payouts",
    );
    expect(answer.status).toBe(200);
    const reader = answer.body?.getReader();
    await reader?.read();
    expect(await move(merchantId, eu2())).toMatchObject({ phase: "done" });
    await expect(async () => {
      for (let n = 0; n < 20; n += 1) await reader?.read();
    }).rejects.toThrow("signed out");
  } finally {
    payouts.mockRestore();
  }
  const ends =
    "SELECT after->>'complete' AS complete FROM audit_entry WHERE merchant_id = $1 AND action = 'export.end'";
  expect(await sql(eu2(), ends, merchantId)).toEqual([{ complete: "false" }]);
});
