// One registration: where it sends, what and when, and how its last messages fared.
"use client";
import { CircleCheck, CircleX, Hourglass } from "lucide-react";
import { useState } from "react";
import type { NotificationType } from "@/server/domain/notification";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { failureOf } from "../trpc/failure";
import { Question } from "../trpc/question";
import { useAnnounce } from "../ui/announcer";
import { Badge } from "../ui/badge";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { EditDialog } from "./registration-dialogs";
import { type Registration, useRegistrations } from "./use-registrations";
import { channelWordsIn, timesText, typeWordsIn } from "./words";

interface RegistrationCardProps {
  readonly registration: Registration;
  /** The types that the member's roles receive. */
  readonly types: readonly NotificationType[];
}

export function RegistrationCard({ registration, types }: RegistrationCardProps) {
  const texts = useTexts();
  const { member } = useShell();
  const announce = useAnnounce();
  const { environment, test, remove } = useRegistrations();
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  const { id, channel, target, messages } = registration;
  const name = `${channelWordsIn(texts)[channel]}: ${target ?? member.email}`;
  const close = () => setOpen(null);
  return (
    <Panel className="grid gap-3">
      <h2 className="text-lg wrap-anywhere">{name}</h2>
      <ul className="grid gap-1 text-sm">
        {registration.types.map((type) => (
          <li key={type}>
            {typeWordsIn(texts)[type]}
            {types.includes(type) ? "" : texts("notifications.notWithRoles")}
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-soft">{timesText(texts, registration)}</p>
      <Messages messages={messages} />
      {test.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, test.error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button size="small" aria-label={texts("notifications.changeName", { name })} onClick={() => setOpen("edit")}>
          {texts("notifications.change")}
        </Button>
        <Button
          size="small"
          aria-label={texts("notifications.sendTestTo", { name })}
          aria-disabled={test.isPending || undefined}
          onClick={() =>
            test.isPending ||
            test.mutate({ environment, id }, { onSuccess: () => announce(texts("notifications.testSent")) })
          }
        >
          {texts("notifications.sendATest")}
        </Button>
        <Button
          size="small"
          tone="danger"
          aria-label={texts("notifications.removeName", { name })}
          onClick={() => setOpen("remove")}
        >
          {texts("notifications.openRemove")}
        </Button>
      </div>
      {open === "edit" ? <EditDialog registration={registration} types={types} onClose={close} /> : null}
      {open === "remove" ? (
        <Question
          title={texts("notifications.removeTitle")}
          act={texts("notifications.remove")}
          isDangerous
          isDisabled={false}
          isSending={remove.isPending}
          error={remove.error}
          onAct={() => remove.mutate({ environment, id }, { onSuccess: close })}
          onClose={close}
        >
          <p className="text-sm wrap-anywhere">{texts("notifications.removeEffect", { name })}</p>
        </Question>
      ) : null}
    </Panel>
  );
}

const statesIn = (texts: Texts) =>
  ({
    sent: { label: texts("notifications.sent"), Icon: CircleCheck, tone: "good" },
    pending: { label: texts("notifications.waiting"), Icon: Hourglass, tone: "busy" },
    failed: { label: texts("notifications.givenUp"), Icon: CircleX, tone: "bad" },
  }) as const;

function Messages({ messages }: Pick<Registration, "messages">) {
  const texts = useTexts();
  if (messages.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-medium">{texts("notifications.lastMessages")}</h3>
      <ul className="grid gap-2">
        {messages.map(({ id, types, count, state, attempts, failure, next_attempt_at, ended_at }) => {
          const at = ended_at ?? next_attempt_at;
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <Badge {...statesIn(texts)[state === "skipped" ? "sent" : state]} />
              <span>
                {texts("notifications.eventsInAll", {
                  groups:
                    types.length === 1 && types[0]
                      ? typeWordsIn(texts)[types[0]]
                      : texts("notifications.typesSubjects", { types: types.length }),
                  count,
                })}
              </span>
              <span className="text-ink-soft">
                {state === "pending" ? texts("notifications.nextAttempt") : ""}
                {at ? <LocalTime iso={at} /> : null}
                {attempts > 1 ? texts("notifications.attemptsAttempts", { attempts }) : ""}
              </span>
              {failure ? <span className="basis-full text-bad wrap-anywhere">{failure}</span> : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
