import { expect, it } from "vitest";
import { LEDGER_ACCOUNTS, LEDGER_REASONS } from "@/server/domain/ledger";
import { dashboardTexts } from "../i18n/catalogues";
import { accountText, bookingText } from "./booking-text";

const texts = dashboardTexts("en");

it("every reason and account has words in every language", () => {
  for (const language of ["en", "pt-BR", "es"] as const) {
    const own = dashboardTexts(language);
    for (const reason of LEDGER_REASONS) expect(bookingText(own, reason)).not.toContain("_");
    for (const account of LEDGER_ACCOUNTS) expect(accountText(own, account)).not.toContain("_");
  }
});

it.each([
  ["available", "Available"],
  ["fx_spread", "FX spread"],
  ["provider_clearing:acme", "Provider clearing:acme"],
  ["some_new_account", "Some new account"],
])("the account %s reads %s", (account, words) => expect(accountText(texts, account)).toBe(words));

it("an unknown reason is shown without underscores", () => expect(bookingText(texts, "some_new")).toBe("Some new"));
