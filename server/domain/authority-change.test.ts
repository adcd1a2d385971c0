import { describe, expect, it } from "vitest";
import { isAuthorityChange, noticeText } from "./authority-change";

describe("a change of authority", () => {
  it.each([
    ["member.create", null],
    ["member.change_roles", null],
    ["member.enable", null],
    ["member.disable", null],
    ["member.propose_grant", null],
    ["member.confirm_grant", null],
    ["member.reset_password", null],
    ["member.totp_remove", null],
    ["member.passkey_enrol", null],
    ["member.passkey_remove", null],
    ["member.identity_link", null],
    ["member.identity_unlink", null],
    ["merchant.set_totp", null],
    ["merchant.set_sign_in_codes", null],
    ["merchant.set_authority_cool_down", null],
    ["approval_policy.confirm", "test"],
    ["api_key.create", "live"],
    ["payout_limits.set", "live"],
  ] as const)("includes %s (%s)", (action, environment) =>
    expect(isAuthorityChange({ action, environment })).toBe(true),
  );

  it.each([
    ["member.sign_in", null],
    ["member.change_password", null],
    ["api_key.create", "test"],
    ["payout_limits.set", "test"],
    ["payout_intent.create", "live"],
  ] as const)("excludes %s (%s)", (action, environment) =>
    expect(isAuthorityChange({ action, environment })).toBe(false),
  );
});

it("is described with who did what to whom", () => {
  const facts = { environment: null, actor: "eva@shop.example", subject: "ana@shop.example" };
  const after = { roles: ["owner", "finance"] };
  expect(noticeText({ ...facts, action: "member.change_roles", after })).toBe(
    "eva@shop.example changed the roles of ana@shop.example to owner, finance.",
  );
  expect(noticeText({ ...facts, action: "merchant.set_totp", subject: null, after: { totp_required_for: [] } })).toBe(
    "eva@shop.example changed what requires a one-time code to: nothing.",
  );
  expect(noticeText({ ...facts, action: "payout_limits.set", environment: "live", subject: null, after: null })).toBe(
    "eva@shop.example changed the payout limits of the live environment.",
  );
  expect(noticeText({ ...facts, action: "api_key.create", environment: "live", subject: null, after: null })).toBe(
    "eva@shop.example created an API key for the live environment.",
  );
});
