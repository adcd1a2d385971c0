// The notice that the session has ended. The page stays visible until the reader chooses.
"use client";
import { ButtonLink } from "../ui/button";
import { Dialog } from "../ui/dialog";

/** Signing in again returns to the same page, filters included. */
export function SignedOut() {
  const { pathname, search } = window.location;
  const back = `/sign-in?next=${encodeURIComponent(pathname + search)}`;
  return (
    <Dialog title="You are signed out" onClose={() => window.location.assign(back)}>
      <p className="text-sm text-ink-soft">
        Your session has ended: it was idle for 15 minutes, 8 hours old, or ended from elsewhere. Nothing you see here
        was changed by that. Sign in again to go on.
      </p>
      <div className="flex justify-end">
        <ButtonLink href={back} tone="primary" data-first-focus="">
          Sign in again
        </ButtonLink>
      </div>
    </Dialog>
  );
}
