// A mover that is stopped, such as by Ctrl-Z, while it makes its triggers: nobody's writes may wait for it for long.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { inCell } from "@/server/platform/cell";
import { makeMerchant, payment } from "@/server/testing/merchant";
import { withoutIdempotency } from "../idempotency/completion";
import { createPaymentIntent } from "../payments/create";
import { holdMover } from "./testing/killed-mover";
import { eu2, main, makeOne, move, threeCells } from "./testing/three-cells";

threeCells();

/** What the mover says after it has made the triggers of a table. */
function afterTriggersOf(table: string): RegExp {
  let isIt = false;
  return {
    test: (text: string) => {
      const wasIt = isIt;
      isIt ||= text.includes("CREATE OR REPLACE TRIGGER") && text.includes(`ON ${table}\n`);
      return wasIt;
    },
  } as RegExp;
}

it("others go on creating payments", async () => {
  const neighbor = await inCell(main(), () => makeMerchant());
  const merchantId = await makeOne();
  const create = () =>
    inCell(main(), () => createPaymentIntent(neighbor.context, payment(), withoutIdempotency())).then(
      () => "created",
      (error: { code?: string; message?: string }) => `${error.code}: ${error.message}`,
    );
  expect(await create()).toBe("created");
  const mover = holdMover(afterTriggersOf("payment_intent"));
  const moving = move(merchantId, eu2());
  const answers: string[] = [];
  try {
    await mover.held;
    const begun = performance.now();
    while (performance.now() - begun < 5_000) {
      answers.push(`${Math.round((performance.now() - begun) / 1_000)} s: ${await create()}`);
      await sleep(1_000);
    }
  } finally {
    mover.goOn();
    await moving;
    mover.restore();
  }
  expect(await create()).toBe("created");
  expect(answers.at(-1)).toContain("created");
});
