import { describe, expect, it } from "vitest";
import { isAuthorityChange, noticeText } from "./authority-change";

describe("a change of authority", () => {
  it.each([
    ["member.create", null],
    ["member.change_name", null],
    ["member.change_roles", null],
    ["member.enable", null],
    ["member.disable", null],
    ["member.propose_grant", null],
    ["member.confirm_grant", null],
    ["member.reset_password", null],
    ["member.totp_enrol", null],
    ["member.totp_remove", null],
    ["member.passkey_enrol", null],
    ["member.passkey_remove", null],
    ["member.identity_link", null],
    ["member.identity_unlink", null],
    ["merchant.set_brand", null],
    ["merchant.set_name", null],
    ["merchant.set_totp", null],
    ["merchant.set_sign_in_codes", null],
    ["merchant.set_authority_cool_down", null],
    ["topup_policies.propose", "live"],
    ["topup_policies.confirm", "live"],
    ["approval_policy.confirm", "test"],
    ["api_key.create", "live"],
    ["payout_limits.set", "live"],
    ["payout_recipient.save", "live"],
    ["merchant.set_recipient_cool_off", null],
  ] as const)("includes %s (%s)", (action, environment) =>
    expect(isAuthorityChange({ action, environment })).toBe(true),
  );

  it.each([
    ["member.sign_in", null],
    ["member.change_password", null],
    ["api_key.create", "test"],
    ["payout_limits.set", "test"],
    ["payout_recipient.save", "test"],
    ["topup_policies.propose", "test"],
    ["topup_policies.confirm", "test"],
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

describe("the notice of a change", () => {
  const facts = { environment: null, actor: "eva@shop.example", subject: "ana@shop.example", after: null };

  it.each([
    ["member.create", { roles: ["finance"] }, "added ana@shop.example as finance."],
    ["member.create", { roles: [] }, "added ana@shop.example, whose roles await confirmation."],
    [
      "member.propose_grant",
      null,
      "proposed an approving role for ana@shop.example; another owner or admin must confirm it.",
    ],
    [
      "member.confirm_grant",
      { roles: ["admin", "finance"] },
      "confirmed the roles of ana@shop.example: admin, finance.",
    ],
    ["member.change_name", { name: "Ana Souza" }, "changed the name of ana@shop.example to “Ana Souza”."],
    ["member.change_name", { name: null }, "removed the name of ana@shop.example."],
    ["member.change_name", null, "removed the name of ana@shop.example."],
    ["merchant.set_name", { name: "Shop" }, "changed the merchant's name to “Shop”."],
    ["merchant.set_brand", null, "changed the color or logo that payers see."],
    ["member.disable", null, "disabled ana@shop.example."],
    ["member.enable", null, "enabled ana@shop.example."],
    ["member.reset_password", null, "reset the password of ana@shop.example."],
    ["member.totp_enrol", null, "set up one-time codes for the account of ana@shop.example."],
    ["member.totp_remove", null, "removed the one-time codes of ana@shop.example."],
    ["member.passkey_enrol", null, "added a passkey to the account of ana@shop.example."],
    ["member.passkey_remove", null, "removed a passkey of ana@shop.example."],
    ["member.identity_link", null, "connected single sign-on to the account of ana@shop.example."],
    ["member.identity_unlink", null, "disconnected single sign-on from the account of ana@shop.example."],
    ["merchant.set_totp", { totp_required_for: ["a", "b"] }, "changed what requires a one-time code to: a, b."],
    ["merchant.set_sign_in_codes", { totp_required_to_sign_in: true }, "required one-time codes to sign in."],
    [
      "merchant.set_sign_in_codes",
      { totp_required_to_sign_in: false },
      "no longer requires one-time codes to sign in.",
    ],
    ["merchant.set_sign_in_codes", null, "no longer requires one-time codes to sign in."],
    [
      "merchant.set_authority_cool_down",
      { authority_cool_down_seconds: 60 },
      "changed the cool-down of new authority to 60 seconds.",
    ],
  ] as const)("%s after %j: %s", (action, after, text) =>
    expect(noticeText({ ...facts, action, after })).toBe(`eva@shop.example ${text}`),
  );

  it("of a recipient names the end of its account and the environment", () => {
    const facts = { actor: "eva@shop.example", subject: null, environment: "live" } as const;
    expect(noticeText({ ...facts, action: "payout_recipient.save", after: { account_last4: "6789" } })).toBe(
      "eva@shop.example saved a recipient of payouts, account ending 6789, in the live environment.",
    );
    expect(noticeText({ ...facts, action: "merchant.set_recipient_cool_off", after: null })).toBe(
      "eva@shop.example changed the cool-off of new recipients.",
    );
  });

  it.each([
    ["approval_policy.confirm", "changed the approval policy of the live environment."],
    [
      "topup_policies.propose",
      "proposed other top-up terms for the live environment; another owner or admin must confirm them.",
    ],
    ["topup_policies.confirm", "confirmed other top-up terms for the live environment."],
  ])("%s names the environment", (action, text) => {
    expect(noticeText({ ...facts, action, environment: "live" })).toBe(`eva@shop.example ${text}`);
  });

  it.each([
    ["member.create", "added ana@shop.example, whose roles await confirmation."],
    ["merchant.set_totp", "changed what requires a one-time code to: nothing."],
  ])("%s is sent although its entry does not say what came of it", (action, text) => {
    expect(noticeText({ ...facts, action, environment: "live" })).toBe(`eva@shop.example ${text}`);
  });

  it("about a member without an address says so", () => {
    const text = noticeText({ ...facts, action: "member.disable", subject: null });
    expect(text).toBe("eva@shop.example disabled a member.");
  });

  it.each([
    [
      "pt-BR",
      "member.change_roles",
      { roles: ["owner", "finance"] },
      "mudou as funções de ana@shop.example para proprietário, financeiro.",
    ],
    ["es", "member.disable", null, "desactivó a ana@shop.example."],
    ["es", "api_key.create", null, "creó una clave de API para el entorno de producción."],
    ["pt-BR", "merchant.set_name", { name: "{actor} $& “x”" }, "mudou o nome do lojista para “{actor} $& “x””."],
    ["pt-BR", "merchant.set_totp", { totp_required_for: [] }, "mudou o que exige um código de uso único para: nada."],
  ] as const)("in %s, %s", (language, action, after, text) => {
    const change = {
      actor: "eva@shop.example",
      subject: "ana@shop.example",
      environment: "live",
      action,
      after,
    } as const;
    expect(noticeText(change, language)).toBe(`eva@shop.example ${text}`);
  });
});
