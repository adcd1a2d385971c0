// Tests that the fake provider signs as documented, and executes once despite crashes and repeats.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Book } from "./book";
import { Faults } from "./faults";
import { sign } from "./signing";

let folder = "";
let path = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fake-psp-"));
  path = join(folder, "record.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () => new Book(path, () => "http://127.0.0.1:1");
const payout = JSON.stringify({
  reference: "word_1",
  merchant_id: "mer_1",
  amount: "1050",
  currency: "BRL",
  recipient: { type: "bank_account", account_number: "0001234567890", bank_code: "001", holder_name: "Ana" },
});

describe("the fake provider", () => {
  it("signs as the protocol's document shows", () => {
    const body = '{"reference":"dord_01h455vb4pex5vsknk084sn02q","amount":"1050"}';
    const signature = sign("an example secret of 32 characters or more", 1_795_253_400, "POST", "/v1/payments", body);
    const document = readFileSync(new URL("../../../docs/provider-protocol.md", import.meta.url), "utf8");
    expect(document).toContain(`Sluice-Signature: ${signature}\n`);
  });

  it("executes a payout once for one reference, also after a crash that cut its last line", () => {
    const first = open();
    expect(first.accept("payouts", payout, "accepted")).toBe(true);
    expect(first.accept("payouts", payout, "accepted")).toBe(true);
    first.close();
    appendFileSync(path, '{"event":"exec');
    const second = open();
    expect(second.accept("payouts", payout, "accepted")).toBe(true);
    expect(second.accept("payouts", payout.replace("1050", "1051"), "accepted")).toBe(false);
    expect(second.lines.map((line) => line.event)).toEqual(["accepted", "executed"]);
    second.close();
  });

  it("never records an account number", () => {
    const book = open();
    book.accept("payouts", payout, "accepted");
    book.close();
    expect(readFileSync(path, "utf8")).not.toContain("0001234567890");
    expect(readFileSync(path, "utf8")).toContain('"account_last4":"7890"');
  });

  it("applies a rule to matching calls, as often as it states", () => {
    const faults = new Faults();
    faults.add({ mode: "drop", kind: "payouts", operation: "create", times: 2 });
    const creation = { kind: "payouts", operation: "create", reference: "word_1" } as const;
    expect(faults.take({ ...creation, operation: "query" })).toBeNull();
    expect(faults.take({ ...creation, kind: "payments" })).toBeNull();
    expect(
      [faults.take(creation), faults.take(creation), faults.take(creation)].map((rule) => rule?.mode ?? null),
    ).toEqual(["drop", "drop", null]);
  });
});
