// Tests who may receive which type of notification.
import { expect, it } from "vitest";
import { ACT_FOR, NOTIFICATION_TYPES, OPERATOR_TYPES, SENT_TYPES } from "./notification";
import { rolesFor } from "./permissions";

it("each type goes to members who may act on it; security notices are addressed to their members", () => {
  const addressed = NOTIFICATION_TYPES.filter((type) => ACT_FOR[type] === null);
  expect(addressed).toEqual(["security"]);
  const acts = NOTIFICATION_TYPES.map((type) => ACT_FOR[type]).filter((act) => act !== null);
  for (const act of acts) expect(rolesFor(act)).toContain("owner");
});

it("what is proposed goes to those who decide on it", () => {
  const types = ["approval_waiting", "refund_proposed", "policy_proposed", "topup_terms_proposed"] as const;
  expect(types.map((type) => ACT_FOR[type])).toEqual([
    "decide_payouts",
    "decide_payouts",
    "decide_policies",
    "decide_settings",
  ]);
});

it("a test can be sent besides what can be chosen, and operators choose from the same types", () => {
  expect(SENT_TYPES).toEqual([...NOTIFICATION_TYPES, "test"]);
  expect(NOTIFICATION_TYPES).toEqual(expect.arrayContaining([...OPERATOR_TYPES]));
});
