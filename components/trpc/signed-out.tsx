// The notice that the session has ended. The page stays visible until the reader chooses.
"use client";
import { useTexts } from "../i18n/use-texts";
import { ButtonLink } from "../ui/button";
import { Dialog } from "../ui/dialog";

/** Signing in again returns to the same page, filters included. */
export function SignedOut() {
  const texts = useTexts();
  const { pathname, search } = window.location;
  const back = `/sign-in?next=${encodeURIComponent(pathname + search)}`;
  return (
    <Dialog title={texts("common.youAreSignedOut")} onClose={() => window.location.assign(back)}>
      <p className="text-sm text-ink-soft">{texts("common.signedOutWhy")}</p>
      <div className="flex justify-end">
        <ButtonLink href={back} tone="primary" data-first-focus="">
          {texts("common.signInAgain")}
        </ButtonLink>
      </div>
    </Dialog>
  );
}
