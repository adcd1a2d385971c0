// How the member signs in, besides passkeys: with a password, with the OpenID provider, or with both.
"use client";
import { useTexts } from "../i18n/use-texts";
import { Panel } from "../ui/panel";
import { PasswordForm } from "./password-form";
import { useAccess } from "./use-access";

export function AccessPanel() {
  const texts = useTexts();
  const access = useAccess();
  if (!access) return null;
  return (
    <>
      {access.provider === null ? null : (
        <Panel className="grid gap-2">
          <h2 className="text-lg">{texts("account.singleSignOn")}</h2>
          <p className="text-sm text-ink-soft">{texts("account.singleSignOnAbout", { provider: access.provider })}</p>
        </Panel>
      )}
      {access.has_password ? <PasswordForm /> : null}
    </>
  );
}
