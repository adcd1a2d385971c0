"use client";
import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
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

const COLUMNS = [
  { label: "Member" },
  { label: "Roles" },
  { label: "State" },
  { label: "Second factor", from: "lg" },
  { label: "Last sign-in" },
  { label: "Open sessions", isNumeric: true, from: "lg" },
  { label: "Actions", isLabelHidden: true },
] as const;

export function MemberList() {
  const { environment, member: me } = useShell();
  const trpc = useTRPC();
  const [isInviting, setInviting] = useState(false);
  const [managed, setManaged] = useState<Member | null>(null);
  const { data, error } = useQuery(trpc.members.list.queryOptions({ environment }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title="Members" about="The people of this merchant, in both environments.">
        <Button size="medium" tone="primary" onClick={() => setInviting(true)}>
          <UserPlus className="size-4" aria-hidden="true" />
          Invite member
        </Button>
      </PageHeader>
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(error).message}
        </Notice>
      ) : null}
      {data ? (
        <>
          <OpenGrants grants={data.grants} members={data.members} />
          <DataTable caption="Members, disabled ones last" columns={COLUMNS}>
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
