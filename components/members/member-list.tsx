"use client";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleSlash, Clock, UserPlus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useShell } from "../shell/shell-context";
import { Age } from "../time/age";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Cell, DataTable, Row } from "../ui/data-table";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { type Member, mayChange } from "./member";
import { OpenGrants } from "./open-grants";
import { RoleMatrix } from "./role-matrix";
import { StepUpPanel } from "./step-up-panel";

const InviteDialog = lazy(() => import("./invite-dialog"));
const ManageDialog = lazy(() => import("./manage-dialog"));

const COLUMNS = [
  { label: "Member" },
  { label: "Roles" },
  { label: "State" },
  { label: "Last seen" },
  { label: "Actions", isLabelHidden: true },
];

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

function StateBadge({ member }: { readonly member: Member }) {
  if (member.disabled_at !== null) return <Badge tone="over" Icon={CircleSlash} label="Disabled" />;
  if (!member.has_password && !member.has_identity) return <Badge tone="over" Icon={Clock} label="No password yet" />;
  return <Badge tone="good" Icon={CircleCheck} label="Active" />;
}

interface MemberRowProps {
  readonly member: Member;
  readonly isMe: boolean;
  /** Null for members without the permission. */
  readonly onManage: (() => void) | null;
}

function MemberRow({ member, isMe, onManage }: MemberRowProps) {
  const { email, roles, test_roles: testRoles, last_seen_at: lastSeenAt } = member;
  return (
    <Row>
      <Cell isWide>
        <span className="font-medium wrap-anywhere">{email}</span>
        {isMe ? <span className="text-ink-soft"> (you)</span> : null}
      </Cell>
      <Cell>
        {roles.length === 0 ? "none in live" : roles.join(", ")}
        {testRoles === null ? null : (
          <span className="block text-xs text-ink-soft">in test: {testRoles.join(", ") || "none"}</span>
        )}
      </Cell>
      <Cell>
        <StateBadge member={member} />
      </Cell>
      <Cell className="max-md:text-xs">
        <span className="md:hidden">Seen </span>
        {lastSeenAt === null ? "never" : <Age iso={lastSeenAt} />}
      </Cell>
      <Cell className="text-right">
        {onManage ? (
          <Button size="small" aria-label={`Manage ${email}`} onClick={onManage}>
            Manage
          </Button>
        ) : null}
      </Cell>
    </Row>
  );
}
