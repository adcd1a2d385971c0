// What counts as a status that goes back: planted answers against the drawn states.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSightings, type Sightings } from "./sightings";
import { readStates } from "./states";

const STATES = readStates(readFileSync(new URL("../../../docs/states.md", import.meta.url), "utf8"));

let clock = 0;
/** Each answer is asked for after the one before has arrived. */
function see(sightings: Sightings, kind: "payment" | "payout" | "topup", ...statuses: readonly string[]): void {
  for (const status of statuses) sightings.see({ kind, id: "x", status, by: "a read" }, clock++);
}
const begin = () => createSightings(STATES, () => clock);

describe("the drawn states", () => {
  it("say which are final, and where each leads", () => {
    const { payment, payout, topup } = STATES;
    expect(["succeeded", "failed", "expired"].every(payment.isFinal)).toBe(true);
    expect(["processing", "requires_action", "cancelled", "unheard"].some(payment.isFinal)).toBe(false);
    expect(payment.leads("requires_action", "processing")).toBe(true);
    expect(payout.leads("requires_approval", "cancelled")).toBe(true);
    expect(payout.leads("processing", "requires_approval")).toBe(false);
    expect(topup.leads("processing", "requires_payment")).toBe(true);
    expect(topup.leads("expired", "succeeded")).toBe(false);
    expect(topup.leads("unheard", "unheard")).toBe(false);
  });

  it("must be there", () => expect(() => readStates("# States")).toThrow("not drawn"));
});

describe("statuses", () => {
  it.each([
    ["payment", "processing", "requires_action", "processing", "succeeded", "succeeded"],
    ["payout", "requires_approval", "processing", "failed"],
    ["topup", "requires_payment", "processing", "requires_payment", "expired"],
  ] as const)("in the order of the drawing are right: %s", (kind, ...statuses) => {
    const sightings = begin();
    see(sightings, kind, ...statuses);
    expect(sightings).toMatchObject({ problems: [], count: statuses.length });
  });

  it.each([
    ["payment", "succeeded", "processing"],
    ["payment", "failed", "expired"],
    ["payout", "processing", "requires_approval"],
    ["topup", "succeeded", "requires_payment"],
  ] as const)("that go back are found: %s, %s to %s", (kind, earlier, later) => {
    const sightings = begin();
    see(sightings, kind, earlier, later);
    expect(sightings.problems).toEqual([`the ${kind} x is ${later} in a read, and was ${earlier} in a read`]);
  });

  it("that are not drawn are found", () => {
    const sightings = begin();
    see(sightings, "payment", "cancelled");
    expect(sightings.problems).toEqual(["x has no status cancelled"]);
  });

  it("of answers that were under way at one moment may come in either order", () => {
    const sightings = begin();
    const since = clock - 1;
    see(sightings, "payment", "succeeded");
    sightings.see({ kind: "payment", id: "x", status: "processing", by: "a list" }, since);
    expect(sightings.problems).toEqual([]);
  });
});

describe("an event", () => {
  const event = (status: string) => ({ kind: "payment", id: "x", status, by: "a webhook" }) as const;

  it("may come late, and binds every later answer", () => {
    const sightings = begin();
    see(sightings, "payment", "processing", "succeeded");
    sightings.hear(event("succeeded"));
    expect(sightings.problems).toEqual([]);
    const early = begin();
    early.hear(event("succeeded"));
    see(early, "payment", "processing");
    expect(early.problems).toEqual(["the payment x is processing in a read, and was succeeded in a webhook"]);
  });

  it("about another end, or about none, is found", () => {
    const sightings = begin();
    see(sightings, "payment", "expired");
    sightings.hear(event("succeeded"));
    sightings.hear(event("processing"));
    expect(sightings.problems).toEqual([
      "the payment x is succeeded in a webhook, and was expired in a read",
      "an event says that x is processing",
      "the payment x is processing in a webhook, and was expired in a read",
      "the payment x is processing in a webhook, and was succeeded in a webhook",
    ]);
  });
});
