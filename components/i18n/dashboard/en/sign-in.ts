export const signIn = {
  youAreNoActiveMemberOf:
    "You are no active member of a merchant here, or your provider has not verified your address. Ask an owner or admin to invite that address.",
  yourMerchantRequiresASecondFactor:
    "Your merchant requires a second factor, and your provider did not say that it asked for one. Sign in with a passkey, or set up a second factor at your provider.",
  theCodeIsWrongOrWas: "The code is wrong, or was used already. Wait for the next one, or use a recovery code.",
  singleSignOnDidNotWork:
    "Single sign-on did not work. Try again; if it fails again, tell the operator of this instance.",
  youTookLongerThanFiveMinutes: "You took longer than five minutes. Begin again at the sign-in page.",
  thePasswordIsWrongOrThere: "The password is wrong, or there were too many attempts.",
  password: "Password",
  onceToConnectYourAccountHere:
    "Once, to connect your account here with the provider. If you never chose a password, tell an owner: somebody else has opened your invitation.",
  oneTimeCode: "One-time code",
  youHaveNotSignedInHere: "You have not signed in here with the provider before.",
  signingInAgainDidNotWork: "Signing in again did not work. Close this window and try again.",
  theProvidersAnswerWasNotAccepted:
    "The provider's answer was not accepted: sign in with your own account, and enter your password there.",
  doneYouCanCloseThisWindow: "Done. You can close this window.",
  openingYourProvider: "Opening your provider…",
  weCouldNotSignYouIn:
    "We could not sign you in. Check the address and the password. Accounts lock for 30 minutes after ten failed attempts.",
  weCouldNotSignYouIn2:
    "We could not sign you in with a passkey. Use your password, and add a passkey for this site under Your account.",
  theServiceDidNotAnswerPlease: "The service did not answer. Please try again in a moment.",
  email: "Email",
  fromYourAuthenticatorOrOneOf: "From your authenticator, or one of your recovery codes.",
  signingIn: "Signing in…",
  signIn: "Sign in",
  signInWithAPasskey: "Sign in with a passkey",
  signingInNeedsJavaScript: "Signing in needs JavaScript.",
  signOut: "Sign out",
  opening: "Opening…",
  signInWithName: "Sign in with {name}",
  thisLinkDoesNotWorkIt: "This link does not work. It may have expired, been used or been replaced. Ask for a new one.",
  checkingTheLink: "Checking the link…",
  yourPasswordIsSetSignIn: "Your password is set. <textLink>Sign in</textLink>",
  theTwoPasswordsDiffer: "The two passwords differ.",
  youAreInvitedToMerchantNameChoose:
    "You are invited to {merchantName}. Choose the password that you will sign in with.",
  chooseANewPasswordForMerchantName: "Choose a new password for {merchantName}.",
  atLeast12Characters: "At least 12 characters.",
  passwordAgain: "Password again",
  setting: "Setting…",
  setPassword: "Set password",
} as const;
