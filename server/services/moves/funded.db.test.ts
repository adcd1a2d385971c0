// A command that has booked money, and then finds that its merchant has closed.
import { expect, it, vi } from "vitest";
import { runCommand } from "@/server/cli/testing/run-command";
import { fence, unfence } from "@/server/db/testing/move-by-hand";
import type * as Wallets from "@/server/db/wallets";
import { eu2, main, makePaid, threeCells } from "./testing/three-cells";

const meanwhile = vi.hoisted(() => ({ beforeBalances: async () => {} }));
vi.mock("@/server/db/wallets", async (original) => {
  const own = await original<typeof Wallets>();
  const listBalances: typeof own.listBalances = async (...given) => {
    await meanwhile.beforeBalances();
    return own.listBalances(...given);
  };
  return { ...own, listBalances };
});

threeCells();

it("does not say that it failed", async () => {
  const merchantId = await makePaid();
  const money = ["--environment", "test", "--currency", "BRL", "--amount", "1234567"];
  const fund = () => runCommand("wallets", "fund", "--merchant", merchantId, ...money);
  meanwhile.beforeBalances = () => fence(main(), merchantId, "leaving", eu2());
  expect(await fund()).toMatchObject({ booked: true, available: null, held: null });
  meanwhile.beforeBalances = async () => {};
  expect(await fund()).toMatchObject({ code: "service_unavailable" });
  await unfence(main(), merchantId);
});
