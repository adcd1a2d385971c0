// One member: who they are, what they may do, and how they sign in.

import { CircleCheck, CircleSlash, Clock, Fingerprint, Smartphone, TriangleAlert } from "lucide-react";
import { rolesText } from "../i18n/role-text";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const { email, name, roles, test_roles: testRoles, open_sessions: open } = member;
  return (
    <Row>
      <Cell isWide>
        <span className="font-medium wrap-anywhere">{name ?? email}</span>
        {isMe ? <span className="text-ink-soft"> {texts("members.you")}</span> : null}
        {name === null ? null : <span className="caption block wrap-anywhere">{email}</span>}
      </Cell>
      <Cell>
        {roles.length === 0 ? texts("members.noneInLive") : rolesText(texts, roles)}
        {testRoles === null ? null : (
          <span className="block text-xs text-ink-soft">
            {texts("members.inTestTestRoles", { testRoles: rolesText(texts, testRoles) || texts("members.none") })}
          </span>
        )}
      </Cell>
      <Cell>
        <MemberState member={member} />
      </Cell>
      <Cell from="lg" className="max-md:text-xs">
        <span className="text-ink-soft md:hidden">{texts("members.secondFactorLabel")} </span>
        <SecondFactor member={member} />
      </Cell>
      <Cell className="max-md:text-xs">
        <LastSignIn member={member} />
      </Cell>
      <Cell isNumeric from="lg" className="max-md:text-left max-md:text-xs">
        {open}
        <span className="md:hidden"> {texts("members.openSessionsAfterCount", { count: open })}</span>
      </Cell>
      <Cell className="text-right">
        {onManage ? (
          <Button size="small" aria-label={texts("members.manageEmail", { email })} onClick={onManage}>
            {texts("members.manage")}
          </Button>
        ) : null}
      </Cell>
    </Row>
  );
}

function MemberState({ member }: { readonly member: Member }) {
  const texts = useTexts();
  if (member.disabled_at !== null) return <Badge tone="over" Icon={CircleSlash} label={texts("members.disabled")} />;
  if (member.has_password || member.has_identity)
    return <Badge tone="good" Icon={CircleCheck} label={texts("members.active")} />;
  return (
    <>
      <Badge tone="over" Icon={Clock} label={texts("members.noPasswordYet")} />
      <LinkState expiresAt={member.link_expires_at} />
    </>
  );
}

/** Whether a member without a password can still choose one. */
function LinkState({ expiresAt }: { readonly expiresAt: string | null }) {
  const texts = useTexts();
  const now = useNow();
  if (expiresAt === null) return <span className="caption block">{texts("members.noLinkWorks")}</span>;
  const isOver = Date.parse(expiresAt) <= now;
  return (
    <span className="caption block">
      {isOver ? texts("members.linkExpired") : texts("members.linkWorksUntil")} <LocalTime iso={expiresAt} />
    </span>
  );
}

export function SecondFactor({
  member: { has_passkey: hasPasskey, has_codes: hasCodes },
}: {
  readonly member: Member;
}) {
  const texts = useTexts();
  const factors = [
    ...(hasPasskey ? [{ label: texts("members.passkey"), Icon: Fingerprint }] : []),
    ...(hasCodes ? [{ label: texts("members.oneTimeCodes"), Icon: Smartphone }] : []),
  ];
  if (factors.length === 0) return <Badge tone="warn" Icon={TriangleAlert} label={texts("members.noFactor")} />;
  return factors.map(({ label, Icon }) => (
    <span key={label} className="flex items-center gap-1.5 whitespace-nowrap">
      <Icon className="size-4 shrink-0 text-ink-soft" aria-hidden="true" />
      {label}
    </span>
  ));
}

function LastSignIn({ member }: { readonly member: Member }) {
  const texts = useTexts();
  const { last_sign_in_at: signedInAt, last_seen_at: seenAt } = member;
  if (signedInAt === null)
    return (
      <>
        <span className="md:hidden">{texts("members.neverSignedIn")}</span>
        <span className="max-md:hidden">{texts("members.never")}</span>
      </>
    );
  return (
    <>
      <span className="md:hidden">{texts("members.signedIn")} </span>
      <Age iso={signedInAt} />
      {seenAt === null ? null : (
        <span className="caption block whitespace-nowrap">
          {texts.rich("members.seen", { age: () => <Age iso={seenAt} /> })}
        </span>
      )}
    </>
  );
}
