// What a person reads who was not signed in.

/** By the codes that next-auth passes on. */
const COMPLAINTS: Readonly<Record<string, string>> = {
  NotAMember:
    "You are no active member of a merchant here, or your provider has not verified your address. Ask an owner or admin to invite that address.",
  SecondFactorMissing:
    "Your merchant requires a second factor, and your provider did not say that it asked for one. Sign in with a passkey, or set up a second factor at your provider.",
};

export const CODE_REFUSED = "The code is wrong, or was used already. Wait for the next one, or use a recovery code.";

export const FAILED = "Single sign-on did not work. Try again; if it fails again, tell the operator of this instance.";

/** Returns the text for the code of a failed sign-in. */
export function complaintOf(code: string): string {
  return COMPLAINTS[code] ?? FAILED;
}
