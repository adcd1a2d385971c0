"use client";
import { useShell } from "../shell/shell-context";
import { PageHeader } from "../ui/page-header";
import { AccessPanel } from "./access-panel";
import { NamePanel } from "./name-panel";
import { PasskeyPanel } from "./passkey-panel";
import { SessionPanel } from "./session-panel";
import { TotpPanel } from "./totp-panel";

export function AccountPage() {
  const { member } = useShell();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title="Your account" about={`${member.email}: ${member.roles.join(", ") || "no role in live"}`} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <TotpPanel />
        <PasskeyPanel />
        <NamePanel />
        <AccessPanel />
        <SessionPanel />
      </div>
    </div>
  );
}
