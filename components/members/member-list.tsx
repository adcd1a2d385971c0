"use client";
import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { DataTable } from "../ui/data-table";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { type Member, mayChange } from "./member";
import { MemberRow } from "./member-row";
import { OpenGrants } from "./open-grants";
import { RoleMatrix } from "./role-matrix";
import { StepUpPanel } from "./step-up-panel";

const InviteDialog = lazy(() => import("./invite-dialog"));
const ManageDialog = lazy(() => import("./manage-dialog"));

const columnsIn = (texts: Texts) =>
  [
    { label: texts("members.member") },
    { label: texts("members.roles") },
    { label: texts("members.state") },
    { label: texts("members.secondFactor"), from: "lg" },
    { label: texts("members.lastSignIn") },
    { label: texts("members.openSessions"), isNumeric: true, from: "lg" },
    { label: texts("members.actions"), isLabelHidden: true },
  ] as const;

export function MemberList() {
  const texts = useTexts();
  const { environment, member: me } = useShell();
  const trpc = useTRPC();
  const [isInviting, setInviting] = useState(false);
  const [managed, setManaged] = useState<Member | null>(null);
  const { data, error } = useQuery(trpc.members.list.queryOptions({ environment }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title={texts("members.members")} about={texts("members.membersAbout")}>
        <Button size="medium" tone="primary" onClick={() => setInviting(true)}>
          <UserPlus className="size-4" aria-hidden="true" />
          {texts("members.inviteMember")}
        </Button>
      </PageHeader>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
        </Notice>
      ) : null}
      {data ? (
        <>
          <OpenGrants grants={data.grants} members={data.members} />
          <DataTable caption={texts("members.membersDisabledOnesLast")} columns={columnsIn(texts)}>
            {data.members.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                isMe={member.id === me.id}
                onManage={mayChange(me.roles, member) ? () => setManaged(member) : null}
              />
            ))}
          </DataTable>
          <StepUpPanel />
          <RoleMatrix rows={data.permissions} />
        </>
      ) : null}
      <Suspense>
        {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
        {managed ? <ManageDialog member={managed} onClose={() => setManaged(null)} /> : null}
      </Suspense>
    </div>
  );
}
