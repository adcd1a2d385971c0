// Proves on Postgres which facts count as openings of the same lasting state.
import { expect, it } from "vitest";
import { contradictionException } from "@/server/domain/exceptions";
import { makeMerchant } from "@/server/testing/merchant";
import { openStandingException } from "./standing-exceptions";

it("a reference that continues another one with a colon names a fact of its own", async () => {
  const { scope } = await makeMerchant();
  const at = new Date();
  const open = (reference: string) => {
    const exception = contradictionException("word_1", `settled 100 BRL ${reference}`, {});
    return openStandingException({ ...exception, scope }, at);
  };
  for (const reference of ["tx:2", "tx:a", "tx"]) {
    expect([reference, await open(reference), await open(reference)]).toEqual([reference, true, false]);
  }
});
