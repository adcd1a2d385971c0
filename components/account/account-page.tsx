"use client";
import { IS_DASHBOARD_TRANSLATED } from "@/server/domain/dashboard-languages";
import { rolesText } from "../i18n/role-text";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { PageHeader } from "../ui/page-header";
import { AccessPanel } from "./access-panel";
import { LanguagePanel } from "./language-panel";
import { NamePanel } from "./name-panel";
import { PasskeyPanel } from "./passkey-panel";
import { SessionPanel } from "./session-panel";
import { TotpPanel } from "./totp-panel";

export function AccountPage() {
  const texts = useTexts();
  const { member } = useShell();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader
        title={texts("account.yourAccount")}
        about={`${member.email}: ${rolesText(texts, member.roles) || texts("account.noRoleInLive")}`}
      />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TotpPanel />
        <PasskeyPanel />
        <NamePanel />
        {IS_DASHBOARD_TRANSLATED ? <LanguagePanel /> : null}
        <AccessPanel />
        <SessionPanel />
      </div>
    </div>
  );
}
