// One registration: where it sends, what and when, and how its last messages fared.
"use client";
import { CircleCheck, CircleX, Hourglass } from "lucide-react";
import { useState } from "react";
import type { NotificationType } from "@/server/domain/notification";
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
import { CHANNEL_WORDS, TYPE_WORDS, timesText } from "./words";

interface RegistrationCardProps {
  readonly registration: Registration;
  /** The types that the member's roles receive. */
  readonly types: readonly NotificationType[];
}

export function RegistrationCard({ registration, types }: RegistrationCardProps) {
  const { member } = useShell();
  const announce = useAnnounce();
  const { environment, test, remove } = useRegistrations();
  const [open, setOpen] = useState<"edit" | "remove" | null>(null);
  const { id, channel, target, messages } = registration;
  const name = `${CHANNEL_WORDS[channel]}: ${target ?? member.email}`;
  const close = () => setOpen(null);
  return (
    <Panel className="grid gap-3">
      <h2 className="text-lg wrap-anywhere">{name}</h2>
      <ul className="grid gap-1 text-sm">
        {registration.types.map((type) => (
          <li key={type}>
            {TYPE_WORDS[type]}
            {types.includes(type) ? "" : " (not with your present roles)"}
          </li>
        ))}
      </ul>
      <p className="text-sm text-ink-soft">{timesText(registration)}</p>
      <Messages messages={messages} />
      {test.error ? (
        <Notice tone="bad" role="alert">
          {failureOf(test.error).message}
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button size="small" aria-label={`Change ${name}`} onClick={() => setOpen("edit")}>
          Change
        </Button>
        <Button
          size="small"
          aria-label={`Send a test to ${name}`}
          aria-disabled={test.isPending || undefined}
          onClick={() =>
            test.isPending || test.mutate({ environment, id }, { onSuccess: () => announce("The test is on its way.") })
          }
        >
          Send a test
        </Button>
        <Button size="small" tone="danger" aria-label={`Remove ${name}`} onClick={() => setOpen("remove")}>
          Remove…
        </Button>
      </div>
      {open === "edit" ? <EditDialog registration={registration} types={types} onClose={close} /> : null}
      {open === "remove" ? (
        <Question
          title="Send nothing there any more?"
          act="Remove"
          isDangerous
          isDisabled={false}
          isSending={remove.isPending}
          error={remove.error}
          onAct={() => remove.mutate({ environment, id }, { onSuccess: close })}
          onClose={close}
        >
          <p className="text-sm wrap-anywhere">{name}. What waits to be sent there is dropped.</p>
        </Question>
      ) : null}
    </Panel>
  );
}

const STATES = {
  sent: { label: "Sent", Icon: CircleCheck, tone: "good" },
  pending: { label: "Waiting", Icon: Hourglass, tone: "busy" },
  failed: { label: "Given up", Icon: CircleX, tone: "bad" },
} as const;

function Messages({ messages }: Pick<Registration, "messages">) {
  if (messages.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h3 className="text-sm font-medium">Last messages</h3>
      <ul className="grid gap-2">
        {messages.map(({ id, types, count, state, attempts, failure, next_attempt_at, ended_at }) => {
          const at = ended_at ?? next_attempt_at;
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
              <Badge {...STATES[state === "skipped" ? "sent" : state]} />
              <span>
                {types.length === 1 && types[0] ? TYPE_WORDS[types[0]] : `${types.length} subjects`}, {count} in all
              </span>
              <span className="text-ink-soft">
                {state === "pending" ? "next attempt " : ""}
                {at ? <LocalTime iso={at} /> : null}
                {attempts > 1 ? `, ${attempts} attempts` : ""}
              </span>
              {failure ? <span className="basis-full text-bad wrap-anywhere">{failure}</span> : null}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
