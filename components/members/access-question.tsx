// Asks once more before somebody is signed out, put out, or loses the password.
import { actorText } from "../intents/actor-text";
import { Question } from "../trpc/question";
import type { Member } from "./member";

/** Changes of access that take a second look. */
export type AskedAct = "end" | "reset" | "disable";

interface AccessQuestionProps {
  readonly member: Member;
  readonly asked: AskedAct;
  readonly isSending: boolean;
  readonly error: unknown;
  readonly onAct: () => void;
  /** Goes back to the member. */
  readonly onClose: () => void;
}

export function AccessQuestion({ member, asked, ...question }: AccessQuestionProps) {
  const { title, act, effect } = WORDS[asked](member);
  return (
    <Question title={title} act={act} isDangerous={asked !== "end"} {...question}>
      <p className="text-sm wrap-anywhere">
        <strong>{actorText({ type: "member", name: member.name, address: member.email })}</strong> {effect}
      </p>
    </Question>
  );
}

const sessionsText = (count: number) => {
  if (count === 0) return "has no open session";
  return count === 1 ? "has 1 open session, which ends" : `has ${count} open sessions, which end`;
};

const WORDS = {
  end: ({ open_sessions: open }: Member) => ({
    title: "End all sessions?",
    act: "End all sessions",
    effect: `${sessionsText(open)}. Sign-ins under way end, too. They can sign in again.`,
  }),
  reset: ({ has_password: hasPassword }: Member) =>
    hasPassword
      ? {
          title: "Reset the password?",
          act: "Reset password",
          effect:
            "is signed out at once, and the password stops working. Passkeys and one-time codes that were set up lately are removed. You get a link by which they choose a new password.",
        }
      : {
          title: "Make a new link?",
          act: "Make a new link",
          effect: "has not chosen a password yet. The link that they have stops working; you get a new one.",
        },
  disable: ({ open_sessions: open }: Member) => ({
    title: "Disable the member?",
    act: "Disable",
    effect: `${sessionsText(open)}, and cannot sign in until somebody enables them.`,
  }),
} as const satisfies Readonly<
  Record<AskedAct, (member: Member) => { readonly title: string; readonly act: string; readonly effect: string }>
>;
