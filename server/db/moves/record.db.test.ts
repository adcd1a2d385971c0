// The phase of a move only advances. The database refuses any other change.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "@/server/platform/ids";
import { openSchemaProbe, type SchemaProbe } from "../testing/schema-probe";

let probe: SchemaProbe;
let id: string;
beforeAll(async () => {
  probe = await openSchemaProbe(process.env.DATABASE_URL);
});
beforeEach(() => {
  id = newId("merchantMove");
});
afterAll(() => probe.close());

const enter = (phase: string, ended = "NULL") =>
  probe.run(`UPDATE merchant_move SET phase = '${phase}', ended_at = ${ended} WHERE id = '${id}'`);
const refusal = (from: string, work: () => Promise<unknown>) =>
  probe.refusedBy(async () => {
    await probe.insert("merchant_move", { id, phase: from });
    await work();
  });

it.each([
  ["following", "copying"],
  ["switched", "pausing"],
  ["switched", "aborting"],
  ["removing", "aborting"],
  ["aborting", "following"],
])("a move that is %s does not become %s", async (from, to) => {
  expect(await refusal(from, () => enter(to))).toBe("merchant_move_goes_forward");
});

it.each([
  ["copying", "following"],
  ["pausing", "pausing"],
  ["pausing", "switched"],
  ["pausing", "aborting"],
])("a move that is %s becomes %s", async (from, to) => {
  expect(await refusal(from, () => enter(to))).toBe("nothing");
});

it("a move that has ended stays as it is, none is deleted, and none changes its cells", async () => {
  const end = async () => {
    await enter("done", "now()");
    await probe.run(`UPDATE merchant_move SET rows_copied = 1 WHERE id = '${id}'`);
  };
  expect(await refusal("removing", end)).toBe("merchant_move_goes_forward");
  expect(await refusal("copying", () => probe.run("DELETE FROM merchant_move"))).toBe("merchant_move_stays");
  const lead = () => probe.run("UPDATE merchant_move SET to_cell = 'eu3'");
  expect(await refusal("copying", lead)).toBe("merchant_move_goes_forward");
});

it("a merchant has one open move", async () => {
  const again = () => probe.insert("merchant_move", { id: newId("merchantMove") });
  expect(await refusal("copying", again)).toBe("merchant_move_open");
});
