// One member: who they are, what they may do, and how they sign in.
import { CircleCheck, CircleSlash, Clock, Fingerprint, Smartphone, TriangleAlert } from "lucide-react";
import { Age } from "../time/age";
import { LocalTime } from "../time/local-time";
import { useNow } from "../time/use-now";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Cell, Row } from "../ui/data-table";
import type { Member } from "./member";

interface MemberRowProps {
  readonly member: Member;
  readonly isMe: boolean;
  /** Null for members without the permission. */
  readonly onManage: (() => void) | null;
}

export function MemberRow({ member, isMe, onManage }: MemberRowProps) {
  const { email, name, roles, test_roles: testRoles, open_sessions: open } = member;
  return (
    <Row>
      <Cell isWide>
        <span className="font-medium wrap-anywhere">{name ?? email}</span>
        {isMe ? <span className="text-ink-soft"> (you)</span> : null}
        {name === null ? null : <span className="caption block wrap-anywhere">{email}</span>}
      </Cell>
      <Cell>
        {roles.length === 0 ? "none in live" : roles.join(", ")}
        {testRoles === null ? null : (
          <span className="block text-xs text-ink-soft">in test: {testRoles.join(", ") || "none"}</span>
        )}
      </Cell>
      <Cell>
        <MemberState member={member} />
      </Cell>
      <Cell from="lg" className="max-md:text-xs">
        <span className="text-ink-soft md:hidden">Second factor: </span>
        <SecondFactor member={member} />
      </Cell>
      <Cell className="max-md:text-xs">
        <LastSignIn member={member} />
      </Cell>
      <Cell isNumeric from="lg" className="max-md:text-left max-md:text-xs">
        {open}
        <span className="md:hidden"> {open === 1 ? "open session" : "open sessions"}</span>
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

function MemberState({ member }: { readonly member: Member }) {
  if (member.disabled_at !== null) return <Badge tone="over" Icon={CircleSlash} label="Disabled" />;
  if (member.has_password || member.has_identity) return <Badge tone="good" Icon={CircleCheck} label="Active" />;
  return (
    <>
      <Badge tone="over" Icon={Clock} label="No password yet" />
      <LinkState expiresAt={member.link_expires_at} />
    </>
  );
}

/** Whether a member without a password can still choose one. */
function LinkState({ expiresAt }: { readonly expiresAt: string | null }) {
  const now = useNow();
  if (expiresAt === null) return <span className="caption block">No link works</span>;
  const isOver = Date.parse(expiresAt) <= now;
  return (
    <span className="caption block">
      {isOver ? "Link expired" : "Link works until"} <LocalTime iso={expiresAt} />
    </span>
  );
}

export function SecondFactor({
  member: { has_passkey: hasPasskey, has_codes: hasCodes },
}: {
  readonly member: Member;
}) {
  const factors = [
    ...(hasPasskey ? [{ label: "Passkey", Icon: Fingerprint }] : []),
    ...(hasCodes ? [{ label: "One-time codes", Icon: Smartphone }] : []),
  ];
  if (factors.length === 0) return <Badge tone="warn" Icon={TriangleAlert} label="None" />;
  return factors.map(({ label, Icon }) => (
    <span key={label} className="flex items-center gap-1.5 whitespace-nowrap">
      <Icon className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      {label}
    </span>
  ));
}

function LastSignIn({ member }: { readonly member: Member }) {
  const { last_sign_in_at: signedInAt, last_seen_at: seenAt } = member;
  if (signedInAt === null)
    return (
      <>
        <span className="md:hidden">never signed in</span>
        <span className="max-md:hidden">never</span>
      </>
    );
  return (
    <>
      <span className="md:hidden">Signed in </span>
      <Age iso={signedInAt} />
      {seenAt === null ? null : (
        <span className="caption block whitespace-nowrap">
          seen <Age iso={seenAt} />
        </span>
      )}
    </>
  );
}
