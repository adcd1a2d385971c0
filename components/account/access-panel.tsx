// How the member signs in, besides passkeys: with a password, with the OpenID provider, or with both.
"use client";
import { Panel } from "../ui/panel";
import { PasswordForm } from "./password-form";
import { useAccess } from "./use-access";

export function AccessPanel() {
  const access = useAccess();
  if (!access) return null;
  return (
    <>
      {access.provider === null ? null : (
        <Panel className="grid gap-2">
          <h2 className="text-lg">Single sign-on</h2>
          <p className="text-sm text-ink-soft">
            You sign in with {access.provider}. An act that takes a proof asks for a passkey or a one-time code if you
            have one, and otherwise for a new sign-in there.
          </p>
        </Panel>
      )}
      {access.has_password ? <PasswordForm /> : null}
    </>
  );
}
