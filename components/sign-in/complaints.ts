// What a person reads who was not signed in.
import type { Texts } from "../i18n/dashboard-texts";

/** By the codes that next-auth passes on. */
const complaintsIn = (texts: Texts): Readonly<Record<string, string>> => ({
  NotAMember: texts("signIn.noMember"),
  SecondFactorMissing: texts("signIn.factorRequired"),
  Unavailable: texts("signIn.noAnswer"),
});

export const codeRefusedIn = (texts: Texts) => texts("signIn.codeWrong");

export const failedIn = (texts: Texts) => texts("signIn.singleSignOnFailed");

/** Returns the text for the code of a failed sign-in. */
export function complaintOf(texts: Texts, code: string): string {
  return complaintsIn(texts)[code] ?? failedIn(texts);
}
