// Asks once more before somebody is signed out, put out, or loses the password.

import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const { title, act, effect } = wordsIn(texts)[asked](member);
  return (
    <Question title={title} act={act} isDangerous={asked !== "end"} {...question}>
      <p className="text-sm wrap-anywhere">
        <strong>{actorText(texts, { type: "member", name: member.name, address: member.email })}</strong> {effect}
      </p>
    </Question>
  );
}

const wordsIn = (texts: Texts) =>
  ({
    end: ({ open_sessions: open }: Member) => ({
      title: texts("members.endSessionsTitle"),
      act: texts("members.endSessions"),
      effect: texts("members.endAllEffect", { count: open }),
    }),
    reset: ({ has_password: hasPassword }: Member) =>
      hasPassword
        ? {
            title: texts("members.resetThePassword"),
            act: texts("members.resetPassword"),
            effect: texts("members.resetEffect"),
          }
        : {
            title: texts("members.makeLinkTitle"),
            act: texts("members.makeLink"),
            effect: texts("members.newLinkEffect"),
          },
    disable: ({ open_sessions: open }: Member) => ({
      title: texts("members.disableTheMember"),
      act: texts("members.disable"),
      effect: texts("members.disableEffect", { count: open }),
    }),
  }) as const satisfies Readonly<
    Record<AskedAct, (member: Member) => { readonly title: string; readonly act: string; readonly effect: string }>
  >;
