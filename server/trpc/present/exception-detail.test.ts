import { expect, it } from "vitest";
import { presentDetail } from "./exception-detail";

it.each([
  ["our books have 7500 BRL", "our books have 75.00 BRL"],
  ["our books have 123456 BRL", "our books have 1,234.56 BRL"],
  ["our books have 75.00 BRL", "our books have 75.00 BRL"],
  ["our books have 7500 JPY", "our books have 7500 JPY"],
  ["our books have 7500 ZZZ", "our books have 7500 ZZZ"],
  ["overpaid", "overpaid"],
])("%s", (why, shown) => expect(presentDetail({ why, provider: "acme" })).toEqual({ why: shown, provider: "acme" }));

it("a detail without words stays as it is", () => expect(presentDetail({ why: null })).toEqual({ why: null }));
